#pragma once
#include <CLI/CLI.hpp>

/// The commands of psflip-lab, a file each. add_NAME() adds the command with its options and its callback, which throws
/// UserError.
namespace psflip {
class Ranks;
}

namespace psflip::laboratory {

void add_bands(CLI::App& app);
void add_field_tiles(CLI::App& app);
void add_generators(CLI::App& app);
void add_glass2d(CLI::App& app);
void add_gpus(CLI::App& app);
void add_heisenberg(CLI::App& app);
void add_ising2d(CLI::App& app);
void add_layouts(CLI::App& app);
void add_multi_hit(CLI::App& app);
void add_reference(CLI::App& app);
void add_relaxation(CLI::App& app);
void add_tempering(CLI::App& app);

/// The command for several processes.
void add_exchange(CLI::App& app, Ranks& ranks);

inline void add_commands(CLI::App& app) {
  add_bands(app);
  add_field_tiles(app);
  add_generators(app);
  add_glass2d(app);
  add_gpus(app);
  add_heisenberg(app);
  add_ising2d(app);
  add_layouts(app);
  add_multi_hit(app);
  add_reference(app);
  add_relaxation(app);
  add_tempering(app);
}

}  // namespace psflip::laboratory
