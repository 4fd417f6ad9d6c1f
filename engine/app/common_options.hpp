#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/app/run_job.hpp"

namespace psflip::app {

/// Values that every model has on the command line, as they stand there.
struct CommonOptions {
  int L = 0;
  std::vector<std::string> T;
  std::string samples;
  std::int64_t sweeps = 0, seed = 0;
  std::string random, start = "random";
  bool save_disorder = false, save_spins = false;
  std::string output, checkpoint, gpu_lock;
  Execution execution;
};

/// Returns the option --T, for what excludes it.
CLI::Option* add_common_options(CLI::App& sub, CommonOptions& o, const std::string& meaning_of_T,
                                const std::string& meaning_of_disorder);

/// How the job is to be run; throws UserError.
Execution execution_of(const CommonOptions& o);

}  // namespace psflip::app
