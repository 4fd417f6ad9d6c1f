#pragma once
#include <algorithm>
#include <utility>

#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/half_sweep/z_sweep_launch.cuh"
#include "engine/cuda/sweep/temporal/temporal_kernel.cuh"

// Launches of the temporal kernel; included by cubic_launch.cuh.
namespace psflip::cuda {

/// Two sweeps of a job strip by strip.
struct StripPass {
  const PackJob& job;
  StripShape strip;
  std::uint32_t *out, *in, half_sweep;
  std::uint32_t& event;  ///< that no letter of this job has; counts on

  /// As many packs at a time as are resident together.
  template <class Known, int CHUNK, class Decision>
  void launch(const Decision& decide) const {
    constexpr int G = Decision::group;
    const std::uint32_t L = job.layout.L;
    const auto kernel = streaming_kernel<Known, CHUNK, Decision>;
    const CubicShape block{1, 0, 0, Known::L ? Known::threads : strip.threads(L)};
    Launcher launcher(block, ring_bytes(L, strip.rows, G));
    const std::uint32_t at_once = std::min(launcher.most_clusters(kernel, block) / strip.strips, job.packs);
    const std::size_t letters = std::size_t{at_once} * strip.strips * 2 * StripMail<G>::of_side;
    if (job.strip_letters.size() < letters) {
      job.strip_letters = DeviceArray<uint4>(letters);
      check(cudaMemsetAsync(job.strip_letters.data(), 0, letters * sizeof(uint4)), "letters");
    }
    for (std::uint32_t first = 0; first < job.packs; first += at_once, event += L + 2 * planes_beyond) {
      launcher.config.gridDim = std::min(at_once, job.packs - first) * strip.strips;
      check(cudaLaunchKernelEx(&launcher.config, kernel, out, in, job.couplings, job.layout, KeySchedule(job.key),
                               half_sweep, job.first_replica, first, strip, StripPost{job.strip_letters.data(), event},
                               decide),
            "sweeps in strips");
    }
  }
};

/// Two sweeps, with the kernel for their size if there is one.
template <class Decision, int... L>
void pass_strips(const Decision& decide, const StripPass& pass, std::integer_sequence<int, L...>) {
  constexpr int G = Decision::group;
  const std::uint32_t size = pass.job.layout.L;
  if (((size == L && pass.strip == KnownStrip<L, G>::shape &&
        (pass.launch<KnownStrip<L, G>, KnownStrip<L, G>::chunk>(decide), true)) ||
       ...))
    return;
  if (size % 8 == 0) return pass.launch<KnownStrip<0, G>, 4>(decide);
  pass.launch<KnownStrip<0, G>, 2>(decide);
}

/// Passes of two sweeps, and half sweeps before and behind them.
template <int G>
bool advance_by_strips(const SharedDecision<G>& decide, const PackJob& job, const StripShape& strip) {
  std::uint32_t h = job.first_half_sweep, left = job.half_sweeps;
  std::uint32_t* spins = job.spins.data();
  if ((h & 1u) && left > 0) {
    launch_marching(decide, job, spins, h++);
    --left;
  }
  const bool swapped = left / 4 % 2 != 0;
  if (left >= 4 && job.scratch.size() == 0) job.scratch = DeviceArray<std::uint32_t>(job.spins.size());
  if (left >= 4 && job.strip_letters.size() > 0)  // the numbers of events begin again
    check(cudaMemsetAsync(job.strip_letters.data(), 0, job.strip_letters.size() * sizeof(uint4)), "letters");
  std::uint32_t *other = job.scratch.data(), event = 1;
  for (; left >= 4; left -= 4, h += 4) {
    pass_strips(decide, StripPass{job, strip, other, spins, h, event},
                typename KnownSizes<SharedDecision<G>>::strips{});
    std::swap(spins, other);
  }
  for (; left > 0; --left) launch_marching(decide, job, spins, h++);
  return swapped;
}

}  // namespace psflip::cuda
