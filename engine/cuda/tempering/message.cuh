#pragma once
#include "engine/cuda/tempering/shape.hpp"

/// Messages between the slots of two ranks.
namespace psflip::cuda {

/// Data of a slot that another rank needs to exchange with it and to measure the configurations that it receives, pack
/// after pack: the spins of both sets, their integers (TemperingShape) and their replica-flow labels.
struct SlotWords {
  TemperingShape shape;
  std::uint32_t* spins;
  int* counts;
  std::uint32_t *from_cold, *from_hot;

  PSFLIP_HD std::uint32_t spin_words() const { return 4 * shape.sites; }
  PSFLIP_HD std::uint32_t count_words() const { return 64 * shape.unit_rows(); }
  /// Words of the message of one pack.
  PSFLIP_HD std::uint32_t words() const { return spin_words() + count_words() + 4; }

  /// Location in memory of word i of the message of a pack.
  PSFLIP_HD std::uint32_t& word(std::uint32_t pack, std::uint32_t slot, std::uint32_t i) const {
    if (i < spin_words()) return spins[shape.spins(pack, 2 * slot) + i];
    i -= spin_words();
    if (i < count_words()) return reinterpret_cast<std::uint32_t*>(counts)[shape.planes(pack, 2 * slot) + i];
    i -= count_words();
    return (i < 2 ? from_cold : from_hot)[shape.unit(pack, 2 * slot) + i % 2];
  }
};

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
