#include "engine/cuda/cuda.hpp"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <utility>

#include "engine/cuda/device/check.hpp"
#include "engine/cuda/lattice/full_engine.hpp"
#include "engine/cuda/lattice/samples.hpp"
#include "engine/cuda/lattice/sites.hpp"
#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/tempering/tempering.hpp"
#include "engine/io/error.hpp"

namespace psflip::cuda {

void limit_connections() { setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 0); }

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

static std::unique_ptr<Lattices> make_lattices(const System& system, const Share& share) {
  if (system.packing == Packing::sites) return make_sites(system, share);
  return make_samples(system, share.planes);
}

/// Whether the engine is one of exchange Monte Carlo, which also keeps sums of one slot.
static bool is_tempering(const System& system) { return system.slots() > 1 || system.round.rounds_per_sum != 0; }

EngineBytes bytes_of_engine(const System& system, const Share& share) {
  if (is_tempering(system)) {
    const EngineBytes messages = bytes_of_slot_messages(system, share.slots);
    return {messages.host, bytes_of_tempering(system, share.slots) + messages.device};
  }
  return {0, system.packing == Packing::sites ? bytes_of_sites(system, share) : bytes_of_samples(system, share.planes)};
}

double available_memory() { return static_cast<double>(free_device_memory()); }

std::unique_ptr<Engine> make_engine(const System& system) {
  const Share full = full_share(system);
  std::unique_ptr<Configurations> configurations;
  if (is_tempering(system))
    configurations = make_tempering(system, full.slots);
  else
    configurations = make_lattices(system, full);
  return std::make_unique<FullEngine>(system, std::move(configurations));
}

std::unique_ptr<PartEngine> make_part(const System& system, const Share& share) {
  if (system.slots() > 1) return make_slot_engine(system, share.slots);
  if (system.packing == Packing::sites) return make_row_engine(make_sites(system, share));
  return make_plane_engine(make_samples(system, share.planes));
}

}  // namespace psflip::cuda
