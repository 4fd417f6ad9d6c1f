#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "engine/core/field_update.hpp"
#include "engine/driver/engine.hpp"
#include "tests/exact/references/disorder.hpp"

namespace psflip::exact {

/// Metropolis of any member of the family with given acceptance thresholds, right or wrong: it tells what a suite
/// notices. Plain loops over lanes, one for each replica of each sample; random numbers of its own (xoshiro128++, D.
/// Blackman and S. Vigna, ACM Trans. Math. Softw. 47, 36 (2021)), so that no bit is that of another engine.
class GivenThresholds : public Engine {
 public:
  /// `thresholds` of each slot, `disorder` of each sample.
  GivenThresholds(const System& system, std::vector<FieldThresholds> thresholds, const std::vector<Disorder>& disorder);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  /// Bond sum, field sum, magnetization, overlap and link overlap; the other integers are empty.
  Observation observe() const override;
  /// Sums of powers and products of the same integers; the others and the histogram are zero.
  Sums sums() const override { return sums_; }
  void clear_sums() override { sums_ = empty_sums(system_); }
  PackedSigns packed_spins(std::size_t slot) const override;
  PackedSigns packed_couplings() const override { return pack_signs(couplings_in_rows_, bonds_.size() * sites_); }
  PackedSigns packed_fields() const override { return pack_signs(fields_in_rows_, sites_); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) override;

 private:
  using Bits = std::vector<std::uint8_t>;  ///< [site][lane], 1 where -1

  void set_disorder(const std::vector<Disorder>& disorder);
  std::size_t neighbour(std::size_t site, std::size_t axis, int step) const;
  int parity(std::size_t site) const;
  void half_sweep(std::size_t slot, int parity);
  void update(std::size_t slot, std::size_t site);
  const std::uint32_t* draw();
  void exchange();
  void add_to_sums(std::size_t slot);
  std::vector<double> bond_sums(std::size_t slot) const;
  std::vector<double> field_sums(std::size_t slot) const;
  std::vector<double> magnetizations(std::size_t slot) const;
  double overlap(std::size_t slot, std::size_t a, std::size_t b) const;
  double link_overlap(std::size_t slot, std::size_t a, std::size_t b) const;
  /// Calls f(sample, pair, a, b) for the lanes a and b of all pairs of replicas of a sample.
  template <class F>
  void for_each_pair(F f) const;

  System system_;
  std::vector<FieldThresholds> thresholds_;
  std::size_t L_, sites_, replicas_, lanes_;
  std::vector<Bits> bonds_;  ///< of each direction
  Bits fields_;
  std::vector<std::int8_t> couplings_in_rows_, fields_in_rows_;
  std::vector<Bits> spins_;  ///< of each slot
  std::array<std::vector<std::uint32_t>, 4> random_;
  std::vector<std::uint32_t> numbers_;
  Bits class_;  ///< n + 8 f of each lane
  std::uint64_t rounds_ = 0;
  Sums sums_;
};

}  // namespace psflip::exact
