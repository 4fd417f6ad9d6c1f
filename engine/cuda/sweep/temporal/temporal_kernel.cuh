#pragma once
#include "engine/cuda/device/shared_memory.hpp"
#include "engine/cuda/sweep/temporal/plane_loader.cuh"
#include "engine/cuda/sweep/temporal/row_block_halo.cuh"
#include "engine/cuda/update/pack_view.cuh"
#include "engine/cuda/update/z_sweep.cuh"

/// Temporal blocking for cubic lattices that exceed shared memory: two sweeps in one pass over the planes, so that
/// every word is read and written once in two sweeps. A thread block owns a row block of a pack, some rows of every
/// plane, and sweeps along z. Planes are copied to a ring of slots in shared memory while earlier planes are updated.
/// In a step the four half sweeps follow each other at a distance of one plane: the first updates plane t, the second t
/// - 1, the third t - 2, the last t - 3. Updated words in the rows next to a row block arrive as halo packets from the
/// thread blocks that own them. The planes beyond both ends of the lattice are updated again, and results are written
/// to another array, so that all thread blocks read the old words.
namespace psflip::cuda {

/// A lattice size and its row blocks known at compile time; L = 0: known only at launch.
template <int L_, int G>
struct KnownRowBlocks {
  static constexpr std::uint32_t L = L_;
  static constexpr RowBlockShape shape = choose_row_blocks(L ? L : 64, 227 * 1024, 132);
  static constexpr std::uint32_t threads = L == 0 ? temporal_threads : shape.threads(L);
  static constexpr bool exact = L != 0 && L % shape.blocks == 0 && L / 2 * shape.rows == threads;
  static constexpr std::size_t bytes = L == 0 ? 0 : ring_bytes(L, shape.rows, G);  ///< of shared memory
  static constexpr int chunk = L % 8 == 0 ? 4 : 2;                                 ///< words that are copied at once
  /// Copies of a thread for a number of arrays of a slot. For any L: a row block has two rows or more, so that a slot
  /// has at most twice as many words as the block has threads.
  PSFLIP_HD static constexpr int copies(int arrays, int words_at_once) {
    const auto all = static_cast<std::uint32_t>(arrays) * array_words(L, shape.rows) / words_at_once;
    return L == 0 ? (2 * arrays + words_at_once - 1) / words_at_once : static_cast<int>((all + threads - 1) / threads);
  }
};

/// The word some bytes after another one. Distances in bytes take no multiplication by four at every access.
__device__ __forceinline__ const std::uint32_t* after_bytes(const std::uint32_t* word, int bytes) {
  return reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(word) + bytes);
}
__device__ __forceinline__ std::uint32_t* after_bytes(std::uint32_t* word, std::uint32_t bytes) {
  return reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(word) + bytes);
}

/// Location of the x neighbours of a column in planes of one shift, in bytes. `adjacent` is the step to the neighbour
/// with another index. here[p] and other[p] are, for sites of parity p, the distances of the bonds to the neighbour
/// with the same index and to the other one from the couplings of a plane. A z-sweep keeps two of these and swaps them.
struct XNeighbours {
  int adjacent, here[2], other[2];

  __device__ __forceinline__ XNeighbours(std::uint32_t shift, int left, int right, int bonds_of_parity)
      : adjacent(4 * (shift ? right : left)) {
    here[0] = 4 * (shift ? bonds_of_parity : 0);
    here[1] = 4 * (shift ? 0 : bonds_of_parity);
    other[0] = shift ? 0 : 4 * bonds_of_parity + adjacent;
    other[1] = shift ? 4 * bonds_of_parity : adjacent;
  }
};

/// State of a thread's column (x, y) between steps.
template <int G>
struct RowBlockColumn {
  std::uint32_t index;    ///< of the column in an array of a slot
  std::uint32_t words;    ///< of an array of a slot
  int up;                 ///< step to the neighbour row
  XNeighbours now, then;  ///< in the plane that is updated and in the next

