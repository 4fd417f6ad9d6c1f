#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/site_slab_sums.cuh"

namespace psflip::cuda {

void start_site_sums(const std::uint32_t* spins, const SiteLayout& layout, std::uint32_t samples,
                     const SiteTables& tables, SiteSums* out) {
  const bool is_full = layout.ghosts == 0;
  const std::uint32_t word_columns = layout.word_columns(layout.own);
  const unsigned whole_warps = blocks_for(word_columns, 32) * 32,
                 threads = whole_warps < counting_threads ? whole_warps : counting_threads,
                 blocks = blocks_for(word_columns, threads);
  check(cudaMemsetAsync(out, 0, samples * sizeof(SiteSums)), "measurement");
  const auto kernel = is_full ? site_sums_kernel : slab_sums_kernel;
  kernel<<<blocks * samples, threads>>>(spins, layout, tables, blocks, out);
  check(cudaGetLastError(), "measurement");
}

}  // namespace psflip::cuda
