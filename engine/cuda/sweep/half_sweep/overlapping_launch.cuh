#pragma once
#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/overlapping_kernel.cuh"

// Launches of half sweeps that overlap.
namespace psflip::cuda {

/// Launches all half sweeps of the job, those of one pack after those of the other.
template <int L, class Decision>
void launch_overlapping(const Decision& decide, const PackJob& job) {
  using Tile = ColumnTile<L>;
  const std::size_t words = std::size_t{2} * job.layout.sites, bytes = sizeof(std::uint32_t) * words;
  if (job.progress.size() < Tile::tiles) job.progress = DeviceArray<std::uint32_t>(Tile::tiles);
  job.progress.clear();
  job.cache.reserve(Decision::group * bytes);
  const KeySchedule keys(job.key);
  TileProgress progress{job.progress.data(), 0, true};
  for (std::uint32_t pack = 0; pack < job.packs; ++pack) {
    const PackView view = job.layout.view<3>(job.spins.data(), job.couplings, pack, 0);
    const cudaAccessPolicyWindow window =
        job.cache.window(view.first_spin, job.layout.replicas * bytes, Decision::group * bytes);
    Layout layout = job.layout;
    layout.first_pack += pack;
    for (std::uint32_t k = 0; k < job.half_sweeps; ++k) {
      launch_early_in_window("half sweep", overlapping_kernel<L, Decision>, dim3(Tile::groups, Tile::segments),
                             z_sweep_threads, overlapping_bytes<Decision>, nullptr, After::anything, window,
                             view.first_spin, view.first_coupling, layout, keys, job.first_half_sweep + k,
                             job.first_replica, progress, decide);
      ++progress.before;
      progress.is_first = false;
    }
  }
}

}  // namespace psflip::cuda
