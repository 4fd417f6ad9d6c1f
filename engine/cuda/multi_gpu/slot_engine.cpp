#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/multi_gpu/slot_link.hpp"
#include "engine/cuda/tempering/tempering.hpp"

namespace psflip::cuda {

namespace {

/// The boundary to the slots of another rank.
struct Boundary {
  int side;                ///< 0 towards colder slots
  std::size_t own, other;  ///< slots
  CudaStream stream{true, cudaStreamDefault};
  CudaEvent begun, arrived;  ///< in the streams of the inner slots and of this boundary

  Boundary(int side_, std::size_t own_, std::size_t other_) : side(side_), own(own_), other(other_) {}
  bool is_exchanged(std::uint64_t round) const { return psflip::is_exchanged(std::min(own, other), round); }
};

/// The temperature slots of one rank on one GPU, all samples in one batch.
class SlotEngine final : public PartEngine {
 public:
  SlotEngine(const System& system, const Slots& own)
      : state_(make_tempering(system, own)),
        link_(make_slot_link(state_->message_words(), {own.first > 0, own.first + own.count < system.slots()})) {
    const std::size_t last = own.first + own.count - 1;
    if (own.first > 0) boundaries_[0] = std::make_unique<Boundary>(0, own.first, own.first - 1);
    if (last + 1 < system.slots()) boundaries_[1] = std::make_unique<Boundary>(1, last, last + 1);
  }

  std::optional<int> connect(const Neighbours& neighbours) override {
    link_->connect(neighbours);
    return std::nullopt;
  }

  std::size_t batches() const override { return 1; }
  Halo halo(std::size_t, std::uint64_t round) override { return link_->messages(buffer_index(round)); }

  /// Starts all sweeps, first those of the outer slots, and waits for the outer slots.
  void update_outer(std::size_t, std::uint64_t round) override {
    state_->begin_round(inner_);
    for_each_exchanged(round, [&](Boundary& boundary) {
      boundary.begun.set(inner_);
      boundary.begun.hold(boundary.stream);
      state_->sweep({boundary.own, 1}, round, boundary.stream);
      state_->write_message(boundary.own, link_->out(buffer_index(round), boundary.side), boundary.stream);
    });
    const Slots inner = inner_slots(round);
    if (inner.count > 0) state_->sweep(inner, round, inner_);
    for_each_exchanged(round,
                       [&](Boundary& boundary) { link_->send(buffer_index(round), boundary.side, boundary.stream); });
    for_each_exchanged(round, [](Boundary& boundary) { boundary.stream.wait(); });
  }

  /// Does nothing: the GPU has been sweeping the inner slots since update_outer(). The caller waits for the messages.
  void update_inner(std::size_t, std::uint64_t, const std::function<void()>&) override {}

  /// The messages are read while the GPU sweeps the inner slots. On return their buffers may be overwritten.
  void finish(std::size_t, std::uint64_t round) override {
    for_each_exchanged(round, [&](Boundary& boundary) {
      link_->receive(buffer_index(round), boundary.side, boundary.stream);
      state_->read_message(boundary.other, link_->in(buffer_index(round), boundary.side), boundary.stream);
      boundary.arrived.set(boundary.stream);
      boundary.arrived.hold(inner_);
    });
    state_->finish_round(round, true, inner_);
    for_each_exchanged(round, [](Boundary& boundary) { boundary.stream.wait(); });
  }

  Sums sums() const override { return state_->sums(); }
  void clear_sums() override { state_->clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override { return state_->packed_spins(slot); }
  std::vector<FlowLabel> flow_labels() const override { return state_->flow_labels(); }
  PackedSigns packed_couplings() const override { return state_->packed_couplings(); }
  PackedSigns packed_fields() const override { return state_->packed_fields(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override { state_->restore_spins(slot, spins); }
  void restore(const std::vector<FlowLabel>& flow_labels, const Sums& sums) override {
    state_->restore(flow_labels, sums);
  }
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override {
    state_->restore_disorder(couplings, fields);
  }

 private:
  /// Buffer of the messages of a round. Every pair of slots is exchanged in every second round.
  static std::uint32_t buffer_index(std::uint64_t round) { return static_cast<std::uint32_t>(round / 2 % 2); }

  template <class F>
  void for_each_exchanged(std::uint64_t round, F f) {
    for (const auto& boundary : boundaries_)
      if (boundary && boundary->is_exchanged(round)) f(*boundary);
  }

  /// The own slots that this round does not exchange with other ranks.
  Slots inner_slots(std::uint64_t round) {
    Slots inner = state_->own();
    for_each_exchanged(round, [&](const Boundary& boundary) {
      if (boundary.own == inner.first) ++inner.first;
      --inner.count;
    });
    return inner;
  }

  std::unique_ptr<Tempering> state_;
  std::unique_ptr<SlotLink> link_;
  CudaStream inner_{false, cudaStreamDefault};
  std::unique_ptr<Boundary> boundaries_[2];  ///< to the colder and the hotter neighbour; null if there is none
};

}  // namespace

EngineBytes bytes_of_slot_messages(const System& system, const Slots& own) {
  if (own.count == system.slots()) return {};
  const double message = bytes_of_message(system);
  return {8 * message, 4 * message};  // SharedMemoryLink if the ranks send messages, and PeerLink
}

std::unique_ptr<PartEngine> make_slot_engine(const System& system, const Slots& own) {
  return std::make_unique<SlotEngine>(system, own);
}

}  // namespace psflip::cuda
