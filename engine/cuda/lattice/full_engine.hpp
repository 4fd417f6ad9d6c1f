#pragma once
#include <memory>
#include <utility>

#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/lattice/lattices.hpp"

namespace psflip::cuda {

/// Engine of all configurations of a System on one GPU.
class FullEngine final : public Engine {
 public:
  FullEngine(const System& system, std::unique_ptr<Configurations> configurations)
      : Engine(system), configurations_(std::move(configurations)) {}

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override {
    configurations_->start_rounds(rounds_, rounds);
    rounds_ += rounds;
    check(cudaDeviceSynchronize(), "update");
  }
  std::uint64_t intervals_at_once() const override { return configurations_->intervals_at_once(); }
  /// The GPU may still work on these rounds on return, so that it does not wait for the host before the next ones. The
  /// first call waits for them: the driver needs their time.
  EndedRounds advance_during(const Intervals& intervals, const std::function<void()>& host_work, bool reads) override {
    Started &now = started_[calls_ % 2], &before = started_[1 - calls_ % 2];
    now.begin.record();
    configurations_->start_intervals(rounds_, intervals);
    now.end.record();
    now.rounds = intervals.all_rounds();
    rounds_ += now.rounds;
    host_work();
    if (reads) start_reading();
    return calls_++ == 0 ? now.take() : before.take();
  }
  EndedRounds finish_rounds() override {
    const EndedRounds a = started_[0].take(), b = started_[1].take();
    return {a.rounds + b.rounds, a.seconds + b.seconds};
  }

  Observation observe() const override {
    Reading reading;
    configurations_->start_reading();
    configurations_->finish_reading(0, reading);
    return reading.moment;
  }
  Sums sums() const override { return configurations_->sums(); }
  void clear_sums() override { configurations_->clear_sums(); }
  void start_reading() override { configurations_->start_reading(); }
  const Reading& reading(std::uint64_t interval) override {
    configurations_->finish_reading(interval, reading_);
    return reading_;
  }

  PackedSigns packed_spins(std::size_t slot) const override { return configurations_->packed_spins(slot); }
  PackedSigns packed_couplings() const override { return configurations_->packed_couplings(); }
  PackedSigns packed_fields() const override { return configurations_->packed_fields(); }
  std::vector<FlowLabel> flow_labels() const override { return configurations_->flow_labels(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override {
    configurations_->restore_spins(slot, spins);
  }
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override {
    configurations_->restore_disorder(couplings, fields);
  }
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) override {
    configurations_->restore(labels, sums);
    rounds_ = rounds;
  }

 private:
  /// Rounds of one advance_during().
  struct Started {
    TimedEvent begin, end;
    std::uint64_t rounds = 0;  ///< that were not returned yet

    /// Waits for their end.
    EndedRounds take() {
      return rounds == 0 ? EndedRounds{} : EndedRounds{std::exchange(rounds, 0), end.seconds_since(begin)};
    }
  };

  std::unique_ptr<Configurations> configurations_;
  std::uint64_t rounds_ = 0;
  Started started_[2];
  std::uint64_t calls_ = 0;  ///< of advance_during(), each of which takes the other of these two
};

}  // namespace psflip::cuda
