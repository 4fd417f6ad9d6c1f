#include "engine/cuda/device/roofline.hpp"

#include <algorithm>

#include "engine/core/word.hpp"
#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/random/address.hpp"

// Measures peak rates of the GPU with three kernels. Each uses one resource, with all multiprocessors occupied.
namespace psflip::cuda {

namespace {

constexpr int block_threads = 512;
constexpr int repeats = 8;         // the fastest counts: a peak rate is a maximum
constexpr int chains = 8;          // independent chains of logic operations within a step
constexpr int steps = 32;          // of each chain between two branches
constexpr int copies_at_once = 4;  // 16-byte loads of a thread in flight

/// Every step of a chain reads two other chains, so that the compiler cannot merge two steps into one instruction.
__global__ void __launch_bounds__(block_threads) logic_kernel(std::uint32_t* out, std::uint32_t start, int rounds) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t a[chains];
  for (std::uint32_t k = 0; k < chains; ++k) a[k] = (start + thread) * (2 * k + 1);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int k = 0; k < chains; ++k) {
        const std::uint32_t b = a[(k + 1) % chains], c = a[(k + 3) % chains];
        a[k] = step % 2 ? majority(a[k], b, c) : xor3(a[k], b, c);
      }
    }
  }
  for (int k = 1; k < chains; ++k) a[0] ^= a[k];
  out[thread] = a[0];
}

/// Random numbers of one site in successive half sweeps, at the addresses of the simulation kernels.
__global__ void __launch_bounds__(block_threads) philox_kernel(std::uint32_t* out, Key key, int calls) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t sum = 0;
  for (int call = 0; call < calls; ++call) {
    const auto u = numbers_at(key, thread, static_cast<std::uint32_t>(call), blockIdx.x, 0, 0);
    sum ^= xor3(u.x[0], u.x[1], u.x[2]) ^ u.x[3];
  }
  out[thread] = sum;
}

/// `count` is a multiple of copies_at_once times the threads of the grid.
__global__ void __launch_bounds__(block_threads) copy_kernel(const uint4* from, uint4* to, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += copies_at_once * stride) {
    uint4 word[copies_at_once];
#pragma unroll
    for (int k = 0; k < copies_at_once; ++k) word[k] = __ldcs(from + i + k * stride);
#pragma unroll
    for (int k = 0; k < copies_at_once; ++k) __stcs(to + i + k * stride, word[k]);
  }
}

/// Number of thread blocks that occupy the GPU once.
template <class Kernel>
unsigned full_grid(Kernel kernel) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, 0), "occupancy");
  return static_cast<unsigned>(blocks * attribute(cudaDevAttrMultiProcessorCount));
}

/// Shortest time in seconds of several launches, after one launch that is not counted.
template <class Launch>
double shortest(const Launch& launch) {
  TimedEvent start, end;
  double best = 0;
  for (int i = -1; i < repeats; ++i) {
    start.record();
    launch();
    check(cudaGetLastError(), "benchmark of the GPU");
    end.record();
    const double seconds = end.seconds_since(start);
    if (i >= 0) best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

double measure_logic() {
  constexpr int rounds = 4000;
  const unsigned grid = full_grid(logic_kernel);
  DeviceArray<std::uint32_t> out(std::size_t{grid} * block_threads);
  const double seconds = shortest([&] { logic_kernel<<<grid, block_threads>>>(out.data(), 1, rounds); });
  return static_cast<double>(out.size()) * rounds * steps * chains / seconds;
}

double measure_philox() {
  constexpr int calls = 20000;
  const unsigned grid = full_grid(philox_kernel);
  DeviceArray<std::uint32_t> out(std::size_t{grid} * block_threads);
  const double seconds = shortest([&] { philox_kernel<<<grid, block_threads>>>(out.data(), Key{1, 2}, calls); });
  return static_cast<double>(out.size()) * calls / seconds;
}

double measure_copy() {
  const unsigned grid = full_grid(copy_kernel);
  const std::size_t pass = std::size_t{grid} * block_threads * copies_at_once;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "memory of the GPU");
  const std::size_t wanted = std::min(free / 4, std::max(std::size_t{1} << 30, 8 * gpu_properties().cache_bytes));
  const std::size_t count = std::max<std::size_t>(wanted / sizeof(uint4) / pass, 1) * pass;
  DeviceArray<uint4> from(count), to(count);
  check(cudaMemset(from.data(), 1, count * sizeof(uint4)), "clear");
  const double seconds = shortest([&] { copy_kernel<<<grid, block_threads>>>(from.data(), to.data(), count); });
  return 2.0 * static_cast<double>(count) * sizeof(uint4) / seconds;
}

}  // namespace

GpuProperties gpu_properties() {
  GpuProperties gpu{};
  gpu.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  gpu.clock_khz = attribute(cudaDevAttrClockRate);
  gpu.cache_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  gpu.resident_bytes = static_cast<std::size_t>(gpu.multiprocessors) *
                       static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  check(cudaRuntimeGetVersion(&gpu.runtime_version), "runtime version");
  check(cudaDriverGetVersion(&gpu.driver_version), "driver version");
  return gpu;
}

GpuRates measure_gpu_rates() { return {measure_copy(), measure_logic(), measure_philox()}; }

}  // namespace psflip::cuda
