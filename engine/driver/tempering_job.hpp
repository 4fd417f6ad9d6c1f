#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/driver/tempering_engine.hpp"

namespace psflip {

/// Longer runs of the samples that relax slowest; of none by default.
struct Longer {
  std::uint64_t packs = 0;  ///< packs of 32 samples that go on when all have their sweeps
  std::uint64_t times = 1;  ///< until they have so many times as many, a power of 2
  bool asked = false;       ///< whether a user did
};

/// One job of exchange Monte Carlo. Checked by validate().
struct TemperingJob {
  TemperingSystem system;
  std::vector<double> T;  ///< of the slots in units of J / k_B; system.betas are 1 / T
  std::uint64_t sweeps = 0;
  std::uint64_t bins = 1;  ///< logarithmic bins of time
  Longer longer;

  bool save_disorder = false, save_spins = false;

  std::uint64_t rounds() const { return sweeps / system.exchange_interval; }
  std::uint64_t measurements() const { return sweeps / system.sweeps_per_measurement(); }
};

/// As many bins as the measurements of a job fill, up to six.
std::uint64_t default_bins(std::uint64_t measurements);

/// Rounds done at the end of each bin: bin j ends with measurement floor(measurements / 2^(bins - 1 - j)). Behind the
/// bins of all samples those of job.longer, each twice as long as all before it.
std::vector<std::uint64_t> bin_ends(const TemperingJob& job);

/// Throws UserError in one sentence if the job cannot be simulated as the contracts demand.
void validate(const TemperingJob& job);

/// The job as the TOML file that `psflip --config` reads.
std::string to_toml(const TemperingJob& job);

}  // namespace psflip
