#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/square_glass_sweeps.cuh"

namespace psflip::laboratory::device {

namespace {

template <class E>
__global__ void glass_addressed_kernel(GlassArrays<E> glass, Thresholds thresholds, Key key, std::uint32_t count) {
  extern __shared__ std::uint64_t glass_memory[];
  sweep_groups(glass, thresholds, count, glass_memory, [&](std::uint32_t h, std::uint32_t group) {
    return AddressedGlassNumbers{key, h, GlassStorage<E>::pack_of(group)};
  });
}

template <class E, class G>
__global__ void glass_stateful_kernel(GlassArrays<E> glass, Thresholds thresholds, std::uint32_t* states,
                                      std::uint32_t count) {
  extern __shared__ std::uint64_t glass_memory[];
  const std::size_t thread = std::size_t{blockIdx.x} * threads_of_block() + thread_of_block();
  G generator(StridedState{states + thread, std::size_t{gridDim.x} * threads_of_block()});
  sweep_groups(glass, thresholds, count, glass_memory,
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
