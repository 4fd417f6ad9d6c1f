#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/half_sweep_kernel.cuh"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"

// Launches of the kernels of any member of the family.
namespace psflip::cuda {

template <class T, class Decision>
void launch_half_sweep(const Decision& decide, const SlabJob& job) {
  const Domain<T::dimension> domain(Lattice<T::dimension>{job.layout.L}, job.planes);
  const std::size_t sites = std::size_t{job.segments.length} * domain.sites_in_plane() / 2;
  half_sweep_kernel<T><<<dim3(blocks_for(sites, 256), job.segments.count, job.packs), 256, 0, job.stream>>>(
      job.spins, job.couplings, job.fields, job.layout, domain, job.segments, KeySchedule(job.key), job.half_sweep,
      job.first_replica, decide);
  check(cudaGetLastError(), "half sweep");
}

/// Half sweeps of full lattices.
template <class T, class Decision>
void launch_half_sweeps(const Decision& decide, const PackJob& job) {
  const std::uint32_t L = job.layout.L;
  SlabJob one{
      job.spins.data(), job.couplings, job.fields,           job.layout,        {0, L}, PlaneSegments::all(L, L),
      job.packs,        job.key,       job.first_half_sweep, job.first_replica, nullptr};
  for (; one.half_sweep != job.first_half_sweep + job.half_sweeps; ++one.half_sweep) launch_half_sweep<T>(decide, one);
}

}  // namespace psflip::cuda
