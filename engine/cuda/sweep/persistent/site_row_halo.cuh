#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/sweep/persistent/site_row_blocks.hpp"

/// In-kernel halo exchange between the row blocks of a square lattice with packed sites.
namespace psflip::cuda {

/// Memory of the halo packets, row_block_packets(L) for each copy and row block: [copy][block][side][parity][pair of
/// words].
struct SiteHaloPackets {
  uint4* packets;
  std::uint32_t sequence;  ///< of the first exchange of the launch; it grows by one from exchange to exchange
};

/// Sends the first and the last rows of a row block to its neighbours and receives theirs. A packet holds two words and
/// the sequence number, so that it needs no memory fence or flag. Two copies of the packets, which alternate, suffice:
/// all threads of a block have received n + 1 from both neighbours before it sends n + 2, and a neighbour sends n + 1
/// after all its threads have read n. At the end of a launch all packets have been read.
class SiteRowHalo {
 public:
  __device__ __forceinline__ SiteRowHalo(const SiteHaloPackets& halo, std::uint32_t L, std::uint32_t blocks,
                                         std::uint32_t rows)
      : packets_(halo.packets),
        sequence_(halo.sequence - 1),
        block_(blockIdx.x),
        blocks_(blocks),
        of_side_(site_halo_rows * (L / 64)),
        parity_(row_block_words(L, rows)),
        own_(rows * (L / 64)) {}

  /// The rows have been updated before the last barrier.
  __device__ __forceinline__ void send(const std::uint32_t* lattice) {
    ++sequence_;
    early_ = make_uint4(0, ~sequence_, 0, 0);
    first_ = source(threadIdx.x);
    uint4* to = of_block(block_);
    for (std::uint32_t i = threadIdx.x; i < 2 * of_side_; i += blockDim.x) {
      const std::uint32_t* words = lattice + index(i, of_side_, own_);
      store_packet(to + i, words[0], words[1], sequence_);
    }
  }
  /// Requests the first packet of this thread, ahead of its use.
  __device__ __forceinline__ void request() {
    if (threadIdx.x < 2 * of_side_) early_ = load_packet(first_);
  }
  /// Polls until the packets have arrived and stores their words in the halo rows. The other threads need a barrier
  /// before they read them.
  __device__ __forceinline__ void receive(std::uint32_t* lattice) {
    uint4 packet = early_;
    for (std::uint32_t i = threadIdx.x; i < 2 * of_side_; i += blockDim.x) {
      const uint4* from = source(i);
      if (i != threadIdx.x)
        packet = load_packet(from);
      else if (packet.y != sequence_ || packet.w != sequence_)
        packet = load_packet(from);
      while (packet.y != sequence_ || packet.w != sequence_) {
        __nanosleep(poll_backoff_ns);
        packet = load_packet(from);
      }
      std::uint32_t* words = lattice + index(i, 0, own_ + of_side_);
      words[0] = packet.x;
      words[1] = packet.z;
    }
  }

 private:
  __device__ __forceinline__ uint4* of_block(std::uint32_t block) const {
    return packets_ + ((sequence_ & 1u) * blocks_ + block) * 2 * of_side_;
  }
  /// Packet of a neighbour: the last rows of the row block before this one, then the first rows of that after it.
  __device__ __forceinline__ const uint4* source(std::uint32_t i) const {
    const bool before = i < of_side_;
    const std::uint32_t neighbour =
        before ? (block_ == 0 ? blocks_ : block_) - 1 : (block_ + 1 == blocks_ ? 0 : block_ + 1);
    return of_block(neighbour) + (before ? of_side_ + i : i - of_side_);
  }
  /// Index in shared memory of the words of packet i, for sides that begin at the words `low` and `high` of a parity.
  __device__ __forceinline__ std::uint32_t index(std::uint32_t i, std::uint32_t low, std::uint32_t high) const {
    const bool second_side = i >= of_side_;
    const std::uint32_t in_side = i - (second_side ? of_side_ : 0), half = of_side_ / 2;
    const bool parity = in_side >= half;
    return (second_side ? high : low) + 2 * (in_side - (parity ? half : 0)) + (parity ? parity_ : 0);
  }

  uint4* packets_;
  std::uint32_t sequence_, block_, blocks_;
  std::uint32_t of_side_;       ///< packets of a side; as many as words of one parity
  std::uint32_t parity_, own_;  ///< words of one parity with and without halo
  uint4 early_;
  const uint4* first_;  ///< packet that this thread receives first
};

}  // namespace psflip::cuda
