#include <cmath>

#include "engine/laboratory/multi_hit/multi_hit.hpp"
#include "engine/laboratory/series/statistics.hpp"

namespace psflip::laboratory {

MultiHitEstimates estimates_of(const MultiHitSeries& series, const MultiHitPlan& plan, int blocks) {
  const SeriesStatistics e = statistics_of(series.energy, blocks), m = statistics_of(series.magnetization, blocks);
  const double scale = plan.beta * plan.beta * std::pow(plan.L, plan.preset->dimension);
  const double sweeps = series.sweeps_between;
  MultiHitEstimates result;
  result.e = e.mean;
  result.e_error = e.mean_error;
  result.C = scale * e.variance;
  result.C_error = scale * e.variance_error;
  result.tau = sweeps * e.tau;
  result.tau_error = sweeps * e.tau_error;
  result.m = m.mean;
  result.m_error = m.mean_error;
  result.tau_m = sweeps * m.tau;
  result.tau_m_error = sweeps * m.tau_error;
  result.blocks = blocks;
  return result;
}

}  // namespace psflip::laboratory
