#pragma once
#include "engine/methods/job.hpp"

/// The methods as data: relaxation, equilibrium and tempering have one file each for their differences.
namespace psflip {

/// The rules of a method. All are called with jobs of this method only.
struct MethodRules {
  void (*validate)(const Job&);          ///< temperatures and schedule; throws UserError
  std::vector<Leg> (*legs)(const Job&);  ///< see legs_of()
  std::uint64_t (*stops)(const Job&);    ///< of the first leg
  std::string (*schedule)(const Job&);   ///< its lines of to_toml()
};

extern const MethodRules relaxation_rules, equilibrium_rules, tempering_rules;
const MethodRules& rules_of(Method method);

/// Throws UserError unless the condition holds.
void require(bool condition, const std::string& sentence);

/// Every temperature is a finite positive number, and so is its inverse.
void require_temperatures(const Job& job);
/// Checks of jobs at fixed temperatures: the list of temperatures, and that each has its own random numbers.
void validate_temperatures(const Job& job);
/// 1 to 2^31 - 1 sweeps.
void validate_sweeps(const Job& job);
/// One leg for each temperature.
std::vector<Leg> legs_of_temperatures(const Job& job, const std::vector<std::uint64_t>& stops);

/// Sweeps done at a stop of a leg.
std::uint64_t sweeps_at(const Leg& leg, std::size_t stop);
/// Number of spins that --save-spins writes; the largest number if there are more.
std::uint64_t saved_spins(const Job& job);
/// Spins are saved at stops, and not too many of them.
void validate_saved_spins(const Job& job);

/// Tempering: rounds, measurements and sweeps between two measurements.
std::uint64_t rounds_of(const Job& job);
std::uint64_t measurements_of(const Job& job);
std::uint64_t sweeps_per_measurement(const Job& job);
/// As many bins as the measurements of a job fill, up to six.
std::uint64_t default_bins(std::uint64_t measurements);
/// Rounds done at the end of each bin: bin j ends with measurement floor(measurements / 2^(bins - 1 - j)).
std::vector<std::uint64_t> bin_ends(const Job& job);
/// The System of a tempering job with all its slots and rounds.
System tempered_system(const Job& job);

}  // namespace psflip
