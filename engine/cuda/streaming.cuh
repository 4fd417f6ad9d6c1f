#pragma once
#include "engine/cuda/march.cuh"
#include "engine/cuda/pack_view.cuh"
#include "engine/cuda/strip_shape.hpp"

/// Whole sweeps of cubic lattices that no shared memory holds: both parities in one pass over the planes, so that every
/// word is read and written once a sweep. A block owns a strip of rows of a pack and marches along z; planes arrive in
/// a ring of slots in shared memory while earlier ones are worked on. Parity 0 of plane t is updated one step before
/// parity 1 of plane t - 1. Blocks do not talk: each updates parity 0 of the two rows beside its strip and of the two
/// planes beyond the lattice again for itself, and results go to another array, so that neighbours still find the old
/// words.
namespace psflip::cuda {

/// A lattice and its strip when the compiler knows them; L = 0 when only the launch does.
template <int L_, int G>
struct KnownStrip {
  static constexpr std::uint32_t L = L_, rows = choose_strip(L ? L : 64, 227 * 1024).rows;
  static constexpr std::uint32_t threads = L ? L / 2 * (rows + 2) : streaming_threads;
  static constexpr int chunk = L % 8 == 0 ? 4 : 2;  ///< words that are copied at once
  static constexpr bool one_more = chunk == 4 && (ring_slots + 1) * 4 * slot_words(L ? L : 256, rows, G) <= 227 * 1024;
  static constexpr int slots = one_more ? ring_slots + 1 : ring_slots;
};

/// Starts a copy of CHUNK words from global to shared memory.
template <int CHUNK>
__device__ __forceinline__ void copy_async(std::uint32_t to, const char* from) {
  if constexpr (CHUNK == 4)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
}

/// Asynchronous copies of CHUNK words from ARRAYS arrays, one behind the other in a slot, the rows of a strip each.
template <int ARRAYS, int CHUNK>
struct ArrayLoader {
  static constexpr int most = (ARRAYS * 3 / 2 + CHUNK - 1) / CHUNK;  ///< copies of a thread
  const std::uint32_t* base;                                         ///< of the pack
  std::uint32_t offset[most];                                        ///< in plane 0, bytes
  std::uint32_t chunks;

  /// `second` is the distance from the first half of the arrays, parity 0, to the second; `shift` the place of a
  /// strip's first word in an array of the slot, 0 or 1.
  __device__ __forceinline__ ArrayLoader(const std::uint32_t* first, std::uint32_t second, std::uint32_t sites,
                                         std::uint32_t L, std::uint32_t first_row, std::uint32_t words,
                                         std::uint32_t shift)
      : base(first), chunks(ARRAYS * words / CHUNK) {
    const std::uint32_t half = L / 2;
#pragma unroll
    for (int k = 0; k < most; ++k) {
      const std::uint32_t id = threadIdx.x + k * blockDim.x, array = id * CHUNK / words,
                          word = id * CHUNK % words + half - shift,  // counted from the row before the first
          y = (first_row + L - 3 + word / half) % L;
      const std::uint32_t of_parity = array < ARRAYS / 2 ? array * sites : second + (array - ARRAYS / 2) * sites;
      offset[k] = 4 * (of_parity + y * half + word % half);
    }
  }

  /// Starts the copies of a plane that begins `plane_offset` words behind plane 0.
  __device__ __forceinline__ void start(std::uint32_t plane_offset, std::uint32_t* to) const {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to)) + threadIdx.x * (4 * CHUNK);
    const char* from = reinterpret_cast<const char*>(base + plane_offset);  // the same for all threads
#pragma unroll
    for (int k = 0; k < most; ++k) {
      if (threadIdx.x + k * blockDim.x < chunks)
        copy_async<CHUNK>(address + k * blockDim.x * (4 * CHUNK), from + offset[k]);
    }
  }
};

/// Where the sites of a column find what lies beside them along x, in planes of one shift: the step to the neighbour
/// that is not at the same place, and for the sites of parity 0 and 1 the places of the bonds to the neighbour at the
/// same place and to the other, counted from the couplings of a plane. A march keeps two of these and swaps them.
struct StripSide {
  int beside, here[2], other[2];

  __device__ __forceinline__ StripSide(std::uint32_t shift, int left, int right, int bonds_of_parity)
      : beside(shift ? right : left) {
    here[0] = shift ? bonds_of_parity : 0;
    here[1] = shift ? 0 : bonds_of_parity;
    other[0] = shift ? 0 : bonds_of_parity + beside;
    other[1] = shift ? bonds_of_parity : beside;
  }
};

