#include "engine/app/options/job_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/methods/methods_of.hpp"

namespace psflip::app {

namespace {

const std::string physics = "Physics", grid = "Grid", files = "Files", machine = "Machine";

using App = CLI::App;

bool always(const Preset&, JobCommand) { return true; }
bool has_field(const Preset& preset, JobCommand) { return preset.has_field(); }
bool exchanges(const Preset&, JobCommand command) {
  return command == JobCommand::tempering || command == JobCommand::adapt;
}
bool is_tempering(const Preset&, JobCommand command) { return command == JobCommand::tempering; }
bool is_adapt(const Preset&, JobCommand command) { return command == JobCommand::adapt; }
bool is_no_adapt(const Preset&, JobCommand command) { return command != JobCommand::adapt; }
bool has_fixed_temperatures(const Preset& preset, JobCommand command) { return !exchanges(preset, command); }
bool has_intervals(const Preset&, JobCommand command) {
  return command == JobCommand::equilibrium || command == JobCommand::tempering;
}
bool has_replicas(const Preset& preset, JobCommand command) {
  return preset.has_disorder() || exchanges(preset, command);
}
bool has_random_bonds(const Preset& preset, JobCommand) { return preset.has_random_bonds(); }
bool tempers_random_bonds(const Preset& preset, JobCommand command) {
  return preset.has_random_bonds() && command == JobCommand::tempering;
}
bool packs_sites(const Preset& preset, JobCommand command) {
  return preset.packs_sites() && has_fixed_temperatures(preset, command);
}
bool measures_more(const Preset& preset, JobCommand command) { return optional_integers(preset, command).bits != 0; }
bool has_disorder(const Preset& preset, JobCommand) { return preset.has_disorder(); }
bool saves_disorder(const Preset& preset, JobCommand command) {
  return preset.has_disorder() && is_no_adapt(preset, command);
}

std::vector<JobOption> energy_options() {
  return {
      {"--L", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--L", o.L, "linear size, even, at least 4")->required()->group(physics);
       }},
      {"--T", always, "",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand command) {
         app.add_option("--T", o.T,
                        exchanges(preset, command) ? "temperature slots in J / k_B, increasing, comma separated"
                                                   : "temperatures in J / k_B, comma separated")
             ->group(physics);
       }},
      {"--beta", is_no_adapt, "adapt begins with temperatures, --T",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand command) {
         app.add_option("--beta", o.beta,
                        exchanges(preset, command) ? "inverse temperatures instead of --T, decreasing"
                                                   : "inverse temperatures instead of --T")
             ->excludes("--T")
             ->group(physics);
       }},
      {"--grid", is_tempering, "only tempering has a grid of temperatures",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand) {
         app.add_option("--grid", o.grid, "temperatures from a file of psflip " + std::string(preset.name) + " adapt")
             ->excludes("--T")
             ->excludes("--beta")
             ->group(physics);
       }},
      {"--h", has_field, "the model has no field",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand) {
         app.set_help_flag("--help", "print this help");  // without -h, which newer versions of CLI11 take for --h
         CLI::Option* h = app.add_option("--h", o.h, "strength of the field")->group(physics);
         preset.has_random_field() ? h->required() : h->capture_default_str();
       }},
      {"--J", has_field, "without a field J is the unit of temperature",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--J", o.J, "ferromagnetic coupling")->capture_default_str()->group(physics);
       }},
  };
}

std::vector<JobOption> sample_options() {
  return {
      {"--samples", always, "",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand) {
         const bool may_be_in_file = preset.has_disorder();
         app.add_option("--samples", o.samples,
                        may_be_in_file ? "FIRST:COUNT, global sample ids; required without --disorder"
                                       : "FIRST:COUNT, global sample ids")
             ->required(!may_be_in_file)
             ->group(physics);
       }},
      {"--sweeps", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--sweeps", o.sweeps, "sweeps of every sample")->required()->group(physics);
       }},
      {"--seed", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--seed", o.seed, "seed, 0 to 2^32 - 1")->required()->group(physics);
       }},
      {"--random", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--random", o.random, "shared (one number per site and 32 samples) or independent")
             ->group(physics);
       }},
      {"--start", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--start", o.start, "initial spins: random or ordered")->capture_default_str()->group(physics);
       }},
      {"--replicas", has_replicas, "samples without disorder are replicas of each other",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand command) {
         app.add_option(
                "--replicas", o.replicas,
                exchanges(preset, command) ? "independent sets of replicas, 2 to 8" : "copies of each sample, 1 to 8")
             ->capture_default_str()
             ->group(physics);
       }},
      {"--packing", packs_sites, "only square lattices without disorder and field pack sites",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--packing", o.packing, "samples or sites in a word; auto: sites for L >= 1024")
             ->capture_default_str()
             ->group(physics);
       }},
  };
}

