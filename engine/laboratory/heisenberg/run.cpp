#include "engine/laboratory/heisenberg/run.hpp"

#include <bit>
#include <cmath>

namespace psflip::laboratory {

HeisenbergRun run_heisenberg(HeisenbergLattice& lattice, const HeisenbergPlan& plan, std::uint64_t sweeps,
                             std::uint64_t discarded) {
  HeisenbergRun run;
  const auto hits = static_cast<std::uint64_t>(plan.hits), first = discarded / hits, last = first + sweeps / hits;
  const double sites = static_cast<double>(plan.L) * plan.L;
  run.lengths.push_back({0, lattice.sums().deviation / sites});
  for (std::uint64_t round = 1; round <= last; ++round) {
    lattice.advance(1);
    const bool is_shown = std::has_single_bit(round) || round == last;
    if (round <= first && !is_shown) continue;
    const SpinSums sums = lattice.sums();
    if (is_shown) run.lengths.push_back({round * hits, sums.deviation / sites});
    if (round <= first) continue;
    run.energy.push_back(sums.energy / sites);
    run.magnetization.push_back(std::sqrt(sums.x * sums.x + sums.y * sums.y + sums.z * sums.z) / sites);
  }
  return run;
}

HeisenbergEstimates estimates_of(const HeisenbergRun& run, const HeisenbergPlan& plan, int blocks) {
  HeisenbergEstimates result{statistics_of(run.energy, blocks), statistics_of(run.magnetization, blocks)};
  for (SeriesStatistics* series : {&result.e, &result.m}) {
    series->tau *= plan.hits;
    series->tau_error *= plan.hits;
  }
  const double scale = std::pow(plan.beta * plan.L, 2);
  result.C = scale * result.e.variance;
  result.C_error = scale * result.e.variance_error;
  return result;
}

}  // namespace psflip::laboratory
