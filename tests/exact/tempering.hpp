#pragma once
#include <cstdint>
#include <vector>

#include "engine/driver/engine.hpp"
#include "tests/exact/references/disorder.hpp"
#include "tests/exact/references/statistics.hpp"

namespace psflip::exact {

/// Random-field Ising model of 4^3 sites at `betas`, decreasing.
System random_field_system(double J, double h, const std::vector<double>& betas, std::uint64_t samples);

/// Thermal means of one slot: the columns are SetSum averaged over the sets, then PairSum averaged over their pairs;
/// NaN for those that the system does not sum. A uniform field has F = M.
struct SlotMeans {
  Blocks rows;  ///< one for each sample
};
inline constexpr std::size_t pair_column(PairSum which) { return set_sums + static_cast<std::size_t>(which); }

/// What a run leaves: means of every slot, the histogram of the overlap and the accepted share of the exchanges of each
/// pair of slots.
struct TemperingMeans {
  std::vector<SlotMeans> slots;
  std::vector<double> rates;
  std::vector<Blocks> overlaps;    ///< [slot]: shares of the measurements in each bin of Q, one row for each sample
  std::vector<Blocks> links;       ///< [slot of link_overlap_slots]: mean of Q_l in these bins, and 0 elsewhere
  std::vector<Disorder> disorder;  ///< [sample]
};

/// Runs `warm_up` rounds that are not measured, then `rounds` (even) that are.
TemperingMeans tempering_means(const System& system, std::uint64_t warm_up, std::uint64_t rounds);
/// The same with an engine at its start.
TemperingMeans tempering_means(const System& system, std::uint64_t warm_up, std::uint64_t rounds, Engine& engine);
/// The same in `bins` consecutive bins of `rounds` rounds.
std::vector<TemperingMeans> tempering_means_of_bins(const System& system, std::uint64_t warm_up, std::uint64_t rounds,
                                                    std::uint64_t bins);

}  // namespace psflip::exact
