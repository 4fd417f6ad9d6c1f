#pragma once
#include "engine/laboratory/heisenberg/lattice.hpp"
#include "engine/laboratory/series/statistics.hpp"

/// A run in equilibrium: energy, magnetization, specific heat with errors, and how the lengths of the spins drift.
namespace psflip::laboratory {

/// Mean of | |s| - 1 | after a number of sweeps.
struct LengthOfSpins {
  std::uint64_t sweeps;
  double deviation;
};

struct HeisenbergRun {
  std::vector<double> energy, magnetization;  ///< per site, one for each round
  std::vector<LengthOfSpins> lengths;         ///< after 0, 1, 2, 4, ... rounds and at the end
};

/// `discarded` sweeps, then `sweeps` sweeps with a measurement after each round.
HeisenbergRun run_heisenberg(HeisenbergLattice& lattice, const HeisenbergPlan& plan, std::uint64_t sweeps,
                             std::uint64_t discarded);

/// Of the values of a run; `blocks` blocks of consecutive rounds.
struct HeisenbergEstimates {
  SeriesStatistics e, m;      ///< energy per site, <|sum s|> / N; autocorrelation times in sweeps
  double C = 0, C_error = 0;  ///< beta^2 N (<e^2> - <e>^2)
};
HeisenbergEstimates estimates_of(const HeisenbergRun& run, const HeisenbergPlan& plan, int blocks);

}  // namespace psflip::laboratory
