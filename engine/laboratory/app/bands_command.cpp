#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/error_of_mean.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <cmath>
#include <memory>

#include "engine/driver/clock.hpp"
#include "engine/driver/memory/available_memory.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/bands/quench.hpp"
#include "engine/laboratory/bands/zero_temperature.hpp"

namespace psflip::laboratory {

namespace {

constexpr double critical_temperature = 2.269185314213022;  ///< Onsager: 2 / log(1 + sqrt 2)
constexpr int largest_L = 16384;                            ///< of samples in words, as System::largest_L()

struct Options {
  std::vector<int> L = {16, 32, 64};
  double T = 0;
  std::uint64_t lattices = 4096, sweeps = 0;
  std::uint32_t seed = 1;
  int threads = omp_get_num_procs();
  std::string output;
};

Quench quench_of(const Options& options, int L) {
  const auto side = static_cast<std::uint64_t>(L);
  return {L,
          options.T,
          options.lattices,
          options.sweeps == 0 ? side * side : options.sweeps,
          options.seed,
          options.threads};
}

void check(const Options& options) {
  if (!(options.T >= 0 && options.T < critical_temperature))
    throw UserError(fmt::format("--T {}: bands are states below T_c = {:.4f} J / k_B, give a --T from 0 to it.",
                                options.T, critical_temperature));
  if (options.lattices == 0 || options.lattices % ZeroTemperature::lattices_of_word != 0)
    throw UserError(fmt::format("--lattices {}: a word has {} lattices, give a multiple.", options.lattices,
                                ZeroTemperature::lattices_of_word));
  if (options.sweeps >= std::uint64_t{1} << 31)
    throw UserError(fmt::format("--sweeps {}: at most 2^31 - 1 have random numbers, give fewer.", options.sweeps));
  if (options.threads < 1) throw UserError("--threads 0: at least one thread computes, give a larger number.");
  for (const int L : options.L) {
    require_size(L, 2, 0);
    if (L > largest_L) throw UserError(fmt::format("--L {}: at most {}, give a smaller --L.", L, largest_L));
    constexpr double gib = 1 << 30;
    const double bytes = bytes_of(quench_of(options, L)), available = available_memory();
    if (bytes > available)
      throw UserError(
          fmt::format("--L {}: needs {:.1f} GiB and {:.1f} GiB of memory are available, give a smaller "
                      "--L or fewer --lattices.",
                      L, bytes / gib, available / gib));
  }
}

/// A fraction and its binomial error. The error takes (k + 1) / (n + 2) of k in n, so that it is not 0 for k = 0.
nlohmann::json fraction_of(std::size_t k, std::size_t n) {
  const auto count = static_cast<double>(k), all = static_cast<double>(n);
  const double p = (count + 1) / (all + 2);
  return {{"lattices", k}, {"fraction", count / all}, {"error", std::sqrt(p * (1 - p) / all)}};
}

/// Mean, its error and median of times in sweeps; null without lattices.
nlohmann::json time_of(std::vector<std::uint64_t> times) {
  namespace acc = boost::accumulators;
  if (times.size() < 2) return nullptr;
  acc::accumulator_set<double, acc::stats<acc::tag::mean, acc::tag::error_of<acc::tag::mean>>> sums;
  for (const std::uint64_t time : times) sums(static_cast<double>(time));
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return {{"lattices", times.size()},
          {"mean", acc::mean(sums)},
          {"error", acc::error_of<acc::tag::mean>(sums)},
          {"median", *middle}};
}

std::size_t count_of(const std::vector<BandState>& states, BandState state) {
  return static_cast<std::size_t>(std::count(states.begin(), states.end(), state));
}

nlohmann::json describe(const Quench& quench, const QuenchResult& result) {
  nlohmann::json states = nlohmann::json::object();
  for (std::size_t s = 0; s < band_names.size(); ++s) {
    const auto state = static_cast<BandState>(s);
    std::vector<std::uint64_t> settled, frozen;
    for (std::size_t i = 0; i < quench.lattices; ++i) {
      if (result.states.back()[i] != state) continue;
      settled.push_back(result.settled(i));
      if (!result.frozen.empty() && result.frozen[i] != 0) frozen.push_back(result.frozen[i]);
    }
    nlohmann::json one = fraction_of(settled.size(), quench.lattices), series = nlohmann::json::array();
    for (const auto& at_time : result.states)
      series.push_back(static_cast<double>(count_of(at_time, state)) / static_cast<double>(quench.lattices));
    one.update({{"fraction_at_times", series}, {"settled", time_of(settled)}, {"frozen", time_of(frozen)}});
    const auto at_L = std::find(result.times.begin(), result.times.end(), static_cast<std::uint64_t>(quench.L));
    if (at_L != result.times.end()) {
      const auto place = static_cast<std::size_t>(at_L - result.times.begin());
      one["at_L"] = fraction_of(count_of(result.states[place], state), quench.lattices);
    }
    states[band_names[s]] = std::move(one);
  }
  return {{"L", quench.L},
          {"T", quench.T},
          {"lattices", quench.lattices},
          {"sweeps", quench.sweeps},
          {"seed", quench.seed},
          {"dynamics", quench.T == 0 ? "heat bath" : "Metropolis"},
          {"times", result.times},
          {"states", std::move(states)}};
}

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  nlohmann::json all = nlohmann::json::array();
  for (const int L : options.L) {
    const Quench one = quench_of(options, L);
    const double start = now();
    all.push_back(describe(one, quench(one)));
    all.back()["seconds"] = now() - start;
    fmt::print("T {} L {:5}, {} sweeps:", options.T, L, one.sweeps);
    for (const char* name : band_names)
      fmt::print(" {} {:.4f}", name, all.back()["states"][name]["fraction"].get<double>());
    fmt::print("\n");
    std::fflush(stdout);
  }
  report.set("bands", std::move(all));
  report.write();
}

}  // namespace

void add_bands(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bands", "states of the 2D ferromagnet after a quench below T_c");
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--T", options->T, "in J / k_B; 0: heat bath, else Metropolis")->capture_default_str();
  command->add_option("--lattices", options->lattices, "lattices of each size, a multiple of 64")
      ->capture_default_str();
  command->add_option("--sweeps", options->sweeps, "of each lattice; default L^2");
  command->add_option("--seed", options->seed, "of the random numbers")->capture_default_str();
  command->add_option("--threads", options->threads, "default all cores");
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
