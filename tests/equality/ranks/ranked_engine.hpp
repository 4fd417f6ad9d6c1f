#pragma once
#include "engine/driver/decomposed.hpp"
#include "thread_ranks.hpp"

namespace psflip::equality {

/// A System spread over ranks that are threads of this process, as one Engine.
class RankedEngine final : public Engine {
 public:
  /// Makes the share of a rank.
  using MakeShare = std::function<std::unique_ptr<PartEngine>(const System&, const Share&, int rank)>;

  RankedEngine(const System& system, int count, const MakeShare& make);

  std::uint64_t rounds() const override { return ranks_.first().rounds(); }
  void advance(std::uint64_t rounds) override;
  std::string halo() const override { return ranks_.first().halo(); }
  /// The integers, which are the same at every rank.
  Observation observe() const override;
  Sums sums() const override;
  void clear_sums() override;
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  PackedSigns packed_couplings() const override;
  PackedSigns packed_fields() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) override;

 private:
  Ranked<Decomposed> ranks_;
};

/// Makes engines on `count` ranks.
inline MakeEngine on_ranks(int count, const RankedEngine::MakeShare& make) {
  return [=](const System& system) { return std::make_unique<RankedEngine>(system, count, make); };
}

/// The largest number of ranks that a system can be spread over, at most `limit`.
inline int most_ranks(const System& system, int limit) {
  const std::size_t shares = system.slots() > 1 ? system.slots() : static_cast<std::size_t>(system.L);
  return static_cast<int>(std::min(shares, static_cast<std::size_t>(limit)));
}

}  // namespace psflip::equality
