#pragma once
#include "engine/cuda/tempering/exchange_kernel.cuh"

namespace psflip::cuda {

/// Exchanges the spins of the samples in the masks, of pairs of slots whose colder slots are first, first + 2, ...
/// Words are exchanged in twos, since their number is even. Grid (words of a row, pairs x rows of a slot, packs); a row
/// has the sites of one parity and set.
static __global__ void __launch_bounds__(256)
    swap_slots_kernel(uint2* spins, TemperingShape shape, std::uint32_t first, const std::uint32_t* masks) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, rows = 2 * shape.sets, pack = blockIdx.z;
  const std::uint32_t slot = first + 2 * (blockIdx.y / rows), row = blockIdx.y % rows;
  after_previous_kernel();
  if (i >= shape.sites / 2) return;
  const std::uint32_t mask = masks[shape.unit(pack, slot, row % shape.sets)];
  if (mask == 0) return;
  uint2* cold = spins + (shape.spins(pack, slot) + std::size_t{row} * shape.sites) / 2 + i;
  uint2* hot = cold + shape.slot_words() / 2;
  uint2 a = *cold, b = *hot;
  swap_lanes(a.x, b.x, mask);
  swap_lanes(a.y, b.y, mask);
  *cold = a;
  *hot = b;
}

}  // namespace psflip::cuda
