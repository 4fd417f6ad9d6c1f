#pragma once
#include <optional>

#include "engine/app/adapt.hpp"
#include "engine/app/common_options.hpp"

namespace psflip::app {

/// Values of `psflip rfim3d` as they stand on the command line.
struct Rfim3dOptions : CommonOptions {
  Model model = presets[0].model;
  double h = 0, J = 1;
  std::string grid;
  std::optional<std::string> longer;
  std::int64_t exchange_interval = 10, measure_interval = 0, bins = 0;
  AdaptOptions adapt;
  CLI::App* run_adapt = nullptr;  ///< the subcommand
};

void add_rfim3d_options(CLI::App& sub, Rfim3dOptions& o);

/// Runs the job, or makes a grid. Returns the exit code; throws UserError.
int run_rfim3d_command(const Rfim3dOptions& o);

}  // namespace psflip::app