  /// The six bonds of a site of one parity. `near` holds the spins of the other parity in its plane, J the couplings of
  /// the plane; both start at the index of the column. before, here, after are the other parity's words of this column
  /// at z - 1, z, z + 1.
  __device__ __forceinline__ void bonds(int parity, const std::uint32_t* near, const std::uint32_t* J,
                                        std::uint32_t J_before, const std::uint32_t (&spin)[G],
                                        const std::uint32_t (&before)[G], const std::uint32_t (&here)[G],
                                        const std::uint32_t (&after)[G], std::uint32_t (&bond)[G][6]) const {
    const std::uint32_t *my_J = J + 3 * parity * words, *other_J = J + 3 * (1 - parity) * words;
    const int adjacent = now.adjacent;
    const std::uint32_t J_here = *after_bytes(J, now.here[parity]), J_side = *after_bytes(J, now.other[parity]);
    const std::uint32_t J_up = my_J[words], J_down = other_J[static_cast<int>(words) - up], J_after = my_J[2 * words];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* n = near + r * words;
      bond[r][0] = xor3(spin[r], J_here, here[r]);
      bond[r][1] = xor3(spin[r], J_side, *after_bytes(n, adjacent));
      bond[r][2] = xor3(spin[r], J_up, n[up]);
      bond[r][3] = xor3(spin[r], J_down, n[-up]);
      bond[r][4] = xor3(spin[r], J_after, after[r]);
      bond[r][5] = xor3(spin[r], J_before, before[r]);
    }
  }
  __device__ __forceinline__ void swap_sides() {
    const XNeighbours again = now;
    now = then;
    then = again;
  }
};

/// A half sweep of a pass: its random-number state and the numbers drawn ahead for the next site.
template <class Decision>
struct Stage {
  HalfSweep numbers;
  typename Decision::Drawn drawn;
};

inline constexpr std::uint32_t planes_beyond = 4;  ///< planes that a pass needs on each side of the lattice

/// This column's words in a plane.
template <int G>
struct Words {
  std::uint32_t of[G];
  __device__ __forceinline__ void load(const std::uint32_t* from, std::uint32_t distance) {
#pragma unroll
    for (int r = 0; r < G; ++r) of[r] = from[r * distance];
  }
  __device__ __forceinline__ void store(std::uint32_t* to, std::uint32_t distance) const {
#pragma unroll
    for (int r = 0; r < G; ++r) to[r * distance] = of[r];
  }
};

/// z-sweep of a thread through its column. Order of a plane in a slot: spins[parity][replica][row][x],
/// couplings[parity][direction][row][x]. Planes are numbered in the order of arrival, from -planes_beyond of the
/// lattice on.
template <class Decision>
struct TemporalZSweep {
  static constexpr int G = Decision::group;
  const Decision& decide;
  RowBlockColumn<G> c;
  std::uint32_t L, plane, column;  ///< column: y L / 2 + x
  bool inside;                     ///< the row belongs to this row block; other threads follow row 1 and store nothing
  std::uint32_t *out_even, *out_odd, sites;
  RowBlockHalo<G> halo;
  Stage<Decision> stage[4];
  // words of this column in the two preceding planes that the next step reads: parity 1 as loaded, then after each half
  // sweep
  Words<G> raw[2], first[2], second[2], third[2];
  std::uint32_t J_before;  ///< the z coupling of parity 0 below the plane of the last half sweep

  /// z of the plane that arrives as the m-th.
  __device__ __forceinline__ std::uint32_t plane_of(std::uint32_t m) const {
    return m < planes_beyond       ? m + L - planes_beyond
           : m - planes_beyond < L ? m - planes_beyond
                                   : m - planes_beyond - L;
  }

  /// Half sweep K at plane m, in `slot`; before, here, after are the words of the other parity at z - 1, z, z + 1.
  template <int K>
  __device__ __forceinline__ void update(std::uint32_t m, std::uint32_t* slot, std::uint32_t J_z, Words<G>& spin,
                                         const Words<G>& before, const Words<G>& here, const Words<G>& after) {
    constexpr int parity = K % 2;
    const std::uint32_t words = c.words;
    std::uint32_t bond[G][6];
    c.bonds(parity, slot + (1 - parity) * G * words, slot + 2 * G * words, J_z, spin.of, before.of, here.of, after.of,
            bond);
    decide(stage[K].numbers, plane_of(m) * plane + column, stage[K].drawn, spin.of, bond);
    stage[K].drawn = decide.draw(stage[K].numbers, plane_of(m + 1) * plane + column);
    if (K < 3) {
      if (inside) spin.store(slot + parity * G * words, words);
      halo.send(K, m, spin.of);
    }
  }

