#pragma once
#include "engine/cuda/marching.cuh"
#include "engine/cuda/resident_launch.cuh"
#include "engine/cuda/streaming.cuh"
#include "engine/cuda/tiling.cuh"

// Definition of advance_cubic; included by the files that instantiate it.
namespace psflip::cuda {

/// One half sweep through the caches.
template <class Decision>
void launch_marching(const Decision& decide, const PackJob& job, std::uint32_t* spins, std::uint32_t half_sweep) {
  const std::uint32_t L = job.layout.L;
  const dim3 grid(blocks_for(L * L / 2, marching_threads), (L + marching_run - 1) / marching_run, job.packs);
  const auto go = [&](auto kernel, const auto& decision) {
    kernel<<<grid, marching_threads>>>(spins, job.couplings, job.layout, KeySchedule(job.key), half_sweep,
                                       job.first_replica, decision);
    check(cudaGetLastError(), "half sweep");
  };
  if constexpr (Decision::group == 4) {
    const auto queued = decide.queued();  // the warps of these sizes are complete
    using Queued = std::decay_t<decltype(queued)>;
    if (L == 64) return go(marching_kernel<64, Queued>, queued);
    if (L == 128) return go(marching_kernel<128, Queued>, queued);
  }
  go(marching_kernel<0, Decision>, decide);
}

/// Sweeps of a job strip by strip.
struct StripSweep {
  const PackJob& job;
  StripShape strip;
  std::uint32_t *out, *in, half_sweep;

  template <class Known, int CHUNK, class Decision>
  void launch(const Decision& decide) const {
    const std::size_t bytes = 4 * Known::slots * slot_words(job.layout.L, strip.rows, Decision::group);
    const auto kernel = with_shared_memory(streaming_kernel<Known, CHUNK, Decision>, bytes);
    kernel<<<job.packs * strip.strips, job.layout.L / 2 * (strip.rows + 2), bytes>>>(
        out, in, job.couplings, job.layout, KeySchedule(job.key), half_sweep, job.first_replica, strip, decide);
    check(cudaGetLastError(), "streaming sweep");
  }
};

/// One sweep, with the kernel for its size if there is one.
template <class Decision, int... L>
void sweep_strips(const Decision& decide, const StripSweep& sweep, std::integer_sequence<int, L...>) {
  constexpr int G = Decision::group;
  const std::uint32_t size = sweep.job.layout.L;
  if (((size == L && sweep.strip.rows == KnownStrip<L, G>::rows &&
        (sweep.launch<KnownStrip<L, G>, KnownStrip<L, G>::chunk>(decide), true)) ||
       ...))
    return;
  if (size % 8 == 0) return sweep.launch<KnownStrip<0, G>, 4>(decide);
  sweep.launch<KnownStrip<0, G>, 2>(decide);
}

template <int G>
bool advance_by_strips(const SharedDecision<G>& decide, const PackJob& job, const StripShape& strip) {
  std::uint32_t h = job.first_half_sweep, left = job.half_sweeps;
  std::uint32_t* spins = job.spins.data();
  if ((h & 1u) && left > 0) {
    launch_marching(decide, job, spins, h++);
    --left;
  }
  const bool swapped = left / 2 % 2 != 0;
  if (left >= 2 && job.scratch.size() == 0) job.scratch = DeviceArray<std::uint32_t>(job.spins.size());
  std::uint32_t* other = job.scratch.data();
  for (; left >= 2; left -= 2, h += 2) {
    sweep_strips(decide, StripSweep{job, strip, other, spins, h}, typename KnownSizes<SharedDecision<G>>::strips{});
    std::swap(spins, other);
  }
  if (left > 0) launch_marching(decide, job, spins, h);
  return swapped;
}

template <class Decision>
bool advance_cubic(const Decision& decide, const PackJob& job) {
  if (advance_resident(decide, job)) return false;
  if constexpr (std::is_same_v<Decision, SharedDecision<4>>)
    if (advance_tiled<Tiling<64, 16, 8>>(decide, job)) return false;
  if constexpr (std::is_same_v<Decision, SharedDecision<Decision::group>>) {
    const auto limit = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    const StripShape strip = choose_strip(job.layout.L, limit);
    if (strip.rows != 0) return advance_by_strips(decide, job, strip);
  }
  for (std::uint32_t k = 0; k < job.half_sweeps; ++k)
    launch_marching(decide, job, job.spins.data(), job.first_half_sweep + k);
  return false;
}

}  // namespace psflip::cuda