/// What one thread keeps of its column (x, y) between steps.
template <int G>
struct StripColumn {
  std::uint32_t place;  ///< of the column in an array of a slot
  std::uint32_t words;  ///< of an array of a slot
  int up;               ///< step to the neighbour row
  StripSide now, then;  ///< in the plane that is updated and in the next

  /// The six bonds of a site of one parity: `near` holds the spins of the other parity in its plane, J the couplings of
  /// the plane; both at the column's place. before, here, after are the other parity's words of this column at z - 1,
  /// z, z + 1.
  __device__ __forceinline__ void bonds(int parity, const std::uint32_t* near, const std::uint32_t* J,
                                        std::uint32_t J_before, const std::uint32_t (&spin)[G],
                                        const std::uint32_t (&before)[G], const std::uint32_t (&here)[G],
                                        const std::uint32_t (&after)[G], std::uint32_t (&bond)[G][6]) const {
    const std::uint32_t *my_J = J + 3 * parity * words, *other_J = J + 3 * (1 - parity) * words;
    const int beside = now.beside;
    const std::uint32_t J_here = J[now.here[parity]], J_side = J[now.other[parity]];
    const std::uint32_t J_up = my_J[words], J_down = other_J[static_cast<int>(words) - up], J_after = my_J[2 * words];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* n = near + r * words;
      bond[r][0] = xor3(spin[r], J_here, here[r]);
      bond[r][1] = xor3(spin[r], J_side, n[beside]);
      bond[r][2] = xor3(spin[r], J_up, n[up]);
      bond[r][3] = xor3(spin[r], J_down, n[-up]);
      bond[r][4] = xor3(spin[r], J_after, after[r]);
      bond[r][5] = xor3(spin[r], J_before, before[r]);
    }
  }
  __device__ __forceinline__ void swap_sides() {
    const StripSide again = now;
    now = then;
    then = again;
  }
};

/// What one thread does for its column in the march of its block. Slot order of a plane:
/// spins[parity][replica][row][x], couplings[parity][direction][row][x].
template <class Decision>
struct StripMarch {
  static constexpr int G = Decision::group;
  const Decision& decide;
  StripColumn<G> c;
  std::uint32_t L, plane, column;  ///< column: y L / 2 + x
  bool inside;                     ///< a row of the strip, not one beside it
  HalfSweep even, odd;
  std::uint32_t *out_even, *out_odd, sites;
  typename Decision::Drawn even_drawn, odd_drawn;
  // words of parity 1 at t - 1, t and of parity 0, updated, at t - 2, t - 1; the z couplings of parity 0 at t - 2
  std::uint32_t odd_before[G], odd_here[G], even_before[G], even_here[G], J_before;

  /// z of the plane that arrives as the m-th; the first two are the last of the lattice.
  __device__ __forceinline__ std::uint32_t plane_of(std::uint32_t m) const {
    return m < 2 ? L - 2 + m : m - 2 < L ? m - 2 : m - 2 - L;
  }

  /// Step n: parity 0 of plane t = n - 1, then parity 1 of plane t - 1. A, B, C: this column in planes t - 1, t, t + 1.
  __device__ __forceinline__ void step(std::uint32_t n, std::uint32_t* A, std::uint32_t* B, const std::uint32_t* C) {
    const std::uint32_t words = c.words, t = plane_of(n + 1);
    std::uint32_t spin[G], odd_after[G], bond[G][6];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      spin[r] = B[r * words];
      odd_after[r] = C[(G + r) * words];
    }
    c.bonds(0, B + G * words, B + 2 * G * words, A[(2 * G + 5) * words], spin, odd_before, odd_here, odd_after, bond);
    decide(even, t * plane + column, even_drawn, spin, bond);
    even_drawn = decide.draw(even, plane_of(n + 2) * plane + column);
#pragma unroll
    for (int r = 0; r < G; ++r) B[r * words] = spin[r];
    if (inside && n >= 1 && n <= L) {
#pragma unroll
      for (int r = 0; r < G; ++r) out_even[r * sites] = spin[r];
      out_even += plane;
    }
    if (inside && n >= 2) {
      c.bonds(1, A, A + 2 * G * words, J_before, odd_before, even_before, even_here, spin, bond);
      decide(odd, (n - 2) * plane + column, odd_drawn, odd_before, bond);
#pragma unroll
      for (int r = 0; r < G; ++r) out_odd[r * sites] = odd_before[r];
      out_odd += plane;
    }
    odd_drawn = decide.draw(odd, t * plane + column);
    J_before = A[(2 * G + 2) * words];
    c.swap_sides();
#pragma unroll
    for (int r = 0; r < G; ++r) {
      odd_before[r] = odd_here[r];
      odd_here[r] = odd_after[r];
      even_before[r] = even_here[r];
      even_here[r] = spin[r];
    }
  }
};

