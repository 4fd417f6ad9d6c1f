#pragma once
#include <CLI/CLI.hpp>

/// The subcommands of psflip-analysis for exchange Monte Carlo alone, as those of commands.hpp. They are apart from
/// these because a change of commands.hpp makes a study run all its stages again (docs/workflow.md).
namespace psflip::app {

void add_interpolate(CLI::App& app);
void add_specific_heat(CLI::App& app);
void add_log_bins(CLI::App& app);
void add_sample_times(CLI::App& app);
void add_overlaps(CLI::App& app);
void add_join_blocks(CLI::App& app);

}  // namespace psflip::app