std::vector<JobOption> disorder_options() {
  return {
      {"--disorder", has_disorder, "the model has no disorder",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--disorder", o.disorder,
                        "couplings or fields from this file instead of the seed; without --samples all its samples")
             ->group(physics);
       }},
      {"--disorder-hash", has_disorder, "the model has no disorder",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--disorder-hash", o.disorder_hash, "refuse a file of --disorder with other samples or signs")
             ->group(physics);
       }},
      {"--couplings", has_random_bonds, "the model has no random bonds",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--couplings", o.couplings, "bimodal or ferromagnet")->capture_default_str()->group(physics);
       }},
      {"--p", has_random_bonds, "the model has no random bonds",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--p", o.p, "probability of J = -1 [0.5]")->group(physics);
       }},
  };
}

std::vector<JobOption> schedule_options() {
  return {
      {"--measure", measures_more,
       "only relaxation and tempering of models with random bonds measure more than they have to",
       [](App& app, JobOptions& o, const Preset& preset, JobCommand command) {
         app.add_option("--measure", o.measure,
                        fmt::format("also measure, comma separated: {}",
                                    fmt::join(names_of(optional_integers(preset, command)), ", ")))
             ->group(physics);
       }},
      {"--exchange-interval", exchanges, "only tempering exchanges configurations",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--exchange-interval", o.exchange_interval, "sweeps between exchanges")
             ->capture_default_str()
             ->group(physics);
       }},
      {"--measure-interval", has_intervals, "relaxation measures at logarithmic times, adapt counts exchanges",
       [](App& app, JobOptions& o, const Preset&, JobCommand command) {
         app.add_option(
                "--measure-interval", o.measure_interval,
                command == JobCommand::equilibrium
                    ? "sweeps between measurements [10]"
                    : "sweeps between measurements, a multiple of --exchange-interval [0: after every exchange]")
             ->group(physics);
       }},
      {"--bins", has_intervals, "relaxation keeps every measurement, adapt the second half of each trial",
       [](App& app, JobOptions& o, const Preset&, JobCommand command) {
         app.add_option("--bins", o.bins,
                        command == JobCommand::equilibrium
                            ? "equal bins of measurements kept per sample [32]"
                            : "logarithmic bins of time [0: as many as there are, up to 6]")
             ->group(physics);
       }},
      {"--longer", is_tempering, "only tempering has extended runs",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--longer", o.longer,
                        "PACKS:TIMES, the slowest PACKS of 32 samples continue until they have TIMES x --sweeps")
             ->group(physics);
       }},
      {"--link-overlap-slots", tempers_random_bonds, "only tempering of random bonds has a histogram of the overlap",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--link-overlap-slots", o.link_overlap_slots,
                        "slots, 0 is the coldest, comma separated: sum the link overlap in each bin of the overlap")
             ->group(physics);
       }},
  };
}

std::vector<JobOption> grid_options() {
  return {
      {"--method", is_adapt, "only adapt makes a grid of temperatures",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--method", o.adapt.method, "insert midpoints, or move slots to equal-rates")
             ->capture_default_str()
             ->group(grid);
       }},
      {"--slots", is_adapt, "only adapt makes a grid of temperatures",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--slots", o.adapt.slots, "equally spaced slots of the first trial between --T LOW,HIGH")
             ->group(grid);
       }},
      {"--trials", is_adapt, "only adapt makes a grid of temperatures",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--trials", o.adapt.trials,
                        "trials after which the grid is changed; one more measures the last grid")
             ->capture_default_str()
             ->group(grid);
       }},
      {"--insertions", is_adapt, "only adapt makes a grid of temperatures",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--insertions", o.adapt.insertions, "insert: new slots after each trial")
             ->capture_default_str()
             ->group(grid);
       }},
      {"--target", is_adapt, "only adapt makes a grid of temperatures",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--target", o.adapt.target, "stop when the lowest exchange rate is at least this")->group(grid);
       }},
  };
}

