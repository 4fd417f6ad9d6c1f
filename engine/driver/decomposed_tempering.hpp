#pragma once
#include <memory>

#include "engine/driver/ranks.hpp"
#include "engine/driver/tempering_part.hpp"

namespace psflip {

/// The temperature slots of one of `count` ranks; their numbers differ by one at most.
Slots slots_of_rank(std::size_t slots, int rank, int count);

/// Throws UserError when some rank would be left without a slot.
void require_slots(const TemperingSystem& system, const Ranks& ranks);

/// A TemperingSystem whose temperature slots are spread over ranks. Everything but construction is done by all ranks
/// together; spins, flow labels and sums are gathered at rank 0, elsewhere they are empty or zero.
class DecomposedTempering final : public TemperingEngine {
 public:
  DecomposedTempering(const TemperingSystem& system, Ranks& ranks, const MakeTemperingPart& make_part);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  TemperingSums sums() const override;
  void clear_sums() override { part_->clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  std::vector<std::int8_t> fields() const override { return part_->fields(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) override;

 private:
  void do_round(std::size_t part, std::uint64_t round);
  template <class T>
  void gather(const std::vector<T>& mine, std::size_t row, bool pairs, std::vector<T>& all) const;
  /// Pairs of slots whose colder slot is one of `slots`.
  std::size_t pairs_of(const Slots& slots) const;

  TemperingSystem system_;
  Ranks& ranks_;
  Slots own_;
  std::unique_ptr<TemperingPart> part_;
  bool connected_ = false;
  std::uint64_t rounds_ = 0;
};

}  // namespace psflip
