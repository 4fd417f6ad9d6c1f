#include "engine/app/run/adapt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/app/run/backend.hpp"
#include "engine/app/run/gpu_lock.hpp"
#include "engine/app/run/memory.hpp"
#include "engine/app/run/stop_signals.hpp"
#include "engine/app/say.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/methods/methods.hpp"

namespace psflip::app {

namespace {

/// Slots of the last grid.
std::size_t most_slots(const Job& job, const AdaptOptions& o) {
  const std::int64_t most = 1 << 20;  // no overflow
  const std::int64_t added = o.method == "insert" ? std::min(o.trials, most) * std::min(o.insertions, most) : 0;
  return job.T.size() + static_cast<std::size_t>(added);
}

void validate(const Job& job, const AdaptOptions& o) {
  require(o.trials >= 0, fmt::format("--trials {}: must not be negative, 0 measures the first grid only.", o.trials));
  require(o.insertions >= 1, fmt::format("--insertions {}: at least one slot is added in a trial.", o.insertions));
  require(o.target >= 0 && o.target < 1, fmt::format("--target {}: a rate lies between 0 and 1.", o.target));
  require(job.exchange_interval > 0, "--exchange-interval 0: use at least 1 sweep between exchanges.");
  require(rounds_of(job) >= 4,
          fmt::format("--sweeps {}: a trial needs at least 4 exchange intervals, use more sweeps.", job.sweeps));
  const std::size_t most = 256, last = most_slots(job, o);
  require(last <= most, fmt::format("--trials {} --insertions {}: the grid would grow from {} to {} slots, at most {} "
                                    "have random numbers; use fewer.",
                                    o.trials, o.insertions, job.T.size(), last, most));
}

GridTrial run_trial(Job job, const std::vector<double>& T, const Execution& execution) {
  job.T = T;
  job.beta.clear();
  for (const double t : T) job.beta.push_back(1 / t);
  psflip::validate(job);
  Ranks& ranks = *execution.ranks;
  const System job_system = legs_of(job).front().system;
  require_shares(job_system, ranks);
  Simulation simulation(job, choose_backend(execution).engine_on(ranks), ranks);
  {
    std::optional<GpuLock> lock;  // the first rank has it for all
    if (execution.gpu_lock && ranks.is_first()) lock.emplace(*execution.gpu_lock, [] { return false; });
    simulation.run([] { return false; }, [] {});
  }
  GridTrial trial{T, exchange_rates(simulation.recorder())};
  ranks.broadcast(trial.rates.data(), trial.rates.size() * sizeof(double));  // rank 0 has the counts
  if (!ranks.is_first()) return trial;
  say("{} slots: exchange rates {:.3f} to {:.3f}, {:.1f} s\n", T.size(), trial.lowest_rate(),
      *std::max_element(trial.rates.begin(), trial.rates.end()), simulation.seconds());
  return trial;
}

/// The options of psflip MODEL adapt as the TOML file that `psflip --config` reads.
std::string job_text(const Job& job, const AdaptOptions& o) {
  std::string text = to_toml(job);
  const auto replace = [&](const std::string& old, const std::string& by) {
    text.replace(text.find(old), old.size(), by);
  };
  replace(fmt::format(".{}]", psflip::name_of(job.method)), ".adapt]");
  replace(fmt::format("bins = {}\n", job.bins), "");  // of every trial, not an option of adapt
  text += fmt::format("method = \"{}\"\ntrials = {}\n", o.method, o.trials);
  if (o.method == "insert") text += fmt::format("insertions = {}\n", o.insertions);
  if (o.target > 0) text += fmt::format("target = {}\n", o.target);
  return text;
}

}  // namespace

int run_adapt(Job job, const AdaptOptions& o, const Execution& execution) {
  job.bins = 2;
  if (o.slots) job.T = equally_spaced(job.T[0], job.T[1], static_cast<std::size_t>(*o.slots));
  job.beta.clear();
  for (const double T : job.T) job.beta.push_back(1 / T);
  validate(job, o);
  psflip::validate(job);
  Job largest = job;
  largest.beta.resize(most_slots(job, o), job.beta.back());
  const Backend backend = choose_backend(execution);
  if (execution.print_memory) {
    print_memory(largest, backend, execution);
    return exit_done;
  }
  require_memory(largest, backend, execution);
  if (execution.ranks->is_first()) require_files(execution);
  end_on_stop_signals();
  const System& s = job.system;
  Grid grid{std::string(model_name(s.model)), s.L, s.J, s.h, s.p, o.method, job_text(job, o), {}};
  // A pair of neighbouring slots tries to exchange in every second round; the rates are of the second half of the run.
  const std::uint64_t rounds = rounds_of(job) / 4;
  const double attempts = static_cast<double>(rounds) * static_cast<double>(job.system.samples) * job.system.replicas;
  std::vector<double> T = job.T;
  for (std::int64_t changes = 0;; ++changes) {
    grid.trials.push_back(run_trial(job, T, execution));
    const GridTrial& trial = grid.trials.back();
    if (changes == o.trials || (o.target > 0 && trial.lowest_rate() >= o.target)) break;
    T = o.method == "insert" ? with_midpoints(trial, static_cast<std::size_t>(o.insertions))
                             : with_equal_rates(trial, attempts);
  }
  if (execution.ranks->is_first()) write_grid(execution.output, grid);
  return exit_done;
}

}  // namespace psflip::app
