#include "engine/cuda/multi_gpu/slot_link.hpp"

#include "engine/cuda/multi_gpu/peer_link.hpp"
#include "engine/cuda/multi_gpu/shared_memory_link.hpp"

namespace psflip::cuda {

namespace {

/// Through the memory of GPUs, if the driver allows it.
class PeerSlotLink final : public SlotLink {
 public:
  explicit PeerSlotLink(std::size_t words) : link_(words) {}

  void connect(const Neighbours& neighbours) override { link_.connect(neighbours); }
  Halo messages(std::uint32_t buffer) override { return link_.messages(buffer); }
  std::uint32_t* out(std::uint32_t buffer, int side) override { return link_.out(buffer, side); }
  const std::uint32_t* in(std::uint32_t buffer, int side) override { return link_.in(buffer, side); }

 private:
  PeerLink link_;
};

/// Through host memory.
class HostSlotLink final : public SlotLink {
 public:
  HostSlotLink(std::size_t words, const bool (&has_neighbour)[2]) {
    for (const int side : {0, 1})
      if (has_neighbour[side]) links_[side] = std::make_unique<SharedMemoryLink>(words);
  }

  /// The ranks at the ends of the temperature grid are neighbours too, but send nothing to each other.
  void connect(const Neighbours& neighbours) override {
    SharedMemoryLink::Offer mine[2] = {}, theirs[2];
    for (const int side : {0, 1})
      if (links_[side]) mine[side] = links_[side]->offer();
    neighbours.exchange(mine, theirs);
    std::int32_t opened[2] = {}, opened_there[2];
    for (const int side : {0, 1})
      if (links_[side]) opened[side] = links_[side]->open(theirs[side]);
    neighbours.exchange(opened, opened_there);
    for (const int side : {0, 1})
      if (links_[side] && !(opened[side] && opened_there[side])) links_[side]->close();
  }

  Halo messages(std::uint32_t buffer) override {
    Halo halo{};
    for (const int side : {0, 1})
      if (links_[side]) links_[side]->set_message_of_ranks(buffer, halo, side);
    return halo;
  }

  std::uint32_t* out(std::uint32_t, int side) override { return links_[side]->message(); }
  void send(std::uint32_t buffer, int side, cudaStream_t stream) override { links_[side]->send(buffer, stream); }
  void receive(std::uint32_t buffer, int side, cudaStream_t stream) override { links_[side]->receive(buffer, stream); }
  const std::uint32_t* in(std::uint32_t, int side) override { return links_[side]->message(); }

 private:
  std::unique_ptr<SharedMemoryLink> links_[2];
};

}  // namespace

std::unique_ptr<SlotLink> make_slot_link(std::size_t words, const bool (&has_neighbour)[2]) {
  constexpr std::size_t most_bytes_between_gpus = std::size_t{24} << 20;
  if (sizeof(std::uint32_t) * words <= most_bytes_between_gpus) return std::make_unique<PeerSlotLink>(words);
  return std::make_unique<HostSlotLink>(words, has_neighbour);
}

}  // namespace psflip::cuda
