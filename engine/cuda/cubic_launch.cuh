#pragma once
#include "engine/cuda/marching.cuh"
#include "engine/cuda/resident_launch.cuh"
#include "engine/cuda/streaming.cuh"

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

/// The strip that costs the least repeated work, in an array of ring slots; rows = 0 when none is worth it.
template <int G>
StripShape choose_strip(std::uint32_t L, std::size_t limit, int slots) {
  StripShape best{0, 0};
  double least = 1.4;  // from here on half sweeps through the caches are faster
  for (std::uint32_t rows = 2; rows <= L && L / 2 * (rows + 2) <= streaming_threads; ++rows) {
    const std::uint32_t strips = (L + rows - 1) / rows;
    const double work = strips * (rows + 1.0) / L;
    if (slots * 4 * slot_words<G>(L, rows) > limit || work >= least) continue;
    best = {rows, strips};
    least = work;
  }
  return best;
}

template <class Known, int CHUNK, class Decision>
void launch_streaming(const Decision& decide, const PackJob& job, const StripShape& strip, std::uint32_t* out,
                      std::uint32_t* in, std::uint32_t half_sweep) {
  const std::size_t bytes = 4 * Known::slots * slot_words<Decision::group>(job.layout.L, strip.rows);
  const auto kernel = with_shared_memory(streaming_kernel<Known, CHUNK, Decision>, bytes);
  kernel<<<job.packs * strip.strips, job.layout.L / 2 * (strip.rows + 2), bytes>>>(
      out, in, job.couplings, job.layout, KeySchedule(job.key), half_sweep, job.first_replica, strip, decide);
  check(cudaGetLastError(), "streaming sweep");
}

/// One sweep from `in` to `out`.
template <int G>
void sweep_strips(const SharedDecision<G>& decide, const PackJob& job, const StripShape& strip, std::uint32_t* out,
                  std::uint32_t* in, std::uint32_t half_sweep) {
  const std::uint32_t L = job.layout.L;
  if constexpr (G == 4) {
    if (L == 64 && strip.rows == 16)
      return launch_streaming<KnownStrip<64, 16, 6>, 4>(decide, job, strip, out, in, half_sweep);
    if (L == 128 && strip.rows == 8)
      return launch_streaming<KnownStrip<128, 8, 5>, 4>(decide, job, strip, out, in, half_sweep);
  }
  if (L % 8 == 0) return launch_streaming<KnownStrip<0, 0, 5>, 4>(decide, job, strip, out, in, half_sweep);
  launch_streaming<KnownStrip<0, 0, 5>, 1>(decide, job, strip, out, in, half_sweep);
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
    sweep_strips(decide, job, strip, other, spins, h);
    std::swap(spins, other);
  }
  if (left > 0) launch_marching(decide, job, spins, h);
  return swapped;
}

template <class Decision>
bool advance_cubic(const Decision& decide, const PackJob& job) {
  if (advance_resident(decide, job)) return false;
  if constexpr (std::is_same_v<Decision, SharedDecision<Decision::group>>) {
    const auto limit = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    const StripShape strip = choose_strip<Decision::group>(job.layout.L, limit, 5);
    if (strip.rows != 0) return advance_by_strips(decide, job, strip);
  }
  for (std::uint32_t k = 0; k < job.half_sweeps; ++k)
    launch_marching(decide, job, job.spins.data(), job.first_half_sweep + k);
  return false;
}

}  // namespace psflip::cuda
