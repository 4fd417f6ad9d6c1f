#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/methods/adapted_grid.hpp"
#include "engine/models/system.hpp"

namespace psflip::app {

/// A grid of temperatures and how it came about: docs/files/grids.md.
struct Grid {
  std::string model;
  int L = 0;
  double J = 1, h = 1, p = 0.5;
  std::string method;
  std::string job;                ///< the options of the trials as TOML
  std::vector<GridTrial> trials;  ///< the last one is the grid
};

/// Throws UserError when the file cannot be written.
void write_grid(const std::filesystem::path& path, const Grid& grid);

/// The grid without the trials that led to it. Throws UserError naming the file when it is missing or not a grid.
Grid read_grid(const std::filesystem::path& path);

/// Throws UserError unless the grid was made for the model, L, J, h and p of the system.
void require_grid_for(const Grid& grid, const std::filesystem::path& path, const System& system);

}  // namespace psflip::app
