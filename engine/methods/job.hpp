#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/models/system.hpp"

namespace psflip {

/// Extended runs of the samples that relax slowest; of none by default.
struct ExtendedRuns {
  std::uint64_t packs = 0;  ///< packs of 32 samples that continue when all have their sweeps
  std::uint64_t times = 1;  ///< until they have so many times as many, a power of 2
  bool requested = false;   ///< by the user
};

struct Disorder;  ///< engine/driver/disorder

/// Couplings and fields that the user gives instead of those of the seed.
struct GivenDisorder {
  std::string hash;  ///< of the samples of the job and their signs (docs/file-format.md); empty: none are given
  std::shared_ptr<const Disorder> signs;
};

/// One job: a System, a method, and its measurements. Checked by validate().
struct Job {
  System system;  ///< betas and round are those of each leg
  Method method = Method::relaxation;
  std::vector<double> T;       ///< temperatures in units of J / k_B (without coupling: of h / k_B)
  std::vector<double> beta;    ///< 1 / T, or as given
  bool given_as_beta = false;  ///< which of the two the user gave, for messages
  std::uint64_t sweeps = 0;
  std::uint64_t measure_interval = 0;   ///< sweeps between measurements; tempering 0: every round is measured
  std::uint64_t exchange_interval = 0;  ///< tempering: sweeps before each round of exchanges
  std::uint64_t bins = 0;               ///< of measurements: equilibrium equal, tempering logarithmic ones
  ExtendedRuns extended;
  GivenDisorder disorder;

  bool save_disorder = false, save_spins = false;
  std::vector<std::uint64_t> spins_after;  ///< sweeps after which spins are saved; empty: those at the end
};

/// One life of an engine: a System at the temperatures of its slots, and the rounds after which the host reads,
/// increasing; the last is the end. Several temperatures without exchanges are several legs of one slot, tempering is
/// one leg of many slots.
struct Leg {
  System system;
  std::vector<std::uint64_t> stops;
  /// The leg continues so many packs of the leg before, the slowest ones, from their state; 0: it starts anew.
  std::uint64_t slowest_packs = 0;
};

/// The steps of a job, in this order.
std::vector<Leg> legs_of(const Job& job);
/// The System of the first leg, and the stops of all legs: without the lists of stops, which may be long.
System first_system(const Job& job);
std::uint64_t stops_of(const Job& job);

/// Throws UserError in one sentence if the job cannot be simulated as the contracts demand.
void validate(const Job& job);

/// The job as the TOML file that `psflip --config` reads: a table named after model and method. It identifies the job
/// of a checkpoint.
std::string to_toml(const Job& job);

/// In the order of integer_table.
std::vector<std::string> names_of(const IntegerSet& integers);
std::string name_of(Model model);
std::string name_of(Random random);
std::string name_of(Packing packing);
std::string name_of(Start start);
std::string name_of(Couplings couplings);

}  // namespace psflip
