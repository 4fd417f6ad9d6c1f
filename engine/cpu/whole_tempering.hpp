#pragma once
#include "engine/cpu/tempering.hpp"

namespace psflip::cpu {

/// A TemperingSystem in one process.
template <class W>
class WholeTempering final : public TemperingEngine {
 public:
  WholeTempering(const TemperingSystem& system, int threads)
      : state_(system, {0, system.slots()}, threads), threads_(threads) {}

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override {
    state_.with_scheme([&]<class Scheme>() { run_rounds<Scheme>(rounds); });
    rounds_ += rounds;
  }
  TemperingSums sums() const override { return state_.sums(); }
  void clear_sums() override { state_.clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override { return state_.packed_spins(slot); }
  std::vector<FlowLabel> flow_labels() const override { return state_.flow_labels(); }
  std::vector<std::int8_t> fields() const override { return unpack_signs(state_.packed_fields()); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override { state_.restore_spins(slot, spins); }
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) override {
    state_.restore(flow_labels, sums);
    rounds_ = rounds;
  }

 private:
  using Memory = TemperingMemory<W>;
  template <class Scheme>
  using Queue = ResidualQueue<W, Scheme::bits>;

  std::size_t units() const { return state_.own().count * tempering_sets; }

  template <class Scheme>
  void run_rounds(std::uint64_t rounds) {
    const std::uint64_t first = rounds_;
    // a thread of its own for every slab where that leaves no thread idle for long: nobody waits for anybody
    const auto threads = static_cast<std::size_t>(threads_);
    const bool one_each = state_.parts() % threads == 0 || state_.parts() >= 8 * threads;
#pragma omp parallel num_threads(threads_)
    {
      Queue<Scheme> queue(state_.half_row());
      Memory memory = state_.make_memory();
      if (one_each) {
#pragma omp for schedule(dynamic)
        for (std::size_t k = 0; k < state_.parts(); ++k)
          for (std::uint64_t round = first; round < first + rounds; ++round) run_round<Scheme>(k, round, queue, memory);
      } else {
        for (std::uint64_t round = first; round < first + rounds; ++round) share_round<Scheme>(round, queue, memory);
      }
    }
  }

  /// One thread, one slab.
  template <class Scheme>
  void run_round(std::size_t part, std::uint64_t round, Queue<Scheme>& queue, Memory& memory) {
    for (std::size_t i = 0; i < units(); ++i)
      state_.template sweep<Scheme>(part, i / tempering_sets, i % tempering_sets, round, queue, memory);
    for (std::size_t group = 0; group < state_.groups_of(round).count; ++group)
      state_.finish_group(part, group, round, memory);
  }

  /// The team, all slabs. Within a round the units do not see each other, then the groups.
  template <class Scheme>
  void share_round(std::uint64_t round, Queue<Scheme>& queue, Memory& memory) {
    const std::size_t groups = state_.groups_of(round).count;
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < state_.parts() * units(); ++i) {
      const std::size_t unit = i % units();
      state_.template sweep<Scheme>(i / units(), unit / tempering_sets, unit % tempering_sets, round, queue, memory);
    }
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < state_.parts() * groups; ++i)
      state_.finish_group(i / groups, i % groups, round, memory);
  }

  Tempering<W> state_;
  int threads_;
  std::uint64_t rounds_ = 0;
};

}  // namespace psflip::cpu
