#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/app/options/job_options.hpp"
#include "engine/app/options/parse.hpp"
#include "engine/app/run/grid_file.hpp"
#include "engine/driver/disorder/disorder.hpp"
#include "engine/io/error.hpp"
#include "engine/methods/methods.hpp"
#include "engine/methods/validate_system.hpp"

// Values of options to a Job and how to run it.
namespace psflip::app {

namespace {

void set_temperatures(const JobOptions& o, Job& job) {
  job.given_as_beta = o.T.empty() && !o.beta.empty();
  if (!o.grid.empty()) {
    const Grid found = read_grid(o.grid);
    require_grid_for(found, o.grid, job.system);
    job.T = found.trials.back().temperatures;
  } else if (job.given_as_beta) {
    job.beta = parse_reals("--beta", o.beta);
    for (const double beta : job.beta) job.T.push_back(1 / beta);
    return;
  } else {
    job.T = parse_reals("--T", o.T);
  }
  for (const double T : job.T) job.beta.push_back(1 / T);
}

Packing packing_of(const JobOptions& o, const Preset& preset, JobCommand command) {
  if (method_of(command) == Method::tempering) return Packing::samples;
  const int packing = choice("--packing", o.packing, {"samples", "sites", "auto"});
  if (packing != 2) return static_cast<Packing>(packing);
  return preset.packs_sites() && o.h == 0 && o.L >= 1024 && o.L % 64 == 0 ? Packing::sites : Packing::samples;
}

IntegerSet integers_of(const std::string& text, const Preset& preset, JobCommand command) {
  const std::vector<std::string> names = names_of(optional_integers(preset, command));
  IntegerSet integers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string& name =
        names[static_cast<std::size_t>(choice("--measure", text.substr(begin, end - begin), names))];
    for (const IntegerInfo& info : integer_table)
      if (info.name == name) integers.add(info.integer);
    begin = end + 1;
  }
  return integers;
}

System system_of(const JobOptions& o, const Preset& preset, JobCommand command) {
  System s;
  s.model = preset.model;
  s.L = o.L;
  if (!o.samples.empty()) parse_samples(o.samples, s);
  s.replicas = o.replicas;
  s.seed = parse_seed(o.seed);
  const bool shares =
      preset.has_random_bonds() && !preset.has_field() && o.couplings != "ferromagnet" && o.p.value_or(0.5) == 0.5;
  const std::string random = !o.random.empty() ? o.random : shares ? "shared" : "independent";
  s.random = static_cast<Random>(choice("--random", random, {"shared", "independent"}));
  s.start = static_cast<Start>(choice("--start", o.start, {"random", "ordered"}));
  if (preset.has_random_bonds())
    s.couplings = static_cast<Couplings>(choice("--couplings", o.couplings, {"bimodal", "ferromagnet"}));
  s.packing = packing_of(o, preset, command);
  if (o.measure) s.also = integers_of(*o.measure, preset, command);
  s.J = o.J;
  s.h = o.h;
  s.p = o.p.value_or(0.5);
  return s;
}

/// Reads what --disorder names into a job that has everything else of its system.
void give_disorder(const JobOptions& o, const Preset& preset, JobCommand command, Job& job) {
  if (o.disorder.empty()) {
    require(o.disorder_hash.empty(), "--disorder-hash: there is no file to compare it with, give --disorder FILE too.");
    require(!o.samples.empty(),
            fmt::format("--samples is required; see psflip {} {} --help.", preset.name, name_of(command)));
    return;
  }
  require(!o.p, "--p: the bonds are those of --disorder, whatever their probability; leave one of the two out.");
  require(o.couplings != "ferromagnet",
          "--couplings ferromagnet: the bonds are those of --disorder, leave one of the two out.");
  const DisorderFile file(o.disorder);
  if (o.samples.empty()) file.take_all_samples(job.system);
  validate_system(job);
  job.disorder = file.read(job.system);
  require(o.disorder_hash.empty() || o.disorder_hash == job.disorder.hash,
          fmt::format("--disorder-hash {}: the samples {}:{} of {} have the hash {}, give the file that the job had.",
                      o.disorder_hash, job.system.first_sample, job.system.samples, o.disorder, job.disorder.hash));
}

/// "last", which an option without a value gives too, or sweeps.
void set_saved_spins(const std::optional<std::string>& text, Job& job) {
  job.save_spins = text && *text != "false";
  if (!job.save_spins || *text == "last" || *text == "true" || text->empty()) return;
  job.spins_after = parse_sweeps("--save-spins", *text);
}

ExtendedRuns extended_runs_of(const std::string& text) {
  const auto [packs, times] = parse_pair("--longer", text, "PACKS:TIMES", "4:8");
  return {packs, times, true};
}

}  // namespace

