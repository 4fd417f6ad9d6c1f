#pragma once
#include <string>
#include <vector>

#include "engine/app/grid_file.hpp"
#include "engine/app/run_job.hpp"

namespace psflip::app {

/// How a grid of temperatures is made: docs/rfim3d.md.
struct AdaptOptions {
  std::string method = "insert";  ///< or "equal-rates"
  std::int64_t slots = 0;         ///< 0: the temperatures of the job as they are
  std::int64_t trials = 10;       ///< changes of the grid
  std::int64_t insertions = 2;    ///< new slots a trial
  double target = 0;              ///< lowest rate that is enough; 0: none
};

/// `slots` temperatures at equal distances.
std::vector<double> equally_spaced(double low, double high, std::size_t slots);

/// New slots in the middle of the `insertions` intervals with the lowest rates (all intervals if there are fewer):
/// Navarro, Huang and Deng, arXiv:1508.06268, section 4.
std::vector<double> with_midpoints(const GridTrial& trial, std::size_t insertions);

/// The same number of slots between the same ends, moved so that neighbours exchange equally often: the length
/// erfc^-1(rate) of an interval (Kofke, J. Chem. Phys. 117, 6911 (2002)) is spread evenly, linearly in 1 / T within
/// each old interval. `attempts` is how many exchanges a rate is the mean of; rates of 0 and 1 count as half an
/// exchange.
std::vector<double> with_equal_rates(const GridTrial& trial, double attempts);

/// Runs trials of `job` at its temperatures and the changed ones and writes the grid. Returns exit_done; throws
/// UserError.
int run_adapt(TemperingJob job, const AdaptOptions& options, const Execution& execution);

}  // namespace psflip::app
