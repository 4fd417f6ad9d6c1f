#pragma once
#include "engine/cuda/tempering/shape.hpp"
#include "engine/random/address.hpp"

/// Fields and spins of exchange Monte Carlo at round 0.
namespace psflip::cuda {

/// Fields from their addresses. Grid (sites, packs).
static __global__ void fill_fields_kernel(std::uint32_t* fields, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, pack = blockIdx.y;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    fields[shape.fields(pack) + parity * shape.sites + site] =
        numbers_at(key, site, parity, shape.pack_numbers[pack], 0, 0).x[0];
}

/// Spins at round 0 from their addresses. Grid (sites, slots in memory, packs).
static __global__ void fill_units_kernel(std::uint32_t* spins, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, slot = blockIdx.y, pack = blockIdx.z;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const auto u = numbers_at(key, site, parity, shape.pack_numbers[pack], 0, 0, shape.first_slot + slot);
    for (std::uint32_t set = 0; set < 2; ++set)
      spins[shape.spins(pack, 2 * slot + set) + parity * shape.sites + site] = u.x[set];
  }
}

}  // namespace psflip::cuda