Job job_of(const JobOptions& o, const Preset& preset, JobCommand command) {
  Job job;
  job.method = method_of(command);
  job.system = system_of(o, preset, command);
  set_temperatures(o, job);
  if (!o.link_overlap_slots.empty())
    job.system.link_overlap_slots = parse_slots("--link-overlap-slots", o.link_overlap_slots);
  job.sweeps = not_negative("--sweeps", o.sweeps);
  if (job.method == Method::equilibrium) {
    job.measure_interval = not_negative("--measure-interval", o.measure_interval.value_or(10));
    job.bins = not_negative("--bins", o.bins.value_or(32));
  } else if (job.method == Method::tempering) {
    job.exchange_interval = not_negative("--exchange-interval", o.exchange_interval);
    job.measure_interval = not_negative("--measure-interval", o.measure_interval.value_or(0));
    job.bins = not_negative("--bins", o.bins.value_or(0));
    if (job.bins == 0 && job.exchange_interval > 0) job.bins = default_bins(measurements_of(job));
    if (o.longer) job.extended = extended_runs_of(*o.longer);
  }
  job.save_disorder = o.save_disorder;
  set_saved_spins(o.save_spins, job);
  give_disorder(o, preset, command, job);
  return job;
}

Execution execution_of(const JobOptions& o) {
  Execution execution = o.execution;
  choice("--backend", execution.backend, {"auto", "cpu", "cuda"});
  execution.output = o.output;
  if (!o.checkpoint.empty()) execution.checkpoint = o.checkpoint;
  if (!o.gpu_lock.empty()) execution.gpu_lock = o.gpu_lock;
  if (!o.grid.empty()) execution.inputs.push_back({"--grid", o.grid});
  if (!o.disorder.empty()) execution.inputs.push_back({"--disorder", o.disorder});
  if (execution.max_seconds) require_seconds("--max-seconds", *execution.max_seconds);
  if (execution.checkpoint_interval) require_seconds("--checkpoint-interval", *execution.checkpoint_interval);
  if (execution.max_memory && !(std::isfinite(*execution.max_memory) && *execution.max_memory > 0))
    throw UserError(fmt::format("--max-memory {}: a finite positive number of GiB is needed, for example 8.",
                                *execution.max_memory));
  if (execution.max_seconds && !execution.checkpoint)
    throw UserError("--max-seconds: the work done would be lost, give a --checkpoint FILE too.");
  return execution;
}

AdaptOptions adapt_of(const JobOptions& o) {
  choice("--method", o.adapt.method, {"insert", "equal-rates"});
  if (!o.adapt.slots) return o.adapt;
  if (*o.adapt.slots < 2)
    throw UserError(fmt::format("--slots {}: at least 2 slots are needed to exchange, use --slots 2.", *o.adapt.slots));
  if (*o.adapt.slots > 256)
    throw UserError(fmt::format("--slots {}: at most 256 slots have random numbers, use fewer.", *o.adapt.slots));
  const std::vector<double> ends = parse_reals("--T", o.T);
  if (ends.size() != 2) throw UserError("--slots: needs the two ends of the grid as --T LOW,HIGH.");
  if (ends[0] >= ends[1])
    throw UserError(
        fmt::format("--T {},{}: the ends of a grid are two temperatures in increasing order, give --T "
                    "LOW,HIGH.",
                    ends[0], ends[1]));
  return o.adapt;
}

}  // namespace psflip::app
