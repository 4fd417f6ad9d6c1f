#include "simulation.hpp"

#include <cmath>

#include "engine/cpu/cpu.hpp"

namespace psflip::exact {

namespace {

/// Adds `weight` times the average over the replicas to the row of each sample.
void add_averages(const System& system, const Observation& seen, double weight, Blocks& rows) {
  const auto replicas = static_cast<std::size_t>(system.replicas);
  for (std::size_t i = 0; i < seen[Integer::bond_sum].size(); ++i) {
    std::vector<double>& row = rows[i / replicas];
    const double B = double(seen[Integer::bond_sum][i]), M = double(seen[Integer::magnetization][i]);
    const double K = seen[Integer::magnetization_k2].empty() ? 0 : double(seen[Integer::magnetization_k2][i]) / 1024;
    const double values[column_count] = {B, B * B, std::abs(M), M * M, M * M * M * M, K};
    for (std::size_t column = 0; column < column_count; ++column)
      row[column] += weight / double(replicas) * values[column];
  }
}

}  // namespace

std::unique_ptr<Engine> engine_for(const System& system) { return cpu::make_engine(system, 1, 0); }

double field_sum_of(const System& system, const Observation& seen, std::size_t i) {
  if (!system.preset().has_field()) return 0;
  return double(seen[system.preset().has_random_field() ? Integer::field_sum : Integer::magnetization][i]);
}

double energy_of(const System& system, const Observation& seen, std::size_t i) {
  return -system.J * double(seen[Integer::bond_sum][i]) - system.h * field_sum_of(system, seen, i);
}

Blocks instant_averages(const System& system, const Observation& seen) {
  Blocks rows(system.samples, std::vector<double>(column_count, 0.0));
  add_averages(system, seen, 1, rows);
  return rows;
}

Blocks thermal_averages(const System& system, const Protocol& protocol) {
  const auto engine = engine_for(system);
  engine->advance(2 * protocol.warm_up);
  Blocks rows(system.samples, std::vector<double>(column_count, 0.0));
  for (std::uint64_t measurement = 0; measurement < protocol.measurements; ++measurement) {
    engine->advance(2 * protocol.interval);
    add_averages(system, engine->observe(), 1 / double(protocol.measurements), rows);
  }
  return rows;
}

System member_system(const Preset& preset, int L, double beta, std::uint64_t samples, int replicas) {
  System system;
  system.model = preset.model;
  system.L = L;
  system.betas = {beta};
  system.samples = samples;
  system.replicas = replicas;
  system.round.half_sweeps = 1;
  system.couplings = preset.has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  system.h = preset.has_field() ? 1 : 0;
  system.seed = 105;
  return system;
}

System square_lattice(int L, double beta, std::uint64_t samples, Start start) {
  System system = member_system(preset_of(Model::ising2d), L, beta, samples, 1);
  system.h = 0;
  system.seed = 101;
  system.start = start;
  return system;
}

System cubic_ferromagnet(int L, double beta, std::uint64_t samples) {
  System system = member_system(preset_of(Model::ea3d), L, beta, samples, 1);
  system.seed = 102;
  system.couplings = Couplings::ferromagnet;
  return system;
}

System spin_glass(int L, double beta, std::uint64_t samples, int replicas, Random random) {
  System system = member_system(preset_of(Model::ea3d), L, beta, samples, replicas);
  system.seed = 103;
  system.random = random;
  return system;
}

}  // namespace psflip::exact
