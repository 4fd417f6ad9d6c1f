#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/multi_gpu/shared_memory.hpp"

namespace psflip::cuda {

/// Exchanges messages of fixed length with one neighbouring rank through host memory. If this rank can map the memory
/// of its neighbour, its GPU copies messages from there, and the message of the ranks is only a notice that they have
/// arrived. Otherwise the ranks send them.
///
/// Messages alternate between two buffers, 0 and 1, so that a message is read before it is overwritten: a rank writes
/// into a buffer only after it has received the message of the other buffer.
class HostLink {
 public:
  /// `words` of a message.
  explicit HostLink(std::size_t words);

  /// What a neighbour needs to know to map the memory of this rank.
  struct Offer {
    char machine[64];
    FileAddress files[2];  ///< of the buffers
    std::int32_t is_open;  ///< the neighbour may map them
  };
  Offer offer() const;
  /// Maps the memory of the neighbour, if possible. Returns whether it did.
  bool open(const Offer& theirs);
  /// From now on the ranks send messages.
  void close();

  /// The message of the ranks: its memory and bytes.
  struct Notice {
    const std::byte* send;
    std::byte* receive;
    std::size_t bytes;
  };
  Notice notice(std::uint32_t buffer);

  /// The outgoing message and later the incoming one, in memory of the GPU.
  std::uint32_t* message() { return message_.data(); }
  /// Copies the outgoing message to host memory, in the order of a stream. Throws UserError if there is too little.
  void send(std::uint32_t buffer, cudaStream_t stream);
  /// Copies the message of the neighbour from host memory, in the order of a stream.
  void receive(std::uint32_t buffer, cudaStream_t stream);

 private:
  /// A file for each buffer: the first message need not wait until the memory of the second one is reserved.
  struct Buffer {
    explicit Buffer(std::size_t bytes) : file(bytes) {}
    MemoryFile file;          ///< the outgoing message
    MappedFile sent, theirs;  ///< `file` and that of the neighbour
    std::uint32_t notices[2] = {};
  };
  bool is_shared() const { return buffers_[0].theirs.is_mapped(); }
  void copy(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) const;

  std::size_t words_;
  DeviceArray<std::uint32_t> message_;
  Buffer buffers_[2];
  PinnedArray<std::uint32_t> received_;  ///< messages that the ranks have sent, [buffer][word]
};

}  // namespace psflip::cuda
