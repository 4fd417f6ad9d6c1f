#include "engine/laboratory/device/gpu.hpp"

#include <cuda_runtime_api.h>

#include "engine/cuda/device/check.hpp"

namespace psflip::laboratory::device {

std::string gpu_name() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return {};
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, 0), "properties of the GPU");
  return properties.name;
}

}  // namespace psflip::laboratory::device
