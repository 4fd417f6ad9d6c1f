#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <stdexcept>

#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/generator_kernels.hpp"

namespace psflip::laboratory::device {

namespace {

template <class G>
__global__ void fill_kernel(std::uint32_t* states, float* out, std::size_t count) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  G generator(StridedState{states + thread, threads});
  constexpr float scale = 1 / (static_cast<float>(G::most) + 1);
  for (std::size_t i = thread; i < count; i += threads) out[i] = static_cast<float>(generator()) * scale;
  generator.store();
}

template <class G>
__global__ void odd_kernel(std::uint32_t* states, std::uint32_t per_thread, std::uint32_t* odd) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  G generator(StridedState{states + thread, threads});
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < per_thread; ++i) count += generator() & 1u;
  generator.store();
  odd[thread] += count;
}

__global__ void init_xorwow(curandStateXORWOW_t* states) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(5489, thread, 0, states + thread);
}

__global__ void odd_xorwow(curandStateXORWOW_t* states, std::uint32_t per_thread, std::uint32_t* odd) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateXORWOW_t state = states[thread];
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < per_thread; ++i) count += curand(&state) & 1u;
  states[thread] = state;
  odd[thread] += count;
}

/// The threads of a block share a state.
__global__ void odd_mtgp32(curandStateMtgp32_t* states, std::uint32_t per_thread, std::uint32_t* odd) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < per_thread; ++i) count += curand(states + blockIdx.x) & 1u;
  odd[blockIdx.x * blockDim.x + threadIdx.x] += count;
}

void check_curand(curandStatus_t status, const char* call) {
  if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error(call);
}

}  // namespace

template <class G>
void fill(std::uint32_t* states, unsigned blocks, float* out, std::size_t count) {
  fill_kernel<G><<<blocks, threads_per_block>>>(states, out, count);
  cuda::check(cudaGetLastError(), "fill");
}

template <class G>
void count_odd(std::uint32_t* states, unsigned blocks, std::uint32_t per_thread, std::uint32_t* odd) {
  odd_kernel<G><<<blocks, threads_per_block>>>(states, per_thread, odd);
  cuda::check(cudaGetLastError(), "count of odd numbers");
}

#define PSFLIP_GENERATOR(G)                                             \
  template void fill<G>(std::uint32_t*, unsigned, float*, std::size_t); \
  template void count_odd<G>(std::uint32_t*, unsigned, std::uint32_t, std::uint32_t*);
PSFLIP_GENERATOR(Minstd)
PSFLIP_GENERATOR(ParisiRapuano)
PSFLIP_GENERATOR(ParisiRapuanoPoster)
PSFLIP_GENERATOR(MersenneTwister)
PSFLIP_GENERATOR(Xorwow)
PSFLIP_GENERATOR(AddressedPhilox)
#undef PSFLIP_GENERATOR

CurandStates::CurandStates(Curand generator, unsigned blocks) : generator_(generator), blocks_(blocks) {
  const std::size_t states = generator == Curand::xorwow ? std::size_t{blocks} * threads_per_block : blocks;
  states_ = cuda::device_memory(states * static_cast<std::size_t>(bytes_per_state()));
  if (generator == Curand::xorwow) {
    init_xorwow<<<blocks, threads_per_block>>>(static_cast<curandStateXORWOW_t*>(states_));
    cuda::check(cudaGetLastError(), "curand_init");
  } else {
    parameters_ = cuda::device_memory(sizeof(mtgp32_kernel_params));
    auto* parameters = static_cast<mtgp32_kernel_params_t*>(parameters_);
    check_curand(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters), "curandMakeMTGP32Constants");
    check_curand(curandMakeMTGP32KernelState(static_cast<curandStateMtgp32_t*>(states_), mtgp32dc_params_fast_11213,
                                             parameters, static_cast<int>(blocks), 5489),
                 "curandMakeMTGP32KernelState");
  }
}

CurandStates::~CurandStates() {
  cudaFree(states_);
  cudaFree(parameters_);
}

double CurandStates::bytes_per_state() const {
  return generator_ == Curand::xorwow ? sizeof(curandStateXORWOW_t) : sizeof(curandStateMtgp32_t);
}

void CurandStates::count_odd(std::uint32_t per_thread, std::uint32_t* odd) {
  if (generator_ == Curand::xorwow)
    odd_xorwow<<<blocks_, threads_per_block>>>(static_cast<curandStateXORWOW_t*>(states_), per_thread, odd);
  else
    odd_mtgp32<<<blocks_, threads_per_block>>>(static_cast<curandStateMtgp32_t*>(states_), per_thread, odd);
  cuda::check(cudaGetLastError(), "count of odd numbers of cuRAND");
}

}  // namespace psflip::laboratory::device
