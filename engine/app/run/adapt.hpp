#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/app/run/grid_file.hpp"
#include "engine/app/run/run_job.hpp"

namespace psflip::app {

/// How a grid of temperatures is made: docs/rfim3d.md.
struct AdaptOptions {
  std::string method = "insert";      ///< or "equal-rates"
  std::optional<std::int64_t> slots;  ///< without it the temperatures of the job as they are
  std::int64_t trials = 10;           ///< changes of the grid
  std::int64_t insertions = 2;        ///< new slots a trial
  double target = 0;                  ///< lowest rate that is enough; 0: none
};

/// Runs trials of `job` at its temperatures and the changed ones and writes the grid. Returns exit_done; throws
/// UserError.
int run_adapt(Job job, const AdaptOptions& options, const Execution& execution);

}  // namespace psflip::app
