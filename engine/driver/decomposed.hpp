#pragma once
#include <memory>

#include "engine/driver/part_engine.hpp"
#include "engine/driver/ranks.hpp"

namespace psflip {

/// The share of one of `count` ranks: temperature slots if there are several, else planes. The numbers of two ranks
/// differ by one at most.
Share share_of_rank(const System& system, int rank, int count);

/// Throws UserError if some rank would be left without a slot or plane.
void require_shares(const System& system, const Ranks& ranks);

/// A System whose temperature slots or planes are spread over ranks. Everything but construction is done by all ranks
/// together. Observations are the same on all ranks; spins, disorder, flow labels and sums are gathered at rank 0 and
/// empty or zero elsewhere.
class Decomposed final : public Engine {
 public:
  Decomposed(const System& system, Ranks& ranks, const MakePart& make_part);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  Observation observe() const override;
  Sums sums() const override;
  void clear_sums() override { part_->clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) override;
  PackedSigns packed_couplings() const override;
  PackedSigns packed_fields() const override;
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override {
    part_->restore_disorder(couplings, fields);
  }
  std::string halo() const override { return halo_; }

 private:
  /// Rows of an array of Sums: of every slot, of pairs of slots by their colder one, of SumLists::link_slots.
  enum class PerSlot { all, pairs, link_sums };

  bool shares_slots() const { return system_.slots() > 1; }
  void connect();
  void do_step(std::size_t batch, std::uint64_t step);
  /// Whether the step uses spins of the neighbour on that side.
  bool is_in_contact(int side, std::uint64_t step) const;
  /// Rows of the sites of the planes of every rank to rows of all sites at rank 0.
  PackedSigns gather_planes(const PackedSigns& mine) const;
  /// Of the rank that holds all sites of something to rank 0.
  PackedSigns send_to_first(PackedSigns mine, int owner, std::size_t rows) const;
  template <class T>
  void gather_slots(const std::vector<T>& mine, std::size_t row, PerSlot kind, std::vector<T>& all) const;
  std::size_t link_row(const SumLists& lists) const;
  Sums own_sums(const Sums& all) const;
  /// The rows of a kind that some slots have.
  Slots rows_of(PerSlot kind, const Slots& slots) const;

  System system_;
  Ranks& ranks_;
  Share own_;
  std::unique_ptr<PartEngine> part_;
  bool is_connected_ = false;
  std::string halo_;
  std::uint64_t rounds_ = 0;
};

}  // namespace psflip
