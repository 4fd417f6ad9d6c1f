#pragma once
#include <CLI/CLI.hpp>

/// The subcommands of psflip-analysis (docs/command-line.md). Each adds itself with its options and does its work when
/// parsing ends; errors that the user can correct are thrown as UserError, and no output file is left behind then.
namespace psflip::app {

void add_reduce(CLI::App& app);
void add_combine(CLI::App& app);
void add_crossing(CLI::App& app);
void add_compare(CLI::App& app);
void add_dynamics(CLI::App& app);
void add_critical(CLI::App& app);
void add_series(CLI::App& app);
void add_observables(CLI::App& app);
void add_info(CLI::App& app);

}  // namespace psflip::app
