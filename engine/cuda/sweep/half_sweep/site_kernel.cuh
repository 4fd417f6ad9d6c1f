#pragma once
#include "engine/cuda/update/site_update.cuh"
#include "engine/cuda/update/thread_of_lattice.cuh"

/// A half sweep of square lattices with packed sites in global memory: spins[sample][parity][y][word].
namespace psflip::cuda {

/// One half sweep of lattices that stay in global memory. Grid (samples x blocks of a lattice).
template <int PARITY, class Decision>
__global__ void __launch_bounds__(site_threads, 1024 / site_threads)
    half_sweep_sites_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                            std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  extern __shared__ std::uint32_t shared[];
  __shared__ std::uint32_t size;
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared), &size};
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  const auto [sample, number] = ThreadOfLattice(blocks_of_lattice);
  std::uint32_t* lattice = layout.lattice(spins, sample);
  std::uint32_t* mine = lattice + PARITY * layout.words();
  const std::uint32_t* other = lattice + (1 - PARITY) * layout.words();
  const SiteSweep s{half_sweep, layout.first_sample + sample};
  if (number < layout.word_columns())
    sweep_word_column<PARITY>(mine, other, layout.L, layout.word_column(number), s, decide, queue);
  __syncthreads();
  resolve(queue, mine, layout.words_in_row(), s, decide);
}

}  // namespace psflip::cuda