/// One sweep, half sweeps `half_sweep` (even) and the next, from `in` to `out`. Grid (packs x strips), (L / 2) (rows +
/// 2) threads. Decision: SharedDecision.
template <class Known, int CHUNK, class Decision>
__global__ void __launch_bounds__(Known::threads)
    streaming_kernel(std::uint32_t* out, std::uint32_t* in, const std::uint32_t* couplings, Layout layout,
                     const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                     StripShape given, const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group, SLOTS = Known::slots, UNROLL = Known::L ? SLOTS : 1;
  extern __shared__ __align__(16) std::uint32_t shared[];
  const std::uint32_t L = Known::L ? Known::L : layout.L, half = L / 2, plane = L * half, sites = L * plane;
  const std::uint32_t rows = Known::L ? Known::rows : given.rows, words = array_words(L, rows),
                      slot = (2 * G + 6) * words;
  const std::uint32_t pack = blockIdx.x / given.strips, first_row = min(blockIdx.x % given.strips * rows, L - rows);
  const std::uint32_t shift = first_row * half & 1u;
  const PackView from = layout.view<3>(in, couplings, pack, first_replica),
                 to = layout.view<3>(out, couplings, pack, first_replica);
  const ArrayLoader<2 * G, CHUNK> spins(from.first_spin, from.spins_of_parity, sites, L, first_row, words, shift);
  const ArrayLoader<6, CHUNK> bonds(from.first_coupling, from.bonds_of_parity, sites, L, first_row, words, shift);
  const std::uint32_t row = threadIdx.x / half + 1, x = threadIdx.x % half, y = (first_row + L - 2 + row) % L,
                      column = y * half + x, place = row * half + x + shift;
  const auto h = static_cast<int>(half);
  const auto side = [&](std::uint32_t of_shift) {
    return StripSide(of_shift, x == 0 ? h - 1 : -1, x == half - 1 ? 1 - h : 1, static_cast<int>(3 * words));
  };
  StripMarch<Decision> march{decide,
                             {place, words, h, side((y + 1) & 1u), side(y & 1u)},  // plane L - 1, then plane 0
                             L,
                             plane,
                             column,
                             row >= 2 && row < rows + 2,
                             HalfSweep(keys, layout.first_pack + pack, half_sweep, first_replica),
                             HalfSweep(keys, layout.first_pack + pack, half_sweep + 1, first_replica),
                             to.spins(0) + column,
                             to.spins(1) + column,
                             sites};
  const auto start = [&](std::uint32_t m, std::uint32_t to_slot) {
    if (m < L + 4) {
      spins.start(march.plane_of(m) * plane, shared + to_slot * slot);
      bonds.start(march.plane_of(m) * plane, shared + to_slot * slot + 2 * G * words);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (std::uint32_t m = 0; m + 1 < SLOTS; ++m) start(m, m);
  march.even_drawn = march.odd_drawn = decide.draw(march.even, (L - 1) * plane + column);
  for (std::uint32_t first = 0; first < L + 2; first += SLOTS) {
#pragma unroll(UNROLL)
    for (std::uint32_t k = 0; k < SLOTS; ++k) {  // step n finds plane m in slot m mod SLOTS
      const std::uint32_t n = first + k;
      if (n >= L + 2) break;
      asm volatile("cp.async.wait_group %0;" ::"n"(SLOTS - 4) : "memory");
      __syncthreads();  // plane n + 2 is there, and all threads have left plane n - 1
      start(n + SLOTS - 1, (k + SLOTS - 1) % SLOTS);
      std::uint32_t *A = shared + k * slot + place, *B = shared + (k + 1) % SLOTS * slot + place;
      if (n == 0) {
#pragma unroll
        for (int r = 0; r < G; ++r) {
          march.odd_before[r] = A[(G + r) * words];
          march.odd_here[r] = B[(G + r) * words];
        }
      }
      march.step(n, A, B, shared + (k + 2) % SLOTS * slot + place);
    }
  }
}

}  // namespace psflip::cuda
