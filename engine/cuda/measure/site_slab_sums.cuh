#pragma once
#include "engine/cuda/measure/site_sums.cuh"
#include "engine/cuda/update/slab_rows.hpp"

/// Sums of the rows of one rank of square lattices with packed sites.
namespace psflip::cuda {

/// count_word_column for `count` rows from stored row `first` on: any number of rows, followed by a ghost row.
__device__ __forceinline__ void count_slab_word_column(const std::uint32_t* lattice, const SiteLayout& layout,
                                                       std::uint32_t word, std::uint32_t first, std::uint32_t count,
                                                       const SiteTables& tables, SiteSums& sums) {
  const SlabRows rows = SlabRows::own(layout);
  const std::uint32_t W = rows.words, adjacent = word + 1 == W ? 0 : word + 1, end = first + count;
  WordColumnCounts columns;
  for (; first < end; first += 8) {
    std::uint32_t even[9] = {}, odd[9] = {};
#pragma unroll
    for (std::uint32_t k = 0; k < 9; ++k) {
      if (first + k > end) continue;
      const std::uint32_t y = rows.y(first + k) % layout.L;
      const std::uint32_t* even_row = lattice + (y & 1u) * layout.words() + (first + k) * W;
      even[k] = even_row[word];
      odd[k] = lattice[(1 - (y & 1u)) * layout.words() + (first + k) * W + word];
      if (k > 0) sums.unsatisfied += __popc(even[k] ^ even[k - 1]) + __popc(odd[k] ^ odd[k - 1]);
      if (first + k == end) even[k] = odd[k] = 0;  // not to be counted
      if (k == 8 || first + k == end) continue;
      add_row(even[k], odd[k], even_row[adjacent], tables.row[y], sums);
    }
    columns.add(even, odd);
  }
  columns.reduce(tables, W, word, sums);
}

/// site_sums_kernel for the rows of a slab. A thread's word column has layout.rows rows.
static __global__ void __launch_bounds__(counting_threads)
    slab_sums_kernel(const std::uint32_t* spins, SiteLayout layout, SiteTables tables, std::uint32_t blocks_of_lattice,
                     SiteSums* out) {
  const SlabRows rows = SlabRows::own(layout);
  const auto [sample, number] = ThreadOfLattice(blocks_of_lattice);
  const std::uint32_t row_group = number / rows.words, before = row_group * layout.rows;
  SiteSums sums{};
  if (before < rows.count)
    count_slab_word_column(layout.lattice(spins, sample), layout, number - row_group * rows.words, rows.begin + before,
                           min(layout.rows, rows.count - before), tables, sums);
  add_sums(sums, out + sample);
}

}  // namespace psflip::cuda
