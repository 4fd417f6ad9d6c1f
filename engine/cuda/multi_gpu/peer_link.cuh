#pragma once
#include <cstdint>

#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/multi_gpu/ipc_buffer.cuh"
#include "engine/driver/domain_engine.hpp"

namespace psflip::cuda {

/// How messages of one length reach the two neighbours of a rank and theirs this rank. From card to card where the
/// driver lets a process write into the memory of the neighbour's GPU; then the message of the ranks is a note that
/// they are there. Else through memory of the host, out of which and into which the ranks send.
///
/// Messages alternate between two turns, 0 and 1: what a neighbour writes in a turn it writes when it has heard of the
/// other turn, so that nothing is written over that has not been read. Side 0 is towards smaller coordinates.
class PeerLink {
 public:
  explicit PeerLink(std::size_t words);  ///< of a message
  PeerLink(const PeerLink&) = delete;
  PeerLink& operator=(const PeerLink&) = delete;
  ~PeerLink();

  /// Agrees with the neighbours on the way; by all ranks together, before the first message. All ways lead through the
  /// host where the environment says PSFLIP_HALO=host. Returns to how many sides messages go directly.
  int connect(const Neighbours& neighbours);

  bool is_direct(int side) const { return paths_[side].receive_buffer != nullptr; }
  /// What the ranks send each other.
  Halo messages(std::uint32_t buffer) const;
  /// Where the GPU writes a message: in the memory of the neighbour's or of the host.
  std::uint32_t* out(std::uint32_t buffer, int side) const;
  /// Where it finds the neighbour's: in its own memory or in that of the host.
  const std::uint32_t* in(std::uint32_t buffer, int side) const;
  /// Room for both messages of a turn in the memory of this GPU, [side][word].
  std::uint32_t* receive_buffer(std::uint32_t buffer) const { return buffers_.data() + offset(buffer, 0); }

 private:
  /// What a rank tells its neighbours of its mailbox.
  struct Offer;
  /// The neighbour's mailbox, where messages go there directly.
  struct Path {
    std::uint32_t* receive_buffer = nullptr;
    bool imported = false;  ///< from another process
  };
  Offer offer() const;
  static Path open(const Offer& theirs);
  static void close(Path& path);
  std::size_t offset(std::uint32_t buffer, int side) const {
    return (2 * buffer + static_cast<std::uint32_t>(side)) * words_;
  }

  std::size_t words_;
  Path paths_[2];
  IpcBuffer buffers_;                                     ///< [turn][side][word]
  PinnedArray<std::uint32_t> sent_, received_, notices_;  ///< [side][word], [turn][side][word], [turn][way][side]
};

}  // namespace psflip::cuda
