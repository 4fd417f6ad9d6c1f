#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/cuda/device/check.hpp"
#include "engine/driver/part_engine.hpp"

namespace psflip::cuda {

/// Exchanges the messages of temperature slots with the neighbouring ranks, [0] with colder slots, [1] with hotter
/// ones. Messages alternate between two buffers, 0 and 1.
class SlotLink {
 public:
  virtual ~SlotLink() = default;

  /// Agrees with the neighbours on the path of messages. All ranks call it together, before the first message.
  virtual void connect(const Neighbours& neighbours) = 0;
  /// Messages that the ranks send each other.
  virtual Halo messages(std::uint32_t buffer) = 0;

  /// Destination of a message that a kernel writes.
  virtual std::uint32_t* out(std::uint32_t buffer, int side) = 0;
  /// Sends it on if that is not where the neighbour reads it, in the order of a stream.
  virtual void send(std::uint32_t /*buffer*/, int /*side*/, cudaStream_t) {}
  /// Brings the neighbour's message to where a kernel reads it, in the order of a stream.
  virtual void receive(std::uint32_t /*buffer*/, int /*side*/, cudaStream_t) {}
  /// Location of the neighbour's message.
  virtual const std::uint32_t* in(std::uint32_t buffer, int side) = 0;
};

/// `words` of a message; `has_neighbour` of both sides. Throws UserError if the system refuses host memory.
///
/// Messages of at most 24 MiB are written into the memory of the neighbour's GPU. Longer ones go through host memory:
/// they arrive while the other slots are swept, and transfers between GPUs take power that kernels at the power limit
/// need (two H200s, rfim3d, L = 64, 33 MB: 1 to 2 % less time through host memory; exchange Monte Carlo of ea3d, L =
/// 32, 17 MB: 3 % more; notebook of results/published/scaling).
std::unique_ptr<SlotLink> make_slot_link(std::size_t words, const bool (&has_neighbour)[2]);

}  // namespace psflip::cuda
