#pragma once
#include <cstdint>
#include <vector>

#include "engine/driver/engine.hpp"
#include "measure.hpp"
#include "numbers.hpp"

namespace psflip::oracle {

/// Reference for every backend: spin-by-spin Metropolis and exchanges of any member of the Ising family, written from
/// docs/randomness.md and docs/file-format.md with plain loops. It shares no code with engine/core but the names of the
/// sums.
class Oracle : public Engine {
 public:
  /// Throws std::invalid_argument for a system that the contract does not define.
  explicit Oracle(const System& system);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  Observation observe() const override;
  /// Empty unless slots exchange.
  Sums sums() const override { return sums_; }
  void clear_sums() override;
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) override;
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override;
  PackedSigns packed_couplings() const override;
  PackedSigns packed_fields() const override;

 private:
  /// The data that exchanges move between slots.
  struct Configuration {
    Field spins;
    FlowLabel flow_label;
  };
  struct Sample {
    std::uint64_t id;
    Field couplings;                             ///< [direction][site]
    Field fields;                                ///< [site]: the random sign; 1 where uniform, 0 where none
    std::vector<std::vector<Configuration>> at;  ///< [replica][slot]
  };

  struct Pair {
    std::size_t a, b, number;
  };

  Sample make_sample(std::uint64_t id) const;
  void half_sweep(Sample& sample, unsigned replica, unsigned slot, std::uint64_t half_sweep) const;
  double energy_change(const Sample& sample, const Field& spins, std::size_t site) const;
  int unsatisfied_bonds(const Sample& sample, const Field& spins, std::size_t site) const;
  void exchange(std::size_t sample, unsigned replica);
  void count_round_trips(std::size_t sample, unsigned replica);
  void count_flow(std::size_t sample, std::size_t slot);
  void add_to_sums(std::size_t sample, std::size_t slot);
  void add_pair(std::size_t sample, std::size_t slot, const Pair& pair, const SumLists& lists);
  void observe_replicas(const Sample& sample, Observation& observation) const;
  void observe_pairs(const Sample& sample, Observation& observation) const;
  std::int64_t field_sum(const Sample& sample, const Field& spins) const;
  /// Index in arrays [slot][sample][replica].
  std::size_t index(std::size_t slot, std::size_t sample, std::size_t replica) const;
  template <class F>
  void for_each_configuration(std::size_t slot, F f);  ///< in the order of rows
  template <class F>
  PackedSigns rows_of_samples(std::size_t length, F signs_of) const;

  System system_;
  Lattice lattice_;
  Numbers numbers_;
  std::vector<Sample> samples_;
  std::uint64_t rounds_ = 0;
  Sums sums_;
};

}  // namespace psflip::oracle
