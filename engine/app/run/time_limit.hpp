#pragma once
#include <optional>

#include "engine/app/run/run_job.hpp"

namespace psflip::app {

/// Seconds from now after which a job stops with a checkpoint: --max-seconds, and where the job has a checkpoint 95 %
/// of the time that SLURM leaves it (environment variable SLURM_JOB_END_TIME, seconds since 1970, of sbatch), whichever
/// is less. None without a limit. An end that has passed is no limit: the time of the SLURM job was extended.
std::optional<double> seconds_allowed(const Execution& execution);

}  // namespace psflip::app
