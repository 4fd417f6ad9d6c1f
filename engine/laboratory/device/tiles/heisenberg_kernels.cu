#include "engine/laboratory/device/tiles/heisenberg_kernels.hpp"

#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/tiles/heisenberg_kernel.cuh"

namespace psflip::laboratory::device {

namespace {

constexpr int threads_per_block = 256, most_threads_of_tile = 512;

template <class Math>
__global__ void start_kernel(SpinArrays<typename Math::Real> lattice, Key key) {
  const auto sites = static_cast<std::size_t>(lattice.L) * static_cast<std::size_t>(lattice.L);
  for (std::size_t site = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; site < sites;
       site += std::size_t{gridDim.x} * blockDim.x) {
    const auto spin = start_of_site<Math>(key, static_cast<std::uint32_t>(site));
    lattice.x[site] = spin.x;
    lattice.y[site] = spin.y;
    lattice.z[site] = spin.z;
  }
}

template <class Math, bool CONE>
__global__ void __launch_bounds__(most_threads_of_tile)
    tiles_kernel(HeisenbergStep<typename Math::Real> step, int parity, std::uint32_t round) {
  extern __shared__ double shared[];
  update_tile_of_block<Math, CONE>(step, reinterpret_cast<typename Math::Real*>(shared), parity, round);
}

template <class Real>
__global__ void sums_kernel(SpinArrays<Real> lattice, SpinSums* sums) {
  __shared__ SpinSums of_threads[threads_of_sums];
  sum_rows_of_block(lattice, of_threads, static_cast<int>(gridDim.x), sums);
}

}  // namespace

template <class Math>
void start_heisenberg(const SpinArrays<typename Math::Real>& lattice, const Key& key) {
  start_kernel<Math><<<1024, threads_per_block>>>(lattice, key);
  cuda::check(cudaGetLastError(), "start of the Heisenberg model");
}

template <class Math, bool CONE>
void update_heisenberg(const HeisenbergStep<typename Math::Real>& step, int parity, std::uint32_t round) {
  const std::size_t bytes = reals_of_tile(step.side) * sizeof(typename Math::Real);
  cuda::check(cudaFuncSetAttribute(tiles_kernel<Math, CONE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "shared memory of a tile");
  const auto tiles = static_cast<unsigned>(step.lattice.L / step.side);
  const int pairs = step.side * step.side / 2, threads = pairs < most_threads_of_tile ? pairs : most_threads_of_tile;
  tiles_kernel<Math, CONE><<<dim3{tiles / 2, tiles, 1}, static_cast<unsigned>(threads), bytes>>>(step, parity, round);
  cuda::check(cudaGetLastError(), "update of the Heisenberg model");
}

template <class Real>
void sum_heisenberg(const SpinArrays<Real>& lattice, SpinSums* sums) {
  sums_kernel<<<blocks_of_sums, threads_of_sums>>>(lattice, sums);
  cuda::check(cudaGetLastError(), "sums of the Heisenberg model");
}

#define PSFLIP_MATH(MATH)                                                                                     \
  template void start_heisenberg<MATH>(const SpinArrays<MATH::Real>&, const Key&);                            \
  template void update_heisenberg<MATH, false>(const HeisenbergStep<MATH::Real>&, int parity, std::uint32_t); \
  template void update_heisenberg<MATH, true>(const HeisenbergStep<MATH::Real>&, int parity, std::uint32_t);
PSFLIP_MATH(Polynomial<double>)
PSFLIP_MATH(Polynomial<float>)
PSFLIP_MATH(Library<double>)
PSFLIP_MATH(Library<float>)
PSFLIP_MATH(Intrinsics)
#undef PSFLIP_MATH
template void sum_heisenberg<double>(const SpinArrays<double>&, SpinSums*);
template void sum_heisenberg<float>(const SpinArrays<float>&, SpinSums*);

}  // namespace psflip::laboratory::device
