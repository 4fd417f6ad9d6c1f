#include <curand_kernel.h>
#include <curand_mtgp32_host.h>

#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/mtgp32_kernels.hpp"

namespace psflip::laboratory::device {

namespace {

/// Four numbers that were drawn before.
struct DrawnNumbers {
  Four<std::uint32_t> four;

  template <int PARITY, class Layout>
  __device__ Four<std::uint32_t> draw(const Layout&, std::uint32_t, std::uint32_t) const {
    return four;
  }
};

/// All threads of a block draw, those behind the last site too: curand() synchronizes the block.
template <int PARITY, class Layout>
__global__ void mtgp32_kernel(GlassView glass, Layout layout, Thresholds thresholds, curandStateMtgp32_t* states) {
  const std::size_t all = std::size_t{glass.packs} * glass.sites, step = std::size_t{gridDim.x} * blockDim.x;
  curandStateMtgp32_t* state = states + blockIdx.x;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x; first < all; first += step) {
    const std::uint32_t a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    const std::size_t site = first + threadIdx.x;
    if (site >= all) continue;
    DrawnNumbers numbers{{{a, b, c, d}}};
    update_site<PARITY>(glass, layout, thresholds, static_cast<std::uint32_t>(site / glass.sites),
                        static_cast<std::uint32_t>(site % glass.sites), numbers);
  }
}

}  // namespace

template <class Layout>
void update_mtgp32(int parity, const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                   CurandStates& states, unsigned blocks, unsigned threads_per_block) {
  auto* const kernel = parity == 0 ? mtgp32_kernel<0, Layout> : mtgp32_kernel<1, Layout>;
  kernel<<<blocks, threads_per_block>>>(glass, layout, thresholds, static_cast<curandStateMtgp32_t*>(states.data()));
  cuda::check(cudaGetLastError(), "update with MTGP32");
}

#define PSFLIP_LAYOUT(LAYOUT)                                                                                 \
  template void update_mtgp32<LAYOUT>(int, const GlassView&, const LAYOUT&, const Thresholds&, CurandStates&, \
                                      unsigned, unsigned);
PSFLIP_LAYOUT(Sliced)
PSFLIP_LAYOUT(Standard)
PSFLIP_LAYOUT(Bitwise)
#undef PSFLIP_LAYOUT

}  // namespace psflip::laboratory::device
