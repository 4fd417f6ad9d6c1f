#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::app {

/// The text of a table (CSV) of all temperature slots of one size.
using TableOfSlots = std::string (*)(const std::vector<analysis::Ensemble>&);

/// Adds the subcommand `name`, which reads reduced files of tempering and writes their table; `output` describes it.
void add_table_of_slots(CLI::App& app, const std::string& name, const std::string& description,
                        const std::string& output, TableOfSlots table);

}  // namespace psflip::app
