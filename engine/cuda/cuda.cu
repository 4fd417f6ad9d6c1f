#include "engine/cuda/cuda.hpp"

#include <cuda_runtime.h>

#include "engine/cuda/engines.hpp"
#include "engine/io/error.hpp"

namespace psflip::cuda {

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string device_name() {
  cudaDeviceProp properties{};
  if (!available() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return {};
  return properties.name;
}

bool supports(const System& system) { return system.packing == Packing::samples; }

std::unique_ptr<Engine> make_engine(const System& system) {
  if (!supports(system))
    throw UserError(
        "--backend cuda: lattices with --packing sites run on the CPU, use --backend cpu or --packing samples.");
  return make_sample_packed(system);
}

}  // namespace psflip::cuda
