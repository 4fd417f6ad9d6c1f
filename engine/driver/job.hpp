#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/driver/engine.hpp"

namespace psflip {

/// One job: a System at each of a list of temperatures, and what to measure when. Checked by validate().
struct Job {
  System system;               ///< beta is set per temperature by the simulation
  std::vector<double> T;       ///< temperatures in units of J / k_B
  std::vector<double> beta;    ///< 1 / T, or as given
  bool given_as_beta = false;  ///< which of the two the user gave, for messages
  std::uint64_t sweeps = 0;
  std::uint64_t measure_interval = 10;  ///< ising2d: sweeps between measurements
  std::uint64_t bins = 32;              ///< ising2d: equal bins of measurements kept per sample

  bool save_disorder = false, save_spins = false;
};

std::string name_of(Model model);
std::string name_of(Random random);
std::string name_of(Packing packing);
std::string name_of(Start start);
std::string name_of(Couplings couplings);

/// Throws UserError in one sentence if the contracts do not define the lattice, the samples or the random numbers.
void validate_system(const System& system);

/// Throws UserError in one sentence if the job cannot be simulated as the contracts demand.
void validate(const Job& job);

/// The job as the TOML file that `psflip --config` reads.
std::string to_toml(const Job& job);

/// Sweeps at which a job measures: ea3d at the unique integers floor(2^(k/4)) and at the end, ising2d every interval.
std::vector<std::uint64_t> measurement_times(const Job& job);

}  // namespace psflip
