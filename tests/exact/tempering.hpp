#pragma once
#include <cstdint>
#include <vector>

#include "engine/driver/tempering_engine.hpp"
#include "statistics.hpp"

namespace psflip::exact {

/// Random-field Ising model of 4^3 sites at `betas`, decreasing.
TemperingSystem random_field_system(double J, double h, const std::vector<double>& betas, std::uint64_t samples);

/// Thermal means of one slot: the columns are SetSum averaged over the two sets, then PairSum.
struct SlotMeans {
  Blocks rows;  ///< one for each sample
};
inline constexpr std::size_t pair_column(PairSum which) { return set_sums + static_cast<std::size_t>(which); }

/// What a run leaves: means of every slot and the accepted share of the exchanges of each pair of slots.
struct TemperingMeans {
  std::vector<SlotMeans> slots;
  std::vector<double> rates;
  std::vector<std::int8_t> fields;  ///< [sample][site]
};

/// Runs `warm_up` rounds that are not measured, then `rounds` (even) that are.
TemperingMeans tempering_means(const TemperingSystem& system, std::uint64_t warm_up, std::uint64_t rounds);

}  // namespace psflip::exact
