#include "engine/app/rfim3d_command.hpp"

#include "engine/app/grid_file.hpp"
#include "engine/app/parse.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

std::vector<double> temperatures_of(const Rfim3dOptions& o) {
  if (!o.grid.empty()) {
    const Grid grid = read_grid(o.grid);
    require_grid_for(grid, o.grid, o.L, o.J, o.h);
    return grid.trials.back().temperatures;
  }
  std::vector<double> T;
  for (const std::string& text : o.T) T.push_back(parse_real("--T", text));
  return T;
}

TemperingJob make_job(const Rfim3dOptions& o) {
  TemperingJob job;
  TemperingSystem& s = job.system;
  s.model = Model::rfim3d;
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
  job.T = temperatures_of(o);
  for (const double T : job.T) s.betas.push_back(1 / T);
  job.sweeps = not_negative("--sweeps", o.sweeps);
  job.bins = not_negative("--bins", o.bins);
  if (job.bins == 0 && s.exchange_interval > 0) job.bins = default_bins(job.rounds());
  job.save_disorder = o.save_disorder;
  job.save_spins = o.save_spins;
  return job;
}

}  // namespace

void add_rfim3d_options(CLI::App& sub, Rfim3dOptions& o) {
  const std::string group = "Physics";
  CLI::Option* T =
      add_common_options(sub, o, "temperature slots in J / k_B, increasing, comma separated", "write the fields");
  sub.add_option("--grid", o.grid, "temperatures from a file of psflip rfim3d adapt")->excludes(T)->group(group);
  sub.add_option("--h", o.h, "strength of the field")->required()->group(group);
  sub.add_option("--J", o.J, "ferromagnetic coupling")->capture_default_str()->group(group);
  sub.add_option("--exchange-interval", o.exchange_interval, "sweeps between exchanges, each ends with a measurement")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--bins", o.bins, "logarithmic bins of time; 0: as many as there are, up to 6")
      ->capture_default_str()
      ->group(group);
}

int run_rfim3d_command(const Rfim3dOptions& o) { return run_job(make_job(o), execution_of(o)); }

}  // namespace psflip::app
