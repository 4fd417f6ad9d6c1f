#include <type_traits>

#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/layout_kernels.hpp"

namespace psflip::laboratory::device {

namespace {

/// f(pack, index) for the sites of this thread.
template <class F>
__device__ __forceinline__ void for_each_site(const GlassView& glass, F f) {
  const std::uint32_t step = gridDim.x * blockDim.x;
  for (std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < glass.sites; index += step)
    f(blockIdx.y, index);
}

template <int PARITY, class Layout>
__global__ void addressed_kernel(GlassView glass, Layout layout, Thresholds thresholds, AddressedNumbers numbers) {
  for_each_site(glass, [&](std::uint32_t pack, std::uint32_t index) {
    update_site<PARITY>(glass, layout, thresholds, pack, index, numbers);
  });
}

template <int PARITY, class Layout, class G>
__global__ void stateful_kernel(GlassView glass, Layout layout, Thresholds thresholds, std::uint32_t* states) {
  const std::size_t threads_of_pack = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = blockIdx.y * threads_of_pack + blockIdx.x * blockDim.x + threadIdx.x;
  G generator(StridedState{states + thread, threads_of_pack * gridDim.y});
  NextNumbers<G> numbers{generator};
  for_each_site(glass, [&](std::uint32_t pack, std::uint32_t index) {
    update_site<PARITY>(glass, layout, thresholds, pack, index, numbers);
  });
  generator.store();
}

template <int PARITY, class Layout>
__global__ void stencil_kernel(GlassView glass, Layout layout) {
  for_each_site(glass,
                [&](std::uint32_t pack, std::uint32_t index) { stencil_site<PARITY>(glass, layout, pack, index); });
}

/// The last word of a lagged generator is an index; MINSTD has no state 0.
template <class G>
__global__ void seed_kernel(std::uint32_t* states, std::size_t threads) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  for (std::uint32_t word = 0; word < G::words; ++word) {
    const Four<std::uint32_t> four = numbers_at(Key{5489, 0}, static_cast<std::uint32_t>(thread), word, 0, 0, 0);
    const bool is_index = G::words > Xorwow::words && word + 1 == G::words;
    std::uint32_t value = is_index ? 0 : four.x[0];
    if (std::is_same_v<G, Minstd>) value = value % G::most + 1;
    states[word * threads + thread] = value;
  }
}

dim3 grid_of(const GlassView& glass, const Shape& shape) { return {shape.blocks(glass.sites), glass.packs, 1}; }

}  // namespace

template <class Layout>
void update_addressed(int parity, const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                      const AddressedNumbers& numbers, const Shape& shape) {
  auto* const kernel = parity == 0 ? addressed_kernel<0, Layout> : addressed_kernel<1, Layout>;
  kernel<<<grid_of(glass, shape), shape.threads_per_block>>>(glass, layout, thresholds, numbers);
  cuda::check(cudaGetLastError(), "update with addressed numbers");
}

template <class Layout, class G>
void update_stateful(int parity, const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                     std::uint32_t* states, const Shape& shape) {
  auto* const kernel = parity == 0 ? stateful_kernel<0, Layout, G> : stateful_kernel<1, Layout, G>;
  kernel<<<grid_of(glass, shape), shape.threads_per_block>>>(glass, layout, thresholds, states);
  cuda::check(cudaGetLastError(), "update with a generator");
}

template <class Layout>
void stencil(int parity, const GlassView& glass, const Layout& layout, const Shape& shape) {
  auto* const kernel = parity == 0 ? stencil_kernel<0, Layout> : stencil_kernel<1, Layout>;
  kernel<<<grid_of(glass, shape), shape.threads_per_block>>>(glass, layout);
  cuda::check(cudaGetLastError(), "stencil");
}

template <class G>
void seed_states(std::uint32_t* states, std::size_t threads) {
  seed_kernel<G><<<static_cast<unsigned>((threads + 255) / 256), 256>>>(states, threads);
  cuda::check(cudaGetLastError(), "states of the generator");
}

#define PSFLIP_GENERATOR(LAYOUT, G)                                                                                 \
  template void update_stateful<LAYOUT, G>(int, const GlassView&, const LAYOUT&, const Thresholds&, std::uint32_t*, \
                                           const Shape&);
#define PSFLIP_LAYOUT(LAYOUT)                                                                     \
  template void update_addressed<LAYOUT>(int, const GlassView&, const LAYOUT&, const Thresholds&, \
                                         const AddressedNumbers&, const Shape&);                  \
  template void stencil<LAYOUT>(int, const GlassView&, const LAYOUT&, const Shape&);              \
  PSFLIP_GENERATOR(LAYOUT, Minstd)                                                                \
  PSFLIP_GENERATOR(LAYOUT, ParisiRapuano)                                                         \
  PSFLIP_GENERATOR(LAYOUT, MersenneTwister)                                                       \
  PSFLIP_GENERATOR(LAYOUT, Xorwow)
PSFLIP_LAYOUT(Sliced)
PSFLIP_LAYOUT(Standard)
PSFLIP_LAYOUT(Bitwise)
#undef PSFLIP_LAYOUT
#undef PSFLIP_GENERATOR

template void seed_states<Minstd>(std::uint32_t*, std::size_t);
template void seed_states<ParisiRapuano>(std::uint32_t*, std::size_t);
template void seed_states<MersenneTwister>(std::uint32_t*, std::size_t);
template void seed_states<Xorwow>(std::uint32_t*, std::size_t);

}  // namespace psflip::laboratory::device
