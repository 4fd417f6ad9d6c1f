#pragma once
#include "systems.hpp"

/// Systems by their shape, for tests of sizes.
namespace psflip::equality {

struct Shape {
  int L;
  std::uint64_t samples;
  int replicas = 1;
};

/// 3D spin glass from a random start at one temperature; a round is a half sweep.
NamedSystem spin_glass(const Shape& shape, Random random, double beta = 0.9);
/// 2D ferromagnet, the same.
NamedSystem square_ferromagnet(const Shape& shape, Packing packing, double beta = 0.44);

/// Exchange Monte Carlo of the 3D random-field model with slots at T = 3.6, 3.63, ....
struct Grid {
  int L;
  double h;
  std::size_t slots;
  std::uint64_t samples, sweeps_per_round = 1, rounds_per_sum = 1;
  Start start = Start::random;
};
NamedSystem random_field_grid(const Grid& grid);

}  // namespace psflip::equality
