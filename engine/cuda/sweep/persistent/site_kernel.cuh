#pragma once
#include "engine/cuda/update/site_update.cuh"

/// Many half sweeps of square lattices with packed sites in shared memory: spins[sample][parity][y][word].
namespace psflip::cuda {

/// Maximum number of threads of a block that holds a lattice.
constexpr std::uint32_t persistent_site_threads = 512;

/// Shared memory of a block that holds a lattice: both parities, then the queue.
constexpr std::size_t persistent_site_bytes(std::size_t words_of_parity) {
  return words_of_parity * 2 * sizeof(std::uint32_t) + words_of_parity / 2 * sizeof(Undecided);
}

/// Many half sweeps, each lattice in the shared memory of one thread block. Grid (samples), one thread per word column.
template <class Decision>
__global__ void __launch_bounds__(persistent_site_threads, 1024 / persistent_site_threads)
    persistent_sites_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t first_half_sweep,
                            std::uint32_t half_sweeps, const __grid_constant__ Decision decide) {
  extern __shared__ uint4 shared_quads[];
  __shared__ std::uint32_t sizes[2];  // of the queue, double buffered: one is cleared while the other is in use
  auto* shared = reinterpret_cast<std::uint32_t*>(shared_quads);
  const std::uint32_t words = layout.words(), quads = words / 2;
  auto* global = reinterpret_cast<uint4*>(layout.lattice(spins, blockIdx.x));
  for (std::uint32_t i = threadIdx.x; i < quads; i += blockDim.x) shared_quads[i] = global[i];
  if (threadIdx.x < 2) sizes[threadIdx.x] = 0;
  __syncthreads();
  const bool works = threadIdx.x < layout.word_columns();
  const WordColumn word_column = layout.word_column(threadIdx.x);
  SiteSweep s{first_half_sweep, layout.first_sample + blockIdx.x};
  for (std::uint32_t k = 0; k < half_sweeps; ++k, ++s.half_sweep) {
    const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared + 2 * words), sizes + (k & 1u)};
    const std::uint32_t parity = s.half_sweep & 1u;
    if (works) {
      if (parity == 0)
        sweep_word_column<0>(shared, shared + words, layout.L, word_column, s, decide, queue);
      else
        sweep_word_column<1>(shared + words, shared, layout.L, word_column, s, decide, queue);
    }
    __syncthreads();
    if (threadIdx.x == 0) sizes[1 - (k & 1u)] = 0;
    resolve(queue, shared + parity * words, layout.words_in_row(), s, decide);
    __syncthreads();
  }
  for (std::uint32_t i = threadIdx.x; i < quads; i += blockDim.x) global[i] = shared_quads[i];
}

}  // namespace psflip::cuda
