#include <fmt/format.h>

#include <memory>

#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/relaxation/comparison.hpp"
#include "engine/laboratory/relaxation/relaxation.hpp"

namespace psflip::laboratory {

namespace {

struct Options {
  std::vector<std::string> generators = relaxation_generators();
  int L = 8;
  double T = 1.1;
  std::uint64_t sweeps = 256, samples = 8192;
  std::uint32_t seed = 1, threads = 64;
  std::string output;
};

constexpr const char* test =
    "Hotelling's T^2 of the paired differences from addressed Philox at all times, covariance from the blocks; a block "
    "is a pack of 32 samples, which share random numbers; all generators have the same couplings and initial spins";

void check(const Options& options) {
  require_known("--generator", options.generators, relaxation_generators());
  if (!(options.T >= 0.01 && options.T < 1e6))
    throw UserError(fmt::format("--T {}: give a temperature from 0.01 to 10^6.", options.T));
  if (options.sweeps < 1 || options.sweeps >= 1u << 30)
    throw UserError(fmt::format("--sweeps {}: give 1 to {} sweeps.", options.sweeps, (1u << 30) - 1));
  if (options.threads < 1 || options.threads > 65536)
    throw UserError(fmt::format("--threads {}: give 1 to 65536 states of a pack.", options.threads));
  const std::uint64_t least = 32 * (doubling_times(options.sweeps).size() + 2);
  if (options.samples % 32 != 0 || options.samples < least || options.samples > std::uint64_t{32} * 65535)
    throw UserError(
        fmt::format("--samples {}: blocks of 32 samples, more blocks than the times of --sweeps {}, are compared; give "
                    "a multiple of 32 from {} to {}.",
                    options.samples, options.sweeps, least, 32 * 65535));
  require_size(options.L, 3, 28 * static_cast<double>(options.samples) / 32);
}

nlohmann::json describe(const std::string& generator, const std::string& quantity, const Options& options,
                        const Comparison& comparison) {
  fmt::print("{:16} {:6}: chi2 {:8.2f} of {:2}, probability {:.3g}, largest pull {:+.2f}\n", generator, quantity,
             comparison.chi2, comparison.degrees, comparison.probability, comparison.largest_pull);
  std::fflush(stdout);
  return {{"generator", generator},
          {"quantity", quantity},
          {"L", options.L},
          {"T", options.T},
          {"layout", Sliced::name},
          {"blocks", options.samples / 32},
          {"samples_of_block", 32},
          {"replicas", glass_replicas},
          {"threads", options.threads},
          {"sweeps", doubling_times(options.sweeps)},
          {"mean", comparison.mean},
          {"reference", comparison.reference},
          {"difference", comparison.difference},
          {"error", comparison.error},
          {"pull", comparison.pull},
          {"chi2", comparison.chi2},
          {"degrees_of_freedom", comparison.degrees},
          {"probability", comparison.probability},
          {"largest_pull", comparison.largest_pull},
          {"largest_pull_probability", comparison.bonferroni}};
}

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  const RelaxationPlan plan{
      options.L,    options.T,      doubling_times(options.sweeps), static_cast<std::uint32_t>(options.samples / 32),
      options.seed, options.threads};
  const Relaxation reference = relax_with_addresses(plan, plan.seed);
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& generator : options.generators) {
    const Relaxation relaxation = relax_with(generator, plan);
    rows.push_back(describe(generator, "energy", options, compare(relaxation.energy, reference.energy)));
    rows.push_back(describe(generator, "q2", options, compare(relaxation.q2, reference.q2)));
  }
  report.set("relaxation_test", test);
  report.set("relaxation", std::move(rows));
  report.write();
}

}  // namespace

void add_relaxation(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("relaxation", "compare the relaxation of the 3D spin glass between generators, in sigma");
  command->add_option("--generator", options->generators, "names, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--L", options->L, "linear size")->capture_default_str();
  command->add_option("--T", options->T, "temperature")->capture_default_str();
  command->add_option("--sweeps", options->sweeps, "last time; measured after 1, 2, 4, ... sweeps")
      ->capture_default_str();
  command->add_option("--samples", options->samples, "samples, a multiple of 32")->capture_default_str();
  command->add_option("--seed", options->seed, "of couplings, initial spins and generators")->capture_default_str();
  command->add_option("--threads", options->threads, "states of a generator for each pack")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
