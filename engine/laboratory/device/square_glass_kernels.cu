#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/square_glass_kernels.hpp"

namespace psflip::laboratory::device {

namespace {

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

/// All half sweeps of the group of this thread block.
template <class E, class NumbersOf>
__device__ __forceinline__ void sweep_block(const GlassArrays<E>& glass, const Thresholds& thresholds,
                                            std::uint32_t count, NumbersOf numbers_of) {
  extern __shared__ std::uint64_t glass_memory[];
  const std::uint32_t sites = glass.L * glass.L, group = blockIdx.x;
  E *const spins = reinterpret_cast<E*>(glass_memory), *const couplings = spins + sites;
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
                                             std::uint32_t count, NumbersOf numbers_of) {
  if constexpr (sizeof(E) == 1)
    sweep_thread(glass, thresholds, count, numbers_of);
  else
    sweep_block(glass, thresholds, count, numbers_of);
}

template <class E>
__global__ void glass_addressed_kernel(GlassArrays<E> glass, Thresholds thresholds, Key key, std::uint32_t count) {
  sweep_groups(glass, thresholds, count, [&](std::uint32_t h, std::uint32_t group) {
    return AddressedGlassNumbers{key, h, GlassStorage<E>::pack_of(group)};
  });
}

template <class E, class G>
__global__ void glass_stateful_kernel(GlassArrays<E> glass, Thresholds thresholds, std::uint32_t* states,
                                      std::uint32_t count) {
  const std::size_t thread = std::size_t{blockIdx.x} * threads_of_block() + thread_of_block();
  G generator(StridedState{states + thread, std::size_t{gridDim.x} * threads_of_block()});
  sweep_groups(glass, thresholds, count,
               [&](std::uint32_t, std::uint32_t) { return GeneratorGlassNumbers<G>{generator}; });
  generator.store();
}

/// Threads of words lie side by side along a row, so that none divides to find its site.
template <class E>
dim3 block_of(const GlassArrays<E>& glass, unsigned threads_per_block) {
  const unsigned half = glass.L / 2;
  if (sizeof(E) == 1) return {threads_per_block, 1, 1};
  return half < threads_per_block ? dim3{half, threads_per_block / half, 1} : dim3{threads_per_block, 1, 1};
}
template <class E>
unsigned blocks_of(const GlassArrays<E>& glass, unsigned threads_per_block) {
  return static_cast<unsigned>(glass_threads(glass, threads_per_block) / threads_per_block);
}
template <class E>
std::size_t memory_of(const GlassArrays<E>& glass) {
  return sizeof(E) == 1 ? 0 : std::size_t{3} * glass.L * glass.L * sizeof(E);
}

}  // namespace

template <class E>
void sweep_addressed(const GlassArrays<E>& glass, const Thresholds& thresholds, const Key& key, std::uint32_t count,
                     unsigned threads_per_block) {
  glass_addressed_kernel<E>
      <<<blocks_of(glass, threads_per_block), block_of(glass, threads_per_block), memory_of(glass)>>>(glass, thresholds,
                                                                                                      key, count);
  cuda::check(cudaGetLastError(), "sweeps of the 2D spin glass");
}

template <class E, class G>
void sweep_stateful(const GlassArrays<E>& glass, const Thresholds& thresholds, std::uint32_t* states,
                    std::uint32_t count, unsigned threads_per_block) {
  glass_stateful_kernel<E, G>
      <<<blocks_of(glass, threads_per_block), block_of(glass, threads_per_block), memory_of(glass)>>>(glass, thresholds,
                                                                                                      states, count);
  cuda::check(cudaGetLastError(), "sweeps of the 2D spin glass with a generator");
}

#define PSFLIP_GENERATOR(E, G) \
  template void sweep_stateful<E, G>(const GlassArrays<E>&, const Thresholds&, std::uint32_t*, std::uint32_t, unsigned);
#define PSFLIP_STORAGE(E)                                                                                          \
  template void sweep_addressed<E>(const GlassArrays<E>&, const Thresholds&, const Key&, std::uint32_t, unsigned); \
  PSFLIP_GENERATOR(E, Minstd)                                                                                      \
  PSFLIP_GENERATOR(E, Xorwow)                                                                                      \
  PSFLIP_GENERATOR(E, AddressedPhilox)
PSFLIP_STORAGE(std::int8_t)
PSFLIP_STORAGE(std::uint32_t)
PSFLIP_STORAGE(std::uint64_t)
#undef PSFLIP_STORAGE
#undef PSFLIP_GENERATOR

}  // namespace psflip::laboratory::device
