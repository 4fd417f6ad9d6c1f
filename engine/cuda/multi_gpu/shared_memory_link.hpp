#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/multi_gpu/machine.hpp"
#include "engine/cuda/multi_gpu/shared_memory.hpp"
#include "engine/driver/part_engine.hpp"

namespace psflip::cuda {

/// Exchanges messages of fixed length with one neighbouring rank through host memory. If this rank can map the memory
/// of its neighbour, its GPU copies messages from there, and the message of the ranks is only a notice that they have
/// arrived. Otherwise the ranks send them.
///
/// Messages alternate between two buffers, 0 and 1, so that a message is read before it is overwritten. A rank sends a
/// message only after it has received the last one. The neighbour sent that one after it had copied the message before,
/// which is in the same buffer as the new one.
class SharedMemoryLink {
 public:
  /// `words` of a message. Throws UserError if the system refuses the memory.
  explicit SharedMemoryLink(std::size_t words);

  /// What a neighbour needs to know to map the memory of this rank.
  struct Offer {
    MachineName machine;
    MemoryAddress buffers[2];
  };
  Offer offer() const;
  /// Maps the memory of the neighbour, if possible. Returns whether it did.
  bool open(const Offer& theirs);
  /// From now on the ranks send messages.
  void close();

  /// Sets what the ranks send and receive for a message of this buffer, on one side.
  void set_message_of_ranks(std::uint32_t buffer, Halo& halo, int side);

  /// The outgoing message and later the incoming one, in memory of the GPU.
  std::uint32_t* message() { return message_.data(); }
  /// Copies the outgoing message to host memory, in the order of a stream. The first calls wait until that memory is
  /// reserved and pinned, and throw UserError if the system refuses it.
  void send(std::uint32_t buffer, cudaStream_t stream);
  /// Copies the message of the neighbour from host memory, in the order of a stream.
  void receive(std::uint32_t buffer, cudaStream_t stream);

 private:
  /// Each buffer has memory of its own, so that the first message need not wait until that of the second is reserved.
  struct Buffer {
    explicit Buffer(std::size_t bytes) : sent(bytes) {}
    SharedMemory sent;
    MappedMemory theirs;  ///< `sent` of the neighbour
    std::uint32_t notices[2] = {};
  };
  std::size_t bytes() const { return sizeof(std::uint32_t) * words_; }
  bool is_shared() const { return buffers_[0].theirs.is_mapped(); }
  void copy(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) const;

  std::size_t words_;
  DeviceArray<std::uint32_t> message_;
  Buffer buffers_[2];
  PinnedArray<std::uint32_t> received_;  ///< messages that the ranks have sent, [buffer][word]
};

}  // namespace psflip::cuda
