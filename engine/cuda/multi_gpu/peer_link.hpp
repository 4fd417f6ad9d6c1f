#pragma once
#include <cstdint>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/multi_gpu/direct_messages.hpp"
#include "engine/cuda/multi_gpu/ipc_buffer.hpp"
#include "engine/driver/part_engine.hpp"

namespace psflip::cuda {

/// Exchanges fixed-length messages with both neighbouring ranks. If the driver lets a process write into the memory of
/// the neighbour's GPU, messages are written there directly, and the message of the ranks is only a notice that they
/// have arrived. Otherwise messages pass through host memory, from which and to which the ranks send.
///
/// If all ranks can wait on their GPU for both sides, and no two of them share one, kernels exchange messages without
/// the ranks (direct_messages.hpp). On a shared GPU, kernels that wait for a message would hold up those that send it.
///
/// Messages alternate between two buffers, 0 and 1. A neighbour writes into a buffer only after it has received the
/// message of the other buffer, so that no unread message is overwritten. Side 0 is towards smaller coordinates.
class PeerLink {
 public:
  /// `words` of a message; `numbers` that the kernels of a side write for them.
  explicit PeerLink(std::size_t words, std::size_t numbers = 1);
  PeerLink(const PeerLink&) = delete;
  PeerLink& operator=(const PeerLink&) = delete;
  ~PeerLink();

  /// Agrees with the neighbours on the path of messages. All ranks call it together, before the first message. With the
  /// environment variable PSFLIP_HALO=host the ranks send all messages. Returns the number of sides with direct
  /// messages.
  int connect(const Neighbours& neighbours);

  bool is_direct(int side) const { return paths_[side].buffer != nullptr; }
  /// True if a kernel may wait for messages of that side, if all ranks have their own GPUs: they are direct, and the
  /// neighbour is another process.
  bool can_wait_on_gpu(int side) const { return paths_[side].imported; }
  /// A number that other GPUs do not have, also those of other machines.
  static std::uint64_t gpu();
  /// Destinations of the messages of a buffer that kernels number; both sides are direct.
  DirectSides direct(std::uint32_t buffer) const;
  /// Numbers that kernels of the neighbours write, [side][number], in memory of this GPU; 0 before the first message.
  std::uint32_t* numbers() const { return buffers_.data() + 4 * words_; }
  /// Messages that the ranks send each other.
  Halo messages(std::uint32_t buffer) const;
  /// Destination of a message that the GPU writes: memory of the neighbour's GPU or of the host.
  std::uint32_t* out(std::uint32_t buffer, int side) const;
  /// Location of the neighbour's message: memory of this GPU or of the host.
  const std::uint32_t* in(std::uint32_t buffer, int side) const;
  /// GPU memory for both messages of a buffer, [side][word].
  std::uint32_t* receive_buffer(std::uint32_t buffer) const { return buffers_.data() + offset(buffer, 0); }

 private:
  /// Description of an IPC buffer that a rank sends to its neighbours.
  struct Offer;
  /// The neighbour's IPC buffer; null if messages pass through the host.
  struct Path {
    std::uint32_t* buffer = nullptr;
    bool imported = false;  ///< from another process
  };
  Offer offer() const;
  static Path open(const Offer& theirs);
  static void close(Path& path);
  std::size_t offset(std::uint32_t buffer, int side) const {
    return (2 * buffer + static_cast<std::uint32_t>(side)) * words_;
  }

  std::size_t words_, numbers_;
  Path paths_[2];
  IpcBuffer buffers_;                           ///< [buffer][side][word], then the numbers of both sides
  PinnedArray<std::uint32_t> sent_, received_;  ///< [side][word], [buffer][side][word]
  PinnedArray<std::uint32_t> notices_;          ///< [buffer][sent or received][side]
};

}  // namespace psflip::cuda
