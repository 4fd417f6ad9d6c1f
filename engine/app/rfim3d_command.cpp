#include "engine/app/rfim3d_command.hpp"

#include <fmt/format.h>

#include "engine/app/grid_file.hpp"
#include "engine/app/parse.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

Longer parse_longer(const std::string& text) {
  const auto [packs, times] = parse_pair("--longer", text, "PACKS:TIMES", "4:8");
  return {packs, times, true};
}

std::vector<double> temperatures_of(const Rfim3dOptions& o) {
  if (!o.grid.empty()) {
    const Grid grid = read_grid(o.grid);
    require_grid_for(grid, o.grid, o.L, o.J, o.h);
    return grid.trials.back().temperatures;
  }
  return parse_reals("--T", o.T);
}

TemperingJob make_job(const Rfim3dOptions& o) {
  TemperingJob job;
  TemperingSystem& s = job.system;
  s.model = o.model;
  s.L = o.L;
  s.J = o.J;
  s.h = o.h;
  parse_samples(o.samples, s);
  s.replicas = tempering_sets;
  s.seed = parse_seed(o.seed);
  s.random =
      static_cast<Random>(choice("--random", o.random.empty() ? "independent" : o.random, {"shared", "independent"}));
  s.start = static_cast<Start>(choice("--start", o.start, {"random", "ordered"}));
  s.exchange_interval = not_negative("--exchange-interval", o.exchange_interval);
  s.measure_interval = not_negative("--measure-interval", o.measure_interval);
  job.T = temperatures_of(o);
  for (const double T : job.T) s.betas.push_back(1 / T);
  job.sweeps = not_negative("--sweeps", o.sweeps);
  job.bins = not_negative("--bins", o.bins);
  if (job.bins == 0 && s.exchange_interval > 0) job.bins = default_bins(job.measurements());
  if (o.longer) job.longer = parse_longer(*o.longer);
  job.save_disorder = o.save_disorder;
  job.save_spins = o.save_spins;
  return job;
}

void add_adapt_options(CLI::App& sub, AdaptOptions& o) {
  const std::string group = "Grid";
  sub.configurable();
  sub.fallthrough();
  sub.footer("Lattice, samples, trials' sweeps, seed, files and machine: the options of psflip rfim3d.");
  sub.add_option("--method", o.method, "insert midpoints, or move slots to equal-rates")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--slots", o.slots, "equally spaced slots of the first trial between --T LOW,HIGH")->group(group);
  sub.add_option("--trials", o.trials, "trials after which the grid is changed; one more measures the last grid")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--insertions", o.insertions, "insert: new slots after each trial")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--target", o.target, "stop when the lowest exchange rate is at least this")->group(group);
}

/// What of the options of a production job and of its own makes no sense for `adapt` is refused.
AdaptOptions checked_adapt(const Rfim3dOptions& o) {
  choice("--method", o.adapt.method, {"insert", "equal-rates"});
  if (!o.grid.empty()) throw UserError("--grid: adapt makes a grid, give --T LOW,HIGH and --slots N instead.");
  if (!o.checkpoint.empty())
    throw UserError("--checkpoint: trials are short and begin anew, run adapt without a checkpoint.");
  if (o.bins != 0)
    throw UserError("--bins: the rates of adapt are those of the second half of each trial, leave it out.");
  if (o.longer) throw UserError("--longer: trials end with their sweeps, leave it out.");
  if (o.measure_interval != 0)
    throw UserError("--measure-interval: adapt counts the exchanges of every round, leave it out.");
  if (o.adapt.slots != 0 && o.adapt.slots < 2)
    throw UserError(fmt::format("--slots {}: at least 2 slots are needed to exchange.", o.adapt.slots));
  if (o.adapt.slots > 256)
    throw UserError(fmt::format("--slots {}: at most 256 slots have random numbers.", o.adapt.slots));
  if (o.adapt.slots != 0 && parse_reals("--T", o.T).size() != 2)
    throw UserError("--slots: needs the two ends of the grid as --T LOW,HIGH.");
  return o.adapt;
}

}  // namespace

void add_rfim3d_options(CLI::App& sub, Rfim3dOptions& o) {
  const std::string group = "Physics";
  sub.set_help_flag("--help", "print this help");  // without -h, which newer versions of CLI11 take for --h
  CLI::Option* T =
      add_common_options(sub, o, "temperature slots in J / k_B, increasing, comma separated", "write the fields");
  sub.add_option("--grid", o.grid, "temperatures from a file of psflip rfim3d adapt")->excludes(T)->group(group);
  sub.add_option("--h", o.h, "strength of the field")->required()->group(group);
  sub.add_option("--J", o.J, "ferromagnetic coupling")->capture_default_str()->group(group);
  sub.add_option("--exchange-interval", o.exchange_interval, "sweeps between exchanges")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--measure-interval", o.measure_interval,
                 "sweeps between measurements, a multiple of --exchange-interval; 0: after every exchange")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--bins", o.bins, "logarithmic bins of time; 0: as many as there are, up to 6")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--longer", o.longer,
                 "PACKS:TIMES, the slowest PACKS of 32 samples go on until they have TIMES x --sweeps")
      ->group(group);
  o.run_adapt = sub.add_subcommand("adapt", "make a grid of temperatures whose neighbours exchange often");
  add_adapt_options(*o.run_adapt, o.adapt);
}

int run_rfim3d_command(const Rfim3dOptions& o) {
  if (!o.run_adapt->parsed()) {
    Execution execution = execution_of(o);
    execution.inputs.push_back({"--grid", o.grid});
    return run_job(make_job(o), execution);
  }
  const AdaptOptions adapt = checked_adapt(o);
  TemperingJob job = make_job(o);
  if (adapt.slots != 0) job.T = equally_spaced(job.T[0], job.T[1], static_cast<std::size_t>(adapt.slots));
  job.system.betas.clear();
  for (const double T : job.T) job.system.betas.push_back(1 / T);
  return run_adapt(job, adapt, execution_of(o));
}

}  // namespace psflip::app
