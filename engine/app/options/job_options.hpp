#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/app/run/adapt.hpp"
#include "engine/app/run/run_job.hpp"

namespace psflip::app {

/// Task of `psflip MODEL COMMAND`: one of the methods, or a grid of temperatures for tempering.
enum class JobCommand { relaxation, equilibrium, tempering, adapt };

std::string_view name_of(JobCommand command);
Method method_of(JobCommand command);

/// The commands of a model: its methods, and adapt where tempering is one of them.
std::vector<JobCommand> commands_of(const Preset& preset);

/// Values of the options as they stand on the command line.
struct JobOptions {
  int L = 0;
  std::vector<std::string> T, beta;
  std::string grid, samples, disorder, disorder_hash;
  std::int64_t sweeps = 0, seed = 0;
  std::string random, start = "random", couplings = "bimodal", packing = "auto";
  std::optional<std::string> measure;
  int replicas = 0;
  double h = 0, J = 1;
  std::optional<double> p;
  std::optional<std::int64_t> measure_interval, bins;
  std::int64_t exchange_interval = 10;
  std::optional<std::string> longer;
  std::vector<std::string> link_overlap_slots;
  bool save_disorder = false;
  std::optional<std::string> save_spins;
  std::string output, checkpoint, gpu_lock;
  AdaptOptions adapt;
  Execution execution;
};

/// An option: for which models and commands it exists, and why it does not for the others. The table is the only place
/// that says so.
struct JobOption {
  std::string name;  ///< with its dashes
  bool (*exists)(const Preset& preset, JobCommand command);
  std::string needs;  ///< the property that a model or command without this option lacks
  void (*add)(CLI::App& app, JobOptions& values, const Preset& preset, JobCommand command);
};
const std::vector<JobOption>& job_options();

/// Adds the options of a model and command.
void add_job_options(CLI::App& app, JobOptions& values, const Preset& preset, JobCommand command);

/// The integers that a job may measure in addition.
IntegerSet optional_integers(const Preset& preset, JobCommand command);
/// Replicas of each sample if the user gives no number.
int default_replicas(const Preset& preset, JobCommand command);

/// The job, and how it is to be run; throw UserError.
Job job_of(const JobOptions& values, const Preset& preset, JobCommand command);
Execution execution_of(const JobOptions& values);
/// The rules of a grid of temperatures; throws UserError.
AdaptOptions adapt_of(const JobOptions& values);

}  // namespace psflip::app
