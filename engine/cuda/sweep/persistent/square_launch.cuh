#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/square_kernel.cuh"

namespace psflip::cuda {

/// Whether advance_square() updates the model by this decision.
template <class T, class Decision>
inline constexpr bool has_square_kernel =
    T::dimension == 2 && !T::has_disorder && Decision::group == 1 && !decides_in_field<T, Decision>;

/// Updates square lattices of one replica in shared memory; returns false if they do not fit.
template <class T, class Decision>
bool advance_square(const Decision& decide, const PackJob& job) {
  const std::size_t bytes = 4 * SharedPack<2, Decision::group, false>::words(job.layout.sites);
  if (job.layout.replicas != 1 || bytes > most_shared_bytes()) return false;
  const auto kernel = with_shared_memory(persistent_square_kernel<T, Decision>, bytes);
  const std::uint32_t whole_warps = (job.layout.sites + 31) / 32 * 32, threads = whole_warps < 512 ? whole_warps : 512;
  kernel<<<job.packs, threads, bytes>>>(job.spins.data(), job.layout, KeySchedule(job.key), job.first_half_sweep,
                                        job.half_sweeps, decide);
  check(cudaGetLastError(), "sweeps in shared memory");
  return true;
}

}  // namespace psflip::cuda
