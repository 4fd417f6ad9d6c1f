#pragma once
#include "engine/cuda/march.cuh"
#include "engine/cuda/pack_view.cuh"

/// Whole sweeps of cubic lattices that no shared memory holds: both parities in one pass over the planes, so that every
/// word is read and written once a sweep. A block owns a strip of rows of a pack and marches along z; planes arrive in
/// a ring of slots in shared memory while earlier ones are worked on. Parity 0 of plane t is updated one step before
/// parity 1 of plane t - 1. Blocks do not talk: each updates parity 0 of the two rows beside its strip and of the two
/// planes beyond the lattice again for itself, and results go to another array, so that neighbours still find the old
/// words.
namespace psflip::cuda {

struct StripShape {
  std::uint32_t rows;    ///< of a strip
  std::uint32_t strips;  ///< of a lattice; the last one begins earlier, so that it has as many rows
};

inline constexpr std::uint32_t streaming_threads = 640;  ///< at most, of a block
inline constexpr int spare_rows = 4;  ///< rows that a slot holds beyond those of the strip, two on each side

template <int G>
constexpr std::size_t slot_words(std::uint32_t L, std::uint32_t rows) {
  return std::size_t{2 * G + 6} * (rows + spare_rows) * (L / 2);
}

/// Lattice, strip and number of slots, L = 0 when only the launch knows L and the strip.
template <int L_, int ROWS, int SLOTS>
struct KnownStrip {
  static constexpr std::uint32_t L = L_, rows = ROWS;
  static constexpr int slots = SLOTS;
};

/// Copies of CHUNK words that a thread contributes to every slot, at most MOST of them.
template <int G, int CHUNK, int MOST>
struct StripLoader {
  const std::uint32_t* source[MOST];  ///< in plane 0
  std::uint32_t plane, chunks;

  /// Slot order: spins[parity][replica][row][x], then couplings[parity][direction][row][x].
  __device__ __forceinline__ StripLoader(const PackView& v, std::uint32_t L, std::uint32_t first_row,
                                         std::uint32_t slot_rows)
      : plane(L * L / 2) {
    const std::uint32_t half = L / 2, array_words = slot_rows * half;
    chunks = (2 * G + 6) * array_words / CHUNK;
#pragma unroll
    for (int k = 0; k < MOST; ++k) {
      const std::uint32_t id = min(threadIdx.x + k * blockDim.x, chunks - 1), array = id * CHUNK / array_words,
                          word = id * CHUNK % array_words, bonds = array - 2 * G;
      const std::uint32_t y = (first_row + L - 2 + word / half) % L;
      const std::uint32_t* base = array < 2 * G ? v.spins(array / G) + std::size_t{array % G} * v.sites
                                                : v.couplings(bonds / 3) + std::size_t{bonds % 3} * v.sites;
      source[k] = base + y * half + word % half;
    }
  }

  /// Starts the copies of plane z into `slot`; one group of asynchronous copies.
  __device__ __forceinline__ void start(std::uint32_t z, std::uint32_t* slot) const {
    const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(slot));
#pragma unroll
    for (int k = 0; k < MOST; ++k) {
      const std::uint32_t id = threadIdx.x + k * blockDim.x;
      if (id >= chunks) break;
      const std::uint32_t* from = source[k] + z * plane;
      if constexpr (CHUNK == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + id * 16), "l"(from) : "memory");
      else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to + id * 4), "l"(from) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
};

/// What one thread keeps of its column (x, y) between steps.
template <int G>
struct StripColumn {
  std::uint32_t place;  ///< of the column in an array of a slot
  std::uint32_t words;  ///< of an array of a slot
  int up, side[2];      ///< steps to the neighbour row and, for shift 0 and 1, to the side

