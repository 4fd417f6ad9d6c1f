#pragma once
#include "engine/laboratory/device/square_glass_kernels.hpp"

/// The half sweeps of a thread or thread block of the 2D spin glass, apart from their kernels, so that a test can run
/// them on a CPU.
namespace psflip::laboratory::device {

__device__ __forceinline__ std::uint32_t thread_of_block() { return threadIdx.y * blockDim.x + threadIdx.x; }
__device__ __forceinline__ std::uint32_t threads_of_block() { return blockDim.x * blockDim.y; }

/// All half sweeps of the realization of this thread. numbers_of(h, group): those of a half sweep.
template <class E, class NumbersOf>
__device__ __forceinline__ void sweep_thread(const GlassArrays<E>& glass, const Thresholds& thresholds,
                                             std::uint32_t count, NumbersOf numbers_of) {
  const std::uint32_t group = blockIdx.x * threads_of_block() + thread_of_block();
  if (group >= glass.groups) return;
  const SquareGlassView<E> view{glass.spins + group, glass.couplings + group, glass.L, glass.groups};
  for (std::uint32_t h = 0; h < count; ++h) {
    if (h % 2 == 0)
      glass_half_sweep<0>(view, thresholds, numbers_of(h, group));
    else
      glass_half_sweep<1>(view, thresholds, numbers_of(h, group));
  }
}

template <int PARITY, class E, class Numbers>
__device__ __forceinline__ void block_half_sweep(const SquareGlassView<E>& view, const Thresholds& thresholds,
                                                 const Numbers& numbers) {
  for (std::uint32_t y = threadIdx.y; y < view.L; y += blockDim.y)
    for (std::uint32_t i = threadIdx.x; i < view.L / 2; i += blockDim.x)
      update_glass_site<PARITY>(view, thresholds, y, i, numbers);
  __syncthreads();
}

/// All half sweeps of the group of this thread block, which has `memory` for its spins and bonds.
template <class E, class NumbersOf>
__device__ __forceinline__ void sweep_block(const GlassArrays<E>& glass, const Thresholds& thresholds,
                                            std::uint32_t count, void* memory, NumbersOf numbers_of) {
  const std::uint32_t sites = glass.L * glass.L, group = blockIdx.x;
  E *const spins = static_cast<E*>(memory), *const couplings = spins + sites;
  E* const all_spins = glass.spins + std::size_t{group} * sites;
  const E* const all_couplings = glass.couplings + std::size_t{group} * 2 * sites;
  for (std::uint32_t place = thread_of_block(); place < 2 * sites; place += threads_of_block()) {
    couplings[place] = all_couplings[place];
    if (place < sites) spins[place] = all_spins[place];
  }
  __syncthreads();
  const SquareGlassView<E> view{spins, couplings, glass.L, 1};
  for (std::uint32_t h = 0; h < count; ++h) {
    if (h % 2 == 0)
      block_half_sweep<0>(view, thresholds, numbers_of(h, group));
    else
      block_half_sweep<1>(view, thresholds, numbers_of(h, group));
  }
  for (std::uint32_t place = thread_of_block(); place < sites; place += threads_of_block())
    all_spins[place] = spins[place];
}

template <class E, class NumbersOf>
__device__ __forceinline__ void sweep_groups(const GlassArrays<E>& glass, const Thresholds& thresholds,
                                             std::uint32_t count, void* memory, NumbersOf numbers_of) {
  if constexpr (sizeof(E) == 1)
    sweep_thread(glass, thresholds, count, numbers_of);
  else
    sweep_block(glass, thresholds, count, memory, numbers_of);
}

}  // namespace psflip::laboratory::device
