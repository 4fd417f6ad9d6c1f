#include "system_shapes.hpp"

#include <fmt/format.h>

namespace psflip::equality {
namespace {

System from_random_start(Model model, const Shape& shape, double beta) {
  System s;
  s.model = model;
  s.L = shape.L;
  s.betas = {beta};
  s.first_sample = 31;
  s.samples = shape.samples;
  s.replicas = shape.replicas;
  s.seed = 3;
  s.round.half_sweeps = 1;
  return s;
}

}  // namespace

NamedSystem spin_glass(const Shape& shape, Random random, double beta) {
  System s = from_random_start(Model::ea3d, shape, beta);
  s.random = random;
  s.couplings = Couplings::bimodal;
  return {fmt::format("ea3d_{}_L{}_samples{}_replicas{}_beta{:.0f}",
                      random == Random::shared ? "shared" : "independent", s.L, s.samples, s.replicas, 100 * beta),
          s};
}

NamedSystem square_ferromagnet(const Shape& shape, Packing packing, double beta) {
  System s = from_random_start(Model::ising2d, shape, beta);
  s.packing = packing;
  return {fmt::format("ising2d_{}_L{}_samples{}_beta{:.0f}", packing == Packing::sites ? "sites" : "samples", s.L,
                      s.samples, 100 * beta),
          s};
}

NamedSystem random_field_grid(const Grid& grid) {
  System s = from_random_start(Model::rfim3d, {grid.L, grid.samples, 2}, 0);
  s.h = grid.h;
  s.betas.clear();
  for (std::size_t k = 0; k < grid.slots; ++k) s.betas.push_back(1 / (3.6 + 0.03 * static_cast<double>(k)));
  s.start = grid.start;
  s.round = {2 * grid.sweeps_per_round, grid.rounds_per_sum};
  return {fmt::format("rfim3d_L{}_h_percent{:.0f}_slots{}_samples{}_every{}", grid.L, 100 * grid.h, grid.slots,
                      grid.samples, grid.rounds_per_sum),
          s};
}

}  // namespace psflip::equality
