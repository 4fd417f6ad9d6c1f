#pragma once
#include <omp.h>

#include "engine/cpu/tempering.hpp"

namespace psflip::cpu {

/// Some temperature slots of a TemperingSystem.
template <class W>
class PartTempering final : public TemperingPart {
 public:
  PartTempering(const TemperingSystem& system, const Slots& own, int threads)
      : state_(system, own, threads), end_(system.slots()), threads_(threads) {
    for (auto* buffers : {&send_, &receive_})
      for (std::vector<std::byte>& buffer : *buffers) buffer.resize(state_.message_bytes());
    for (int thread = 0; thread < threads_; ++thread) memories_.push_back(state_.make_memory());
  }

  std::size_t parts() const override { return state_.parts(); }
  Halo halo(std::size_t, std::uint64_t) override {
    const std::size_t bytes = state_.message_bytes();
    return {{send_[0].data(), send_[1].data()}, {receive_[0].data(), receive_[1].data()}, {bytes, bytes}};
  }

  void sweep_outer(std::size_t part, std::uint64_t round) override {
    std::vector<std::size_t> slots;
    for (std::size_t slot = first(); slot <= last(); ++slot)
      if (is_outer(slot, round)) slots.push_back(slot);
    sweep(part, slots, round, [] {});
    if (exchanges_colder(round)) state_.pack(part, first(), send_[0].data());
    if (exchanges_hotter(round)) state_.pack(part, last(), send_[1].data());
  }

  void sweep_inner(std::size_t part, std::uint64_t round, const std::function<void()>& poll) override {
    std::vector<std::size_t> slots;
    for (std::size_t slot = first(); slot <= last(); ++slot)
      if (!is_outer(slot, round)) slots.push_back(slot);
    sweep(part, slots, round, poll);
  }

  void finish(std::size_t part, std::uint64_t round) override {
    if (exchanges_colder(round)) state_.unpack(part, first() - 1, receive_[0].data());
    if (exchanges_hotter(round)) state_.unpack(part, last() + 1, receive_[1].data());
    const Slots groups = state_.groups_of(round);
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
    for (std::size_t group = groups.first; group < groups.first + groups.count; ++group)
      state_.finish_group(part, group, round, memories_[static_cast<std::size_t>(omp_get_thread_num())]);
  }

  TemperingSums sums() const override { return state_.sums(); }
  void clear_sums() override { state_.clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override { return state_.packed_spins(slot); }
  std::vector<FlowLabel> flow_labels() const override { return state_.flow_labels(); }
  std::vector<std::int8_t> fields() const override { return unpack_signs(state_.packed_fields()); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override { state_.restore_spins(slot, spins); }
  void restore(const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) override {
    state_.restore(flow_labels, sums);
  }

 private:
  std::size_t first() const { return state_.own().first; }
  std::size_t last() const { return first() + state_.own().count - 1; }
  bool exchanges_colder(std::uint64_t round) const { return first() > 0 && is_exchanged(first() - 1, round); }
  bool exchanges_hotter(std::uint64_t round) const { return last() + 1 < end_ && is_exchanged(last(), round); }
  bool is_outer(std::size_t slot, std::uint64_t round) const {
    return (slot == first() && exchanges_colder(round)) || (slot == last() && exchanges_hotter(round));
  }

  /// The team shares the configurations of some slots; only its first thread may talk to other processes.
  template <class Poll>
  void sweep(std::size_t part, const std::vector<std::size_t>& slots, std::uint64_t round, Poll poll) {
    state_.with_scheme([&]<class Scheme>() {
#pragma omp parallel num_threads(threads_)
      {
        const int me = omp_get_thread_num();
        ResidualQueue<W, Scheme::bits> queue(state_.half_row());
#pragma omp for schedule(dynamic)
        for (std::size_t i = 0; i < slots.size() * tempering_sets; ++i) {
          state_.template sweep<Scheme>(part, slots[i / tempering_sets], i % tempering_sets, round, queue,
                                        memories_[static_cast<std::size_t>(me)]);
          if (me == 0) poll();
        }
      }
    });
  }

  Tempering<W> state_;
  std::size_t end_;  ///< slots of the system
  int threads_;
  std::vector<TemperingMemory<W>> memories_;     ///< one a thread
  std::vector<std::byte> send_[2], receive_[2];  ///< to and from the colder and the hotter neighbour
};

}  // namespace psflip::cpu
