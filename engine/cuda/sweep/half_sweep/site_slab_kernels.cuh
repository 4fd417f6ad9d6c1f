#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/measure/site_sums.cuh"

/// Half sweeps and sums of some rows of square lattices with packed sites. Memory is spins[sample][parity][row][word],
/// the first and the last of the rows are ghosts.
namespace psflip::cuda {

/// What a SiteLayout with ghosts says of the rows between them; `stored` rows are counted with the ghost as 0.
struct SlabRows {
  std::uint32_t L, words, first, count;  ///< words of a row; y of the first row

  __host__ __device__ explicit SlabRows(const SiteLayout& layout)
      : L(layout.L), words(layout.words_in_row()), first((layout.first + 1) % layout.L), count(layout.stored - 2) {}

  __host__ __device__ std::uint32_t y(std::uint32_t stored) const { return first + stored - 1; }

  /// Rows that are updated one by one: the first, the last, and one more where pairs of rows would leave one over.
  __host__ __device__ std::uint32_t singles() const { return count <= 2 ? count : 2 + count % 2; }
  __device__ std::uint32_t single(std::uint32_t k) const { return k == 0 ? 1 : k == 1 ? count : count - 1; }

  /// Rows in pairs, from the second on.
  __host__ __device__ std::uint32_t paired() const { return count <= 2 ? 0 : (count - 2) / 2 * 2; }

  /// Memory of one parity as if all rows were stored, so that a word has the place in it that numbers are addressed by.
  template <class Word>
  __device__ Word* as_whole(Word* parity) const {
    return parity + (std::ptrdiff_t{1} - static_cast<std::ptrdiff_t>(first)) * static_cast<std::ptrdiff_t>(words);
  }
};

/// One half sweep of the rows that are updated one by one. Grid (samples x blocks of a lattice), one thread per word.
template <class Decision>
__global__ void __launch_bounds__(128)
    single_rows_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                       std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  const SlabRows rows(layout);
  const std::uint32_t sample = blockIdx.x / blocks_of_lattice, parity = half_sweep & 1u,
                      number = (blockIdx.x - sample * blocks_of_lattice) * blockDim.x + threadIdx.x,
                      k = number / rows.words;
  if (k >= rows.singles()) return;
  const std::uint32_t word = number - k * rows.words, y = rows.y(rows.single(k)), place = y * rows.words + word;
  std::uint32_t* lattice = layout.lattice(spins, sample);
  std::uint32_t* mine = rows.as_whole(lattice + parity * layout.words());
  const std::uint32_t* row = rows.as_whole(lattice + (1 - parity) * layout.words()) + y * rows.words;
  const int W = static_cast<int>(rows.words), w = static_cast<int>(word);
  const bool shift = ((y + parity) & 1u) != 0;
  const std::uint32_t beside = row[shift ? (w + 1 == W ? 0 : w + 1) : (w == 0 ? W - 1 : w - 1)];
  std::uint32_t spin[1] = {mine[place]}, equal[1], ones[1];
  const std::uint32_t bond[1][4] = {
      {spin[0] ^ row[w - W], spin[0] ^ row[w + W], spin[0] ^ row[w], spin[0] ^ to_the_side(row[w], beside, shift)}};
  const SiteSweep s{half_sweep, layout.first_sample + sample};
  decide(decide.template draw<1>(s, {place}), bond, spin, equal, ones);
  mine[place] = spin[0];
  Undecided u{place, {equal[0], 0}, {ones[0], 0}};
  bool left = equal[0] != 0;
  while (left) left = decide_lowest(u, mine, rows.words, s, decide);
}

