#include "engine/cuda/device/check.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "engine/io/error.hpp"

namespace psflip::cuda {

constexpr double gib = 1 << 30;

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorMemoryAllocation)
    throw UserError(
        "the GPU or the pinned memory of its host is too small for this job; use fewer --samples per job, a smaller "
        "--L or --backend cpu.");
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

std::size_t free_device_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "free memory");
  return free;
}

void* device_memory(std::size_t bytes) {
  void* data = nullptr;
  const cudaError_t error = cudaMalloc(&data, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // cleared, so that the free memory can be read
    throw UserError(
        fmt::format("the job needs {:.2f} GiB more memory on the GPU and {:.2f} GiB are free; use fewer "
                    "--samples per job, a smaller --L, more ranks with a GPU each, or --backend cpu.",
                    static_cast<double>(bytes) / gib, static_cast<double>(free_device_memory()) / gib));
  }
  check(error, "cudaMalloc");
  return data;
}

int attribute(cudaDeviceAttr which) {
  int value = 0, device = 0;
  check(cudaGetDevice(&device), "device");
  check(cudaDeviceGetAttribute(&value, which, device), "device attribute");
  return value;
}

}  // namespace psflip::cuda
