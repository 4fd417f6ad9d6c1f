#pragma once
#include <cstdint>
#include <memory>

#include "engine/driver/engine.hpp"
#include "tests/exact/references/statistics.hpp"

namespace psflip::exact {

/// Sweeps before the first measurement, number of measurements, sweeps between two of them.
struct Protocol {
  std::uint64_t warm_up, measurements, interval;
};

/// Columns of thermal_averages; everything is a total, not divided by the number of sites.
enum Column : std::size_t { bonds, bonds_2, abs_m, m_2, m_4, k2, column_count };

/// The widest CPU engine of this machine, one thread.
std::unique_ptr<Engine> engine_for(const System& system);

/// Field sum of copy `i` (sample and replica): F = M in a uniform field, 0 without a field.
double field_sum_of(const System& system, const Observation& seen, std::size_t i);
/// E = -J B - h F of copy `i`.
double energy_of(const System& system, const Observation& seen, std::size_t i);

/// Averages over the replicas of one observation, one row for each sample.
Blocks instant_averages(const System& system, const Observation& seen);

/// Averages over time and replicas, one row for each sample.
Blocks thermal_averages(const System& system, const Protocol& protocol);

/// Systems at one temperature; a round is a half sweep.
/// The same of any member of the family, at J = 1 and, with a field, h = 1.
System member_system(const Preset& preset, int L, double beta, std::uint64_t samples, int replicas);
System square_lattice(int L, double beta, std::uint64_t samples, Start start);
System cubic_ferromagnet(int L, double beta, std::uint64_t samples);
System spin_glass(int L, double beta, std::uint64_t samples, int replicas, Random random);

}  // namespace psflip::exact