std::vector<JobOption> file_options() {
  return {
      {"--save-disorder", saves_disorder, "there is no disorder to save",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_flag("--save-disorder", o.save_disorder, "write couplings and fields")->group(files);
       }},
      {"--save-spins", is_no_adapt, "adapt writes a grid",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--save-spins", o.save_spins,
                        "write the configurations at the end, or after these sweeps, comma separated")
             ->expected(0, 1)
             ->type_name("[last|LIST]")
             ->group(files);
       }},
      {"--output", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--output", o.output, "file to write")->required()->group(files);
       }},
      {"--checkpoint", is_no_adapt, "trials of adapt are short and begin anew",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--checkpoint", o.checkpoint, "continue from this file if it exists, and keep it up to date")
             ->group(files);
       }},
      {"--checkpoint-interval", is_no_adapt, "trials of adapt are short and begin anew",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--checkpoint-interval", o.execution.checkpoint_interval,
                        "seconds between checkpoints [600, or 100 times the duration of one]")
             ->group(files);
       }},
      {"--max-seconds", is_no_adapt, "trials of adapt are short and begin anew",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--max-seconds", o.execution.max_seconds, "stop at a checkpoint after this time, exit code 75")
             ->group(files);
       }},
  };
}

std::vector<JobOption> machine_options() {
  return {
      {"--gpu-lock", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--gpu-lock", o.gpu_lock, "lock file of a shared GPU: one job simulates at a time")
             ->envname("PSFLIP_GPU_LOCK")
             ->group(machine);
       }},
      {"--max-memory", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--max-memory", o.execution.max_memory,
                        "GiB of memory that the job may take [as much as is available]")
             ->group(machine);
       }},
      {"--print-memory", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_flag("--print-memory", o.execution.print_memory,
                      "print the bytes of memory that the job needs as JSON, and do nothing else")
             ->group(machine);
       }},
      {"--backend", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--backend", o.execution.backend, "auto, cpu or cuda")->capture_default_str()->group(machine);
       }},
      {"--threads", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--threads", o.execution.threads, "threads")->capture_default_str()->group(machine);
       }},
      {"--word-bits", always, "",
       [](App& app, JobOptions& o, const Preset&, JobCommand) {
         app.add_option("--word-bits", o.execution.word_bits, "word width 64, 256 or 512; 0 takes the widest")
             ->capture_default_str()
             ->group(machine);
       }},
  };
}

}  // namespace

std::string_view name_of(JobCommand command) {
  return command == JobCommand::adapt ? std::string_view("adapt") : psflip::name_of(method_of(command));
}

Method method_of(JobCommand command) {
  if (command == JobCommand::relaxation) return Method::relaxation;
  return command == JobCommand::equilibrium ? Method::equilibrium : Method::tempering;
}

std::vector<JobCommand> commands_of(const Preset& preset) {
  const std::vector<Method> methods = methods_of(preset);
  std::vector<JobCommand> commands;
  for (const JobCommand command :
       {JobCommand::relaxation, JobCommand::equilibrium, JobCommand::tempering, JobCommand::adapt})
    if (std::find(methods.begin(), methods.end(), method_of(command)) != methods.end()) commands.push_back(command);
  return commands;
}

const std::vector<JobOption>& job_options() {
  static const std::vector<JobOption> all = [] {
    std::vector<JobOption> options = energy_options();
    for (const auto& more :
         {sample_options(), disorder_options(), schedule_options(), grid_options(), file_options(), machine_options()})
      options.insert(options.end(), more.begin(), more.end());
    return options;
  }();
  return all;
}

void add_job_options(CLI::App& app, JobOptions& values, const Preset& preset, JobCommand command) {
  values.replicas = default_replicas(preset, command);
  for (const JobOption& option : job_options())
    if (option.exists(preset, command)) option.add(app, values, preset, command);
}

IntegerSet optional_integers(const Preset& preset, JobCommand command) {
  IntegerSet all;
  if (command == JobCommand::relaxation) all = optional_integers_of(preset);
  // tempering measures the link overlap always
  if (command == JobCommand::tempering && preset.has_random_bonds()) all.add(Integer::magnetization_k2);
  return all;
}

int default_replicas(const Preset& preset, JobCommand command) {
  if (preset.has_random_bonds()) return 4;
  return preset.has_disorder() || method_of(command) == Method::tempering ? 2 : 1;
}

}  // namespace psflip::app
