#pragma once
#include "engine/cuda/tempering/arrays.hpp"

/// Copies between a slot and a message to another rank.
namespace psflip::cuda {

/// Copies a slot to the send buffer. Grid (blocks of the words of a pack, packs).
static __global__ void gather_slot_kernel(SlotWords all, std::uint32_t slot, std::uint32_t* message) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, pack = blockIdx.y;
  if (i < all.words()) message[std::size_t{pack} * all.words() + i] = all.word(pack, slot, i);
}

/// The reverse of gather_slot_kernel.
static __global__ void scatter_slot_kernel(SlotWords all, std::uint32_t slot, const std::uint32_t* message) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, pack = blockIdx.y;
  if (i < all.words()) all.word(pack, slot, i) = message[std::size_t{pack} * all.words() + i];
}

}  // namespace psflip::cuda
