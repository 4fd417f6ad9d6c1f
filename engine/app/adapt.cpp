#include "engine/app/adapt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engine/app/backend.hpp"
#include "engine/app/say.hpp"
#include "engine/app/stop_signals.hpp"
#include "engine/app/gpu_lock.hpp"
#include "engine/driver/decomposed_tempering.hpp"
#include "engine/driver/job.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

void require(bool condition, const std::string& sentence) {
  if (!condition) throw UserError(sentence);
}

void validate(const TemperingJob& job, const AdaptOptions& o) {
  require(!job.save_disorder && !job.save_spins, "--save-disorder, --save-spins: adapt writes a grid, leave them out.");
  require(o.trials >= 0, fmt::format("--trials {}: must not be negative, 0 measures the first grid only.", o.trials));
  require(o.insertions >= 1, fmt::format("--insertions {}: at least one slot is added in a trial.", o.insertions));
  require(o.target >= 0 && o.target < 1, fmt::format("--target {}: a rate lies between 0 and 1.", o.target));
  require(job.rounds() >= 4,
          fmt::format("--sweeps {}: a trial needs at least 4 exchange intervals, ask for more sweeps.", job.sweeps));
  const std::int64_t most = 256, slots = static_cast<std::int64_t>(job.T.size());
  const std::int64_t last = o.method == "insert" ? slots + o.trials * o.insertions : slots;
  require(last <= most, fmt::format("--trials {} --insertions {}: the grid would grow from {} to {} slots, at most {} "
                                    "have random numbers; ask for fewer.",
                                    o.trials, o.insertions, slots, last, most));
}

/// Accepted share of the exchanges of each pair of slots in the second half of the run.
std::vector<double> rates_of(const TemperingRecorder& recorder) {
  io::LabelledFile file;
  file.datasets = recorder.datasets();
  const auto& attempts = file.values<std::int64_t>("exchange_attempts");
  const auto& accepted = file.values<std::int32_t>("exchange_accepted");
  const std::size_t pairs = attempts.size() / 2, row = accepted.size() / attempts.size();  // two bins
  std::vector<double> rates;
  for (std::size_t k = 0; k < pairs; ++k) {
    const auto first = accepted.begin() + static_cast<std::ptrdiff_t>((pairs + k) * row);
    const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(row), 0.0);
    rates.push_back(sum / (static_cast<double>(attempts[pairs + k]) * static_cast<double>(row)));
  }
  return rates;
}

/// x with erfc(x) = rate, 0 < rate < 1, by bisection.
double inverse_erfc(double rate) {
  double low = 0, high = 28;  // erfc(28) is below the smallest number
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    (std::erfc(middle) > rate ? low : high) = middle;
  }
}

GridTrial run_trial(TemperingJob job, const std::vector<double>& T, const Execution& execution) {
  job.T = T;
  job.system.betas.clear();
  for (const double t : T) job.system.betas.push_back(1 / t);
  psflip::validate(job);
  Ranks& ranks = *execution.ranks;
  require_slots(job.system, ranks);
  TemperingSimulation simulation(job, choose_backend(execution).tempering_on(ranks), ranks);
  {
    std::optional<GpuLock> lock;  // the first rank has it for all
    if (execution.gpu_lock && ranks.is_first()) lock.emplace(*execution.gpu_lock, [] { return false; });
    simulation.run([] { return false; }, [] {});
  }
  GridTrial trial{T, rates_of(simulation.recorder())};
  ranks.broadcast(trial.rates.data(), trial.rates.size() * sizeof(double));  // rank 0 has the counts
  if (!ranks.is_first()) return trial;
  say("{} slots: exchange rates {:.3f} to {:.3f}, {:.1f} s\n", T.size(), trial.lowest_rate(),
      *std::max_element(trial.rates.begin(), trial.rates.end()), simulation.seconds());
  return trial;
}

std::string job_text(const TemperingJob& job, const AdaptOptions& o) {
  std::string text = to_toml(job);
  const std::string bins = fmt::format("bins = {}\n", job.bins);  // of every trial, not an option of adapt
  text.erase(text.find(bins), bins.size());
  text += fmt::format("[{}.adapt]\nmethod = \"{}\"\ntrials = {}\n", name_of(job.system.model), o.method, o.trials);
  if (o.method == "insert") text += fmt::format("insertions = {}\n", o.insertions);
  if (o.target > 0) text += fmt::format("target = {}\n", o.target);
  return text;
}

/// A temperature as people write it. Temperatures enter the random numbers bit by bit; the last bits of erfc() and of
/// divisions differ between machines and must not.
double rounded(double T) { return std::round(T * 1e5) / 1e5; }

}  // namespace

std::vector<double> equally_spaced(double low, double high, std::size_t slots) {
  std::vector<double> T;
  const auto last = static_cast<double>(slots - 1);
  for (std::size_t k = 0; k < slots; ++k)
    T.push_back(rounded((low * (last - static_cast<double>(k)) + high * static_cast<double>(k)) / last));
  T.front() = low;
  T.back() = high;
  return T;
}

std::vector<double> with_midpoints(const GridTrial& trial, std::size_t insertions) {
  std::vector<std::size_t> intervals(trial.rates.size());
  std::iota(intervals.begin(), intervals.end(), std::size_t{0});
  std::stable_sort(intervals.begin(), intervals.end(),
                   [&](std::size_t a, std::size_t b) { return trial.rates[a] < trial.rates[b]; });
  std::vector<double> T = trial.temperatures;
  for (std::size_t i = 0; i < std::min(insertions, intervals.size()); ++i)
    T.push_back((trial.temperatures[intervals[i]] + trial.temperatures[intervals[i] + 1]) / 2);
  std::sort(T.begin(), T.end());
  return T;
}

std::vector<double> with_equal_rates(const GridTrial& trial, double attempts) {
  const std::vector<double>& old = trial.temperatures;
  std::vector<double> end = {0};  // length from the first slot to each
  for (const double rate : trial.rates)
    end.push_back(end.back() + inverse_erfc(std::clamp(rate, 0.5 / attempts, 1 - 0.5 / attempts)));
  std::vector<double> T = {old.front()};
  std::size_t interval = 0;
  for (std::size_t k = 1; k + 1 < old.size(); ++k) {
    const double length = end.back() * static_cast<double>(k) / static_cast<double>(old.size() - 1);
    while (end[interval + 1] < length) ++interval;
    const double part = (length - end[interval]) / (end[interval + 1] - end[interval]);
    T.push_back(rounded(1 / ((1 - part) / old[interval] + part / old[interval + 1])));
  }
  T.push_back(old.back());
  return T;
}

int run_adapt(TemperingJob job, const AdaptOptions& o, const Execution& execution) {
  job.bins = 2;
  validate(job, o);
  psflip::validate(job);
  if (execution.ranks->is_first()) require_files(execution);
  end_on_stop_signals();
  Grid grid{job.system.L, job.system.J, job.system.h, o.method, job_text(job, o), {}};
  const double attempts =
      static_cast<double>(job.rounds() / 4) * static_cast<double>(job.system.samples) * tempering_sets;
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
