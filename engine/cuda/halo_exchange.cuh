#pragma once
#include <cstdint>

#include "engine/cuda/device.cuh"
#include "engine/cuda/halo_kernels.cuh"
#include "engine/cuda/streams.cuh"
#include "engine/driver/domain_engine.hpp"

namespace psflip::cuda {

/// Memory of this GPU that neighbours write into: messages of both parities, [parity][side][word]. Other processes may
/// know its address for longer than an engine lives, so that it is handed back for the next engine and never freed.
class Mailbox {
 public:
  explicit Mailbox(std::size_t words);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  std::uint32_t* data() const { return data_; }

 private:
  int device_ = 0;
  std::size_t bytes_;
  std::uint32_t* data_ = nullptr;
};

/// How the outer planes of a slab reach its neighbours and theirs its ghosts. From card to card where the driver lets a
/// process write into the memory of the neighbour's GPU; then the message of the ranks only says that they are there.
/// Else through memory of the host, out of which and into which the ranks send.
///
/// Message [0] goes to, or comes from, smaller coordinates.
class HaloExchange {
 public:
  explicit HaloExchange(std::size_t words);  ///< of a message
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;
  ~HaloExchange();

  /// Agrees with the neighbours on the way; by all ranks together, before the first plane travels. All ways lead
  /// through the host where the environment says PSFLIP_HALO=host.
  /// Returns to how many sides planes go directly.
  int connect(const Neighbours& neighbours);

  PlaneHalo halo(std::uint32_t parity);
  /// Sends the outer planes of one parity on their way, in a stream.
  void start(const PlaneMemory& memory, std::uint32_t parity, const CudaStream& stream);
  /// Until they are where the ranks send from, or in the neighbours' memory.
  void wait() const { done_.wait(); }
  /// The neighbours' planes to the ghosts, in the same stream: the next wait() also waits for this. What the neighbours
  /// and the ranks write two half sweeps later, when they have heard of that wait, may take the same memory.
  void accept(const PlaneMemory& memory, std::uint32_t parity, const CudaStream& stream);

 private:
  /// What a rank tells its neighbours of its mailbox.
  struct Offer;
  /// The neighbour's mailbox, where planes go there directly.
  struct Path {
    std::uint32_t* mailbox = nullptr;
    bool imported = false;  ///< from another process
  };
  Offer offer() const;
  static Path open(const Offer& theirs);
  static void close(Path& path);
  std::size_t place(std::uint32_t parity, int side) const {
    return (2 * parity + static_cast<std::uint32_t>(side)) * words_;
  }

  std::size_t words_;
  Path paths_[2];
  Mailbox mailbox_;
  DeviceArray<std::uint32_t> outgoing_;                 ///< [side][word]
  PinnedArray<std::uint32_t> sent_, received_, notes_;  ///< [side][word], [parity][side][word], [parity][way][side]
  CudaEvent done_;
};

}  // namespace psflip::cuda
