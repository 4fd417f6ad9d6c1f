#pragma once
#include <omp.h>

#include "engine/cpu/engines/lattices_engine.hpp"

namespace psflip::cpu {

/// Some temperature slots of a System. Lattices holds them: SamplePacked.
template <class Lattices>
class SlotEngine final : public SharedLatticesEngine<Lattices> {
  using Base = SharedLatticesEngine<Lattices>;
  using Base::lattices_, Base::threads_, Base::queues_;

 public:
  static double bytes(const System& system, const Share& share, int threads) {
    return Base::bytes(system, share, threads) + 4 * Lattices::bytes_of_message(system, share);
  }

  SlotEngine(const System& system, const Share& share, int threads)
      : Base(system, share, threads), end_(system.slots()) {
    for (auto* buffers : {&send_, &receive_})
      for (std::vector<std::byte>& buffer : *buffers) buffer.resize(lattices_.message_bytes());
  }

  Halo halo(std::size_t, std::uint64_t) override {
    const std::size_t bytes = lattices_.message_bytes();
    return {{send_[0].data(), send_[1].data()}, {receive_[0].data(), receive_[1].data()}, {bytes, bytes}};
  }

  void update_outer(std::size_t batch, std::uint64_t step) override {
    sweep(batch, slots_where([&](std::size_t slot) { return is_outer(slot, step); }), step, [] {});
    if (exchanges_colder(step)) lattices_.pack(batch, first(), send_[0].data());
    if (exchanges_hotter(step)) lattices_.pack(batch, last(), send_[1].data());
  }

  void update_inner(std::size_t batch, std::uint64_t step, const std::function<void()>& poll) override {
    sweep(batch, slots_where([&](std::size_t slot) { return !is_outer(slot, step); }), step, poll);
  }

  void finish(std::size_t batch, std::uint64_t step) override {
    if (exchanges_colder(step)) lattices_.unpack(batch, first() - 1, receive_[0].data());
    if (exchanges_hotter(step)) lattices_.unpack(batch, last() + 1, receive_[1].data());
    const Slots groups = lattices_.exchange_groups(step);
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
    for (std::size_t group = groups.first; group < groups.first + groups.count; ++group)
      lattices_.finish_group(batch, group, step, lattices_.memory(omp_get_thread_num()));
  }

 private:
  std::size_t first() const { return lattices_.own_slots().first; }
  std::size_t last() const { return first() + lattices_.own_slots().count - 1; }
  bool exchanges_colder(std::uint64_t round) const { return first() > 0 && is_exchanged(first() - 1, round); }
  bool exchanges_hotter(std::uint64_t round) const { return last() + 1 < end_ && is_exchanged(last(), round); }
  bool is_outer(std::size_t slot, std::uint64_t round) const {
    return (slot == first() && exchanges_colder(round)) || (slot == last() && exchanges_hotter(round));
  }
  template <class Condition>
  std::vector<std::size_t> slots_where(Condition condition) const {
    std::vector<std::size_t> slots;
    for (std::size_t slot = first(); slot <= last(); ++slot)
      if (condition(slot)) slots.push_back(slot);
    return slots;
  }

  /// The team shares the units of some slots; only its first thread may talk to other processes.
  template <class Poll>
  void sweep(std::size_t batch, const std::vector<std::size_t>& slots, std::uint64_t round, Poll poll) {
    const std::size_t units = lattices_.units();
#pragma omp parallel num_threads(threads_)
    {
      const int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
      for (std::size_t i = 0; i < slots.size() * units; ++i) {
        lattices_.sweep(batch, slots[i / units], i % units, round, queues_[static_cast<std::size_t>(me)],
                        lattices_.memory(me));
        if (me == 0) poll();
      }
    }
  }

  std::size_t end_;                              ///< slots of the system
  std::vector<std::byte> send_[2], receive_[2];  ///< to and from the colder and the hotter neighbour
};

}  // namespace psflip::cpu
