#include "engine/cuda/cuda.hpp"

#include <cuda_runtime.h>

#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/single_gpu/engines.hpp"
#include "engine/cuda/tempering/engine.hpp"

namespace psflip::cuda {

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string device_name() {
  int device = 0;
  cudaDeviceProp properties{};
  if (!available() || cudaGetDevice(&device) != cudaSuccess) return {};
  return cudaGetDeviceProperties(&properties, device) == cudaSuccess ? properties.name : std::string();
}

void make_context() {
  cudaFree(nullptr);   // any call creates the context
  cudaGetLastError();  // the first allocation reports the error
}

std::unique_ptr<Engine> make_engine(const System& system) {
  return system.packing == Packing::sites ? make_site_packed(system) : make_sample_packed(system);
}

std::unique_ptr<DomainEngine> make_domain(const System& system, const Planes& planes) {
  return system.packing == Packing::sites ? make_site_slab(system, planes) : make_sample_slab(system, planes);
}

std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system) {
  return make_single_gpu_tempering(system);
}

std::unique_ptr<TemperingPart> make_tempering_part(const TemperingSystem& system, const Slots& own) {
  return make_rank_tempering(system, own);
}

}  // namespace psflip::cuda
