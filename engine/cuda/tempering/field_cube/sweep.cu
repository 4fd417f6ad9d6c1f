#include "engine/cuda/tempering/field_cube/sweep.hpp"

#include <stdexcept>

#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/tempering/field_cube/sweep_kernel.cuh"

namespace psflip::cuda {

namespace {

template <class Scheme>
ThresholdList<Scheme> threshold_list(const FieldThresholds* thresholds, std::size_t slots) {
  ThresholdList<Scheme> list{};
  for (std::size_t slot = 0; slot < slots; ++slot) list.slot[slot] = slot_thresholds<Scheme>(thresholds[slot]);
  return list;
}

/// Bytes of shared memory of a block.
template <class Known, class Scheme>
constexpr std::size_t shared_bytes(std::uint32_t L, const ZSweepShape& shape) {
  const std::size_t queues = std::size_t{4} * LaneQueue<Scheme>::words * (shape.threads / 32);
  return queues + (Known::persistent ? std::size_t{4} * L * L * L : 0);
}

/// Whether a configuration of L = 32 and its queues fit in shared memory, at compute capability 9.0.
template <class Scheme>
inline constexpr bool fits_at_32 = shared_bytes<KnownZSweep<32, true>, Scheme>(32, persistent_shape(32)) <= 227 * 1024;

/// Parameters common to the kernels of all shapes.
template <class Scheme>
struct Numbers {
  KeySchedule keys;
  ThresholdList<Scheme> thresholds;
};

template <class Known, class Scheme>
void launch(FieldCubeSweep job, const ZSweepShape& shape, const Numbers<Scheme>& numbers, cudaStream_t stream) {
  const std::uint32_t L = job.shape.L;
  if (Known::L == 0 && shape.segment > most_sites_of_thread) throw std::logic_error("more sites than a thread counts");
  const std::size_t bytes = shared_bytes<Known, Scheme>(L, shape);
  const auto kernel = with_shared_memory(sweep_kernel<Known, Scheme>, bytes);
  const dim3 grid(blocks_of(shape, L), 2 * job.slots, job.shape.packs);
  const Traversals<3> traversals(L);
  const std::uint32_t launches = Known::persistent ? 1 : job.half_sweeps;
  for (std::uint32_t k = 0; k < launches; ++k, ++job.first_half_sweep)
    launch_early("sweeps", kernel, grid, shape.threads, bytes, stream, k > 0 ? After::kernel : After::anything, job,
                 shape, traversals, numbers.keys, numbers.thresholds);
}

/// Launches the kernel specialized for this size if there is one, else the general kernel. Returns whether it counts.
template <bool PERSISTENT, class Scheme, int... L>
bool launch_known(const FieldCubeSweep& job, const ZSweepShape& shape, const Numbers<Scheme>& numbers,
                  cudaStream_t stream) {
  const bool done =
      ((job.shape.L == L && (launch<KnownZSweep<L, PERSISTENT>>(job, shape, numbers, stream), true)) || ...);
  if (!done) launch<KnownZSweep<0, PERSISTENT>>(job, shape, numbers, stream);
  return PERSISTENT;
}

}  // namespace

template <class Scheme>
bool fits_in_shared_memory(std::uint32_t L) {
  const ZSweepShape shape = persistent_shape(L);
  const std::size_t bytes = shared_bytes<KnownZSweep<0, true>, Scheme>(L, shape);
  if (L == 32) return fits_at_32<Scheme> && bytes <= most_shared_bytes();
  // with one block of the kernel for any size a multiprocessor would often wait
  const std::size_t blocks = L == 8 || L == 12 || L == 16 || L == 24 ? 1 : 2;
  return shape.threads <= KnownZSweep<0, true>::threads && bytes <= most_shared_bytes(blocks);
}

template <class Scheme>
bool start_sweeps(const FieldCubeSweep& job, const Key& key, const FieldThresholds* thresholds, std::size_t slots,
                  cudaStream_t stream) {
  const std::uint32_t L = job.shape.L;
  const Numbers<Scheme> numbers{KeySchedule(key), threshold_list<Scheme>(thresholds, slots)};
  const ZSweepShape persistent = persistent_shape(L), global = global_memory_shape(L);
  const bool fits = fits_in_shared_memory<Scheme>(L);
  if constexpr (fits_at_32<Scheme>) {
    if (fits) return launch_known<true, Scheme, 8, 12, 16, 24, 32>(job, persistent, numbers, stream);
    return launch_known<false, Scheme, 48, 64>(job, global, numbers, stream);
  } else {
    if (fits) return launch_known<true, Scheme, 8, 12, 16, 24>(job, persistent, numbers, stream);
    return launch_known<false, Scheme, 32, 48, 64>(job, global, numbers, stream);
  }
}

#ifndef PSFLIP_FIELD_SCHEME
#error "compiled once for each scheme, see CMakeLists.txt"
#endif
template bool fits_in_shared_memory<PSFLIP_FIELD_SCHEME>(std::uint32_t);
template bool start_sweeps<PSFLIP_FIELD_SCHEME>(const FieldCubeSweep&, const Key&, const FieldThresholds*, std::size_t,
                                                cudaStream_t);

}  // namespace psflip::cuda