  /// The six bonds of a site of one parity: `near` holds the spins of the other parity in its plane, my_J and other_J
  /// the couplings of both parities there; all at the column's place. before, here, after are the other parity's words
  /// of this column at z - 1, z, z + 1.
  __device__ __forceinline__ void bonds(const std::uint32_t* near, const std::uint32_t* my_J,
                                        const std::uint32_t* other_J, std::uint32_t J_before, std::uint32_t shift,
                                        const std::uint32_t (&spin)[G], const std::uint32_t (&before)[G],
                                        const std::uint32_t (&here)[G], const std::uint32_t (&after)[G],
                                        std::uint32_t (&bond)[G][6]) const {
    const int beside = shift ? side[1] : side[0];
    const std::uint32_t J_here = shift ? other_J[0] : my_J[0], J_side = shift ? my_J[0] : other_J[beside];
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
};

/// One sweep, half sweeps `half_sweep` (even) and the next, from `in` to `out`. Grid (packs x strips), (L / 2) (rows +
/// 2) threads. Decision: SharedDecision.
template <class Known, int CHUNK, class Decision>
__global__ void __launch_bounds__(streaming_threads)
    streaming_kernel(std::uint32_t* out, std::uint32_t* in, const std::uint32_t* couplings, Layout layout,
                     const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                     StripShape given, const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group, SLOTS = Known::slots;
  extern __shared__ __align__(16) std::uint32_t shared[];
  const std::uint32_t L = Known::L ? Known::L : layout.L, half = L / 2, plane = L * half,
                      rows = Known::L ? Known::rows : given.rows, words = (rows + spare_rows) * half,
                      slot = (2 * G + 6) * words;
  const std::uint32_t pack = blockIdx.x / given.strips, first_row = min(blockIdx.x % given.strips * rows, L - rows);
  PackView from = layout.view<3>(in, couplings, pack, first_replica),
           to = layout.view<3>(out, couplings, pack, first_replica);
  if (Known::L) from.sites = to.sites = plane * L;
  const StripLoader<G, CHUNK, ((2 * G + 6) * 3 / 2 + CHUNK - 1) / CHUNK> loader(from, L, first_row, rows + spare_rows);
  const std::uint32_t row = threadIdx.x / half + 1, x = threadIdx.x % half, y = (first_row + L - 2 + row) % L;
  const bool inside = row >= 2 && row < rows + 2;
  const StripColumn<G> c{row * half + x,
                         words,
                         static_cast<int>(half),
                         {x == 0 ? static_cast<int>(half) - 1 : -1, x == half - 1 ? 1 - static_cast<int>(half) : 1}};
  const auto plane_of = [&](std::uint32_t m) { return m < 2 ? L - 2 + m : m - 2 < L ? m - 2 : m - 2 - L; };
  for (std::uint32_t m = 0; m + 1 < SLOTS; ++m) loader.start(plane_of(m), shared + m * slot);
  const HalfSweep even(keys, layout.first_pack + pack, half_sweep, first_replica),
      odd(keys, layout.first_pack + pack, half_sweep + 1, first_replica);
  const std::uint32_t column = y * half + x;
  // words of parity 1 at t - 1, t and of parity 0, updated, at t - 2, t - 1
  std::uint32_t odd_before[G], odd_here[G], even_before[G], even_here[G], J_before = 0;
  auto even_drawn = decide.draw(even, (L - 1) * plane + column), odd_drawn = even_drawn;
  std::uint32_t a = 0, b = slot, n_slot = 2 * slot, free_slot = (SLOTS - 1) * slot;
  for (std::uint32_t n = 0; n < L + 2; ++n) {  // plane t = n - 1 is slot n + 1
    asm volatile("cp.async.wait_group %0;" ::"n"(SLOTS - 4) : "memory");
    __syncthreads();
    if (n + SLOTS - 1 < L + 4)
      loader.start(plane_of(n + SLOTS - 1), shared + free_slot);
    else
      asm volatile("cp.async.commit_group;" ::: "memory");
    std::uint32_t *A = shared + a + c.place, *B = shared + b + c.place, *C = shared + n_slot + c.place;
    if (n == 0) {
#pragma unroll
      for (int r = 0; r < G; ++r) {
        odd_before[r] = A[(G + r) * words];
        odd_here[r] = B[(G + r) * words];
      }
    }
    const std::uint32_t t = plane_of(n + 1), shift = (y + t) & 1u;
    std::uint32_t spin[G], odd_after[G], bond[G][6];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      spin[r] = B[r * words];
      odd_after[r] = C[(G + r) * words];
    }
    const std::uint32_t *J0 = B + 2 * G * words, *J1 = J0 + 3 * words;
    c.bonds(B + G * words, J0, J1, A[(2 * G + 5) * words], shift, spin, odd_before, odd_here, odd_after, bond);
    decide(even, t * plane + column, even_drawn, spin, bond);
    even_drawn = decide.draw(even, plane_of(n + 2) * plane + column);
#pragma unroll
    for (int r = 0; r < G; ++r) B[r * words] = spin[r];
    if (inside && n >= 1 && n <= L) {
#pragma unroll
      for (int r = 0; r < G; ++r) to.spins(0)[r * to.sites + t * plane + column] = spin[r];
    }
    if (inside && n >= 2) {
      const std::uint32_t site = (n - 2) * plane + column;
      const std::uint32_t *K0 = A + 2 * G * words, *K1 = K0 + 3 * words;
      c.bonds(A, K1, K0, J_before, shift, odd_before, even_before, even_here, spin, bond);
      decide(odd, site, odd_drawn, odd_before, bond);
#pragma unroll
      for (int r = 0; r < G; ++r) to.spins(1)[r * to.sites + site] = odd_before[r];
    }
    odd_drawn = decide.draw(odd, plane_of(n + 1) * plane + column);
    J_before = A[(2 * G + 2) * words];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      odd_before[r] = odd_here[r];
      odd_here[r] = odd_after[r];
      even_before[r] = even_here[r];
      even_here[r] = spin[r];
    }
    free_slot = a;
    a = b;
    b = n_slot;
    n_slot = n_slot + slot == SLOTS * slot ? 0 : n_slot + slot;
  }
}

}  // namespace psflip::cuda
