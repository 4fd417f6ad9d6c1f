#include "engine/cuda/cuda.hpp"

#include <cuda_runtime.h>

#include "engine/cuda/engines.hpp"

namespace psflip::cuda {

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string device_name() {
  cudaDeviceProp properties{};
  int device = 0;
  if (!available() || cudaGetDevice(&device) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return {};
  return properties.name;
}

std::unique_ptr<Engine> make_engine(const System& system) {
  return system.packing == Packing::sites ? make_site_packed(system) : make_sample_packed(system);
}

}  // namespace psflip::cuda