/// One half sweep of the rows in pairs; layout.rows of them are a thread's strip, the last strip may have fewer. SHIFT
/// is that of the first of them. Grid (samples x blocks of a lattice).
template <int SHIFT, class Decision>
__global__ void __launch_bounds__(streaming_block, 1024 / streaming_block)
    paired_rows_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                       std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  __shared__ std::uint32_t size;
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared_memory()), &size};
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  const SlabRows rows(layout);
  const std::uint32_t sample = blockIdx.x / blocks_of_lattice, block = blockIdx.x - sample * blocks_of_lattice,
                      parity = half_sweep & 1u, number = block * streaming_block + threadIdx.x,
                      band = number / rows.words, before = band * layout.rows;
  std::uint32_t* lattice = layout.lattice(spins, sample);
  std::uint32_t* mine = rows.as_whole(lattice + parity * layout.words());
  const std::uint32_t* other = rows.as_whole(lattice + (1 - parity) * layout.words());
  const SiteSweep s{half_sweep, layout.first_sample + sample};
  if (before < rows.paired()) {
    const Strip strip{number - band * rows.words, rows.y(2 + before), min(layout.rows, rows.paired() - before), false};
    march<SHIFT>(mine, other, layout.L, strip, s, decide, queue);
  }
  __syncthreads();
  resolve(queue, mine, rows.words, s, decide);
}

/// count_strip for `count` rows from stored row `first` on: any number of them, with a ghost behind the last.
__device__ __forceinline__ void count_slab_strip(const std::uint32_t* lattice, const SiteLayout& layout,
                                                 std::uint32_t word, std::uint32_t first, std::uint32_t count,
                                                 const SiteTables& tables, SiteSums& sums) {
  const SlabRows rows(layout);
  const std::uint32_t W = rows.words, beside = word + 1 == W ? 0 : word + 1, end = first + count;
  ColumnCounts columns[2];
  for (; first < end; first += 8) {
    std::uint32_t even[9] = {}, odd[9] = {};
#pragma unroll
    for (std::uint32_t k = 0; k < 9; ++k) {
      if (first + k > end) continue;
      const std::uint32_t y = rows.y(first + k);
      const std::uint32_t* even_row = lattice + (y & 1u) * layout.words() + (first + k) * W;
      even[k] = even_row[word];
      odd[k] = lattice[(1 - (y & 1u)) * layout.words() + (first + k) * W + word];
      if (k > 0) sums.unsatisfied += __popc(even[k] ^ even[k - 1]) + __popc(odd[k] ^ odd[k - 1]);
      if (first + k == end) even[k] = odd[k] = 0;  // not to be counted
      if (k == 8 || first + k == end) continue;
      sums.unsatisfied += __popc(even[k] ^ odd[k]) + __popc(odd[k] ^ __funnelshift_r(even[k], even_row[beside], 1));
      const int minus = __popc(even[k]) + __popc(odd[k]);
      const int2 factor = tables.row[y];
      sums.minus += minus;
      sums.re[1] += static_cast<long long>(minus) * factor.x;
      sums.im[1] += static_cast<long long>(minus) * factor.y;
    }
    columns[0].add(even);
    columns[1].add(odd);
  }
#pragma unroll
  for (std::uint32_t s = 0; s < 2; ++s) columns[s].fold(tables.column + s * W + word, W, sums);
}

/// site_sums_kernel for the rows of a slab, layout.rows of which are a thread's strip.
static __global__ void __launch_bounds__(counting_block)
    slab_sums_kernel(const std::uint32_t* spins, SiteLayout layout, SiteTables tables, std::uint32_t blocks_of_lattice,
                     SiteSums* out) {
  const SlabRows rows(layout);
  const std::uint32_t sample = blockIdx.x / blocks_of_lattice, block = blockIdx.x - sample * blocks_of_lattice,
                      number = block * blockDim.x + threadIdx.x, band = number / rows.words,
                      before = band * layout.rows;
  SiteSums sums{};
  if (before < rows.count)
    count_slab_strip(layout.lattice(spins, sample), layout, number - band * rows.words, 1 + before,
                     min(layout.rows, rows.count - before), tables, sums);
  add_sums(sums, out + sample);
}

}  // namespace psflip::cuda
