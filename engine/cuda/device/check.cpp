#include "engine/cuda/device/check.hpp"

#include <stdexcept>
#include <string>

#include "engine/io/error.hpp"

namespace psflip::cuda {

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorMemoryAllocation)
    throw UserError("the GPU has not enough memory for this job; use fewer --samples per job or --backend cpu.");
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

int attribute(cudaDeviceAttr which) {
  int value = 0, device = 0;
  check(cudaGetDevice(&device), "device");
  check(cudaDeviceGetAttribute(&value, which, device), "device attribute");
  return value;
}

}  // namespace psflip::cuda