  /// Step n; slot[k] is this column in plane n - 2 + k. Threads that are not inside compute too: branches around their
  /// updates would take more instructions. STEADY: 6 <= n < L + 5, so that no condition on n can be false.
  template <bool STEADY>
  __device__ __forceinline__ void step(std::uint32_t n, std::uint32_t* const (&slot)[5]) {
    const std::uint32_t words = c.words;
    Words<G> even, after, odd;
    halo.request(0, n);
    even.load(inside ? slot[3] : slot[3] + 2 * G * words, words);  // else any words that no thread writes now
    after.load(slot[4] + G * words, words);
    update<0>(n + 1, slot[3], slot[2][(2 * G + 5) * words], even, raw[0], raw[1], after);
    if (STEADY || n >= 2) {
      halo.receive(0, n, slot[2], words);
      halo.request(1, n - 1);
      update<1>(n, slot[2], slot[1][(2 * G + 2) * words], raw[0], first[0], first[1], even);
    }
    odd = raw[0];
    raw[0] = raw[1];
    raw[1] = after;
    if (STEADY || n >= 4) {
      halo.receive(1, n - 1, slot[1] + G * words, words);
      halo.request(2, n - 2);
      update<2>(n - 1, slot[1], slot[0][(2 * G + 5) * words], first[0], second[0], second[1], odd);
      if (inside && (STEADY || (n >= 5 && n < L + 5))) {
        first[0].store(out_even, sites);
        out_even += plane;
      }
    }
    after = first[0];
    first[0] = first[1];
    first[1] = even;
    if (STEADY || n >= 6) {
      halo.receive(2, n - 2, slot[0], words);
      update<3>(n - 2, slot[0], J_before, second[0], third[0], third[1], after);
      if (inside) second[0].store(out_odd, sites);
      out_odd += plane;
    }
    second[0] = second[1];
    second[1] = odd;
    third[0] = third[1];
    third[1] = after;
    J_before = slot[0][(2 * G + 2) * words];
    c.swap_sides();
  }
};

/// Two sweeps of each pack, pass after pass: task p packs + pack is pass p of a pack. A launch executes some
/// consecutive tasks, at most as many as there are packs, so that the preceding pass of each pack is in an earlier
/// launch.
struct TemporalTasks {
  std::uint32_t packs, first;  ///< first task of the launch
  std::uint32_t half_sweep;    ///< of pass 0, even
};

/// Row block of a thread block.
struct RowBlock {
  std::uint32_t number, pass, pack;  ///< number: of the task in this launch
  std::uint32_t block, first_row, rows;

  __device__ __forceinline__ RowBlock(const RowBlockShape& shape, std::uint32_t L, const TemporalTasks& tasks)
      : number(blockIdx.x / shape.blocks),
        pass((tasks.first + number) / tasks.packs),
        pack((tasks.first + number) % tasks.packs),
        block(blockIdx.x % shape.blocks),
        first_row(shape.first_row(block, L)),
        rows(shape.first_row(block + 1, L) - first_row) {}
};

/// Slots of the ring: offset[k], in bytes, of the slot of plane n - 2 + k in step n.
struct Ring {
  std::uint32_t offset[ring_slots];

  __device__ __forceinline__ void next() {
    const std::uint32_t oldest = offset[0];
#pragma unroll
    for (int k = 0; k + 1 < ring_slots; ++k) offset[k] = offset[k + 1];
    offset[ring_slots - 1] = oldest;
  }
};

/// The z-sweep of this thread from its first to its last step. `start(m, offset)` starts the copies of plane m to the
/// slot at an offset. PAIRS: steps 6 to L + 3 are made by a loop over two steps without conditions.
template <bool PAIRS, class Sweep, class Start>
__device__ __forceinline__ void sweep_planes(Sweep& sweep, std::uint32_t* column, std::uint32_t slot_bytes,
                                             const Start& start) {
  static_assert(ring_slots == 6);
  for (std::uint32_t m = 0; m < 3; ++m) start(m, m * slot_bytes);
  Ring ring{{4 * slot_bytes, 5 * slot_bytes, 0, slot_bytes, 2 * slot_bytes, 3 * slot_bytes}};
  const auto make_step = [&]<bool STEADY>(std::uint32_t n) {
    wait_for_copies();
    __syncthreads();  // plane n + 2 is there, and all threads have left plane n - 3
    start(n + 3, ring.offset[5]);
    std::uint32_t* slots[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) slots[k] = after_bytes(column, ring.offset[k]);
    if (!STEADY && n == 0) {
      sweep.raw[0].load(slots[2] + Sweep::G * sweep.c.words, sweep.c.words);
      sweep.raw[1].load(slots[3] + Sweep::G * sweep.c.words, sweep.c.words);
    }
    sweep.template step<STEADY>(n, slots);
    ring.next();
  };
  for (std::uint32_t n = 0; n < sweep.L + 6;) {
    make_step.template operator()<false>(n++);
    if (PAIRS && n == 6) {
#pragma unroll 1
      while (n < sweep.L + 4) {  // an even number of steps
        make_step.template operator()<true>(n++);
        make_step.template operator()<true>(n++);
      }
    }
  }
}

