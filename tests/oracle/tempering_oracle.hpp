#pragma once
#include "engine/driver/tempering_engine.hpp"
#include "lattice.hpp"
#include "measure.hpp"

namespace psflip::oracle {

/// The judge of every tempering backend: spin by spin, sample by sample, written from docs/randomness.md and
/// docs/file-format.md. It shares no code with engine/core but the names of the sums.
class TemperingOracle : public TemperingEngine {
 public:
  explicit TemperingOracle(const TemperingSystem& system);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  TemperingSums sums() const override { return sums_; }
  void clear_sums() override { sums_ = empty_sums(system_); }
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  std::vector<std::int8_t> fields() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) override;

 private:
  /// What moves between slots.
  struct Configuration {
    Field spins;
    FlowLabel flow_label;
  };
  struct Sample {
    std::uint64_t id;
    Field fields;
    std::vector<Configuration> at[tempering_sets];  ///< [set][slot]
  };

  void half_sweep(Sample& sample, int set, int slot, std::uint64_t half_sweep) const;
  bool flips(const Sample& sample, int set, int slot, std::size_t site, std::uint64_t half_sweep) const;
  void exchange(std::size_t index, int set);
  void count_round_trips(std::size_t index, int set);
  void measure(std::size_t index, int slot);
  std::int64_t bond_sum_of(const Field& spins) const;
  std::size_t place(std::size_t slot, std::size_t sample, std::size_t set) const;

  TemperingSystem system_;
  Lattice lattice_;
  Field ferromagnet_;
  std::vector<Sample> samples_;
  std::uint64_t rounds_ = 0;
  TemperingSums sums_;
};

}  // namespace psflip::oracle
