#pragma once
#include "engine/cuda/tempering/shape.hpp"

/// Messages between the slots of two processes.
namespace psflip::cuda {

/// What another process needs of a slot to exchange with it and to measure what comes to it, pack after pack: the spins
/// of both sets, their integers (TemperingShape) and their journeys.
struct SlotWords {
  TemperingShape shape;
  std::uint32_t* spins;
  int* counts;
  std::uint32_t *from_cold, *from_hot;

  PSFLIP_HD std::uint32_t spin_words() const { return 4 * shape.sites; }
  PSFLIP_HD std::uint32_t count_words() const { return 64 * shape.unit_rows(); }
  /// Of one pack.
  PSFLIP_HD std::uint32_t words() const { return spin_words() + count_words() + 4; }

  /// Word i of the message of a pack, where it is in memory.
  PSFLIP_HD std::uint32_t& word(std::uint32_t pack, std::uint32_t slot, std::uint32_t i) const {
    if (i < spin_words()) return spins[shape.spins(pack, 2 * slot) + i];
    i -= spin_words();
    if (i < count_words()) return reinterpret_cast<std::uint32_t*>(counts)[shape.planes(pack, 2 * slot) + i];
    i -= count_words();
    return (i < 2 ? from_cold : from_hot)[shape.unit(pack, 2 * slot) + i % 2];
  }
};

/// From the memory of a slot to a message in memory of the host. Grid (blocks of the words of a pack, packs).
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