/// Tasks of two sweeps. Even passes read the spins in `even` and write to `odd`, odd ones vice versa. Grid (tasks) x
/// row blocks, all co-resident; a thread for each word of a plane. Decision: SharedDecision.
template <class Known, int CHUNK, class Decision>
__global__ void __launch_bounds__(Known::threads)
    temporal_kernel(std::uint32_t* even, std::uint32_t* odd, const std::uint32_t* couplings, Layout layout,
                    const __grid_constant__ KeySchedule keys, TemporalTasks tasks, std::uint32_t first_replica,
                    RowBlockShape given, HaloPackets halo, const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group;
  if constexpr (!fits_architecture(Known::bytes)) return;
  std::uint32_t* shared = shared_memory();
  const std::uint32_t L = Known::L ? Known::L : layout.L, half = L / 2, plane = L * half, sites = L * plane;
  const RowBlockShape shape = Known::L ? Known::shape : given;
  const RowBlock at(shape, L, tasks);
  const std::uint32_t words = array_words(L, shape.rows), slot_bytes = 4 * (2 * G + 6) * words,
                      shift = (at.first_row + 1) * half & 1u;
  const PackView from = layout.view<3>(at.pass % 2 ? odd : even, couplings, at.pack, first_replica),
                 to = layout.view<3>(at.pass % 2 ? even : odd, couplings, at.pack, first_replica);
  const std::uint32_t threads = Known::L ? Known::threads : blockDim.x;
  const ArrayLoader<2 * G, CHUNK, Known::copies(2 * G, CHUNK)> spins(from.first_spin, from.spins_of_parity, sites, L,
                                                                     at.first_row, words, shift, threads);
  const ArrayLoader<6, CHUNK, Known::copies(6, CHUNK)> bonds(from.first_coupling, from.bonds_of_parity, sites, L,
                                                             at.first_row, words, shift, threads);
  const bool inside = Known::exact || threadIdx.x / half < at.rows;
  const std::uint32_t row = inside ? threadIdx.x / half : 1, x = threadIdx.x % half, y = at.first_row + row,
                      column = in_register(y * half + x), index = in_register((row + 1) * half + x + shift);
  const auto h = static_cast<int>(half);
  const auto side = [&](std::uint32_t of_shift) {
    return XNeighbours(of_shift, x == 0 ? h - 1 : -1, x == half - 1 ? 1 - h : 1, static_cast<int>(3 * words));
  };
  const auto stage = [&](std::uint32_t k) {
    return Stage<Decision>{
        HalfSweep(keys, layout.first_pack + at.pack, tasks.half_sweep + 4 * at.pass + k, first_replica), {}};
  };
  const std::size_t packets = std::size_t{at.number} * shape.blocks * 2 * RowBlockHalo<G>::of_side;
  TemporalZSweep<Decision> sweep{
      decide,
      {index, words, inside ? h : 0, side((y + 1) & 1u), side(y & 1u)},  // the first updated plane is odd
      L,
      plane,
      column,
      inside,
      to.spins(0) + column,
      to.spins(1) + column,
      sites,
      RowBlockHalo<G>(halo.packets + packets, halo.sequence, at.block, shape.blocks, x, half, inside && row == 0,
                      inside && row == at.rows - 1),
      {stage(0), stage(1), stage(2), stage(3)}};
  for (std::uint32_t k = 0; k < 4; ++k)  // numbers of the first plane of each half sweep
    sweep.stage[k].drawn = decide.draw(sweep.stage[k].numbers, sweep.plane_of(1 + k) * plane + column);
  sweep_planes<(Known::L > 0)>(sweep, shared + index, slot_bytes, [&](std::uint32_t m, std::uint32_t offset) {
    if (m < L + 2 * planes_beyond) {
      spins.start(sweep.plane_of(m) * plane, after_bytes(shared, offset));
      bonds.start(sweep.plane_of(m) * plane, after_bytes(shared, offset) + 2 * G * words);
    }
    commit_copies();
  });
}

}  // namespace psflip::cuda
