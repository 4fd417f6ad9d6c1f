#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/multi_hit/multi_hit.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"

namespace psflip::laboratory {

namespace {

constexpr int blocks = 64;
constexpr int most_bytes_of_thread = 32;  ///< of a generator; that of a block is shared

struct Options {
  int dimension = 2, L = 256, tile = 16;
  std::vector<int> hits = {1, 10, 100};
  std::vector<std::string> generators = {"lcg32", "philox"};
  std::string order = "naive", output;
  double beta = 0.4, seconds = 0.3;
  std::uint64_t sweeps = 6400, discarded = 400;
  std::uint32_t seed = 1;
};

void check(const Options& options) {
  if (options.dimension != 2 && options.dimension != 3)
    throw UserError(fmt::format("--dimension {}: lattices have two or three, give 2 or 3.", options.dimension));
  require_known("--generator", options.generators, thread_generators());
  require_known("--order", {options.order}, {"naive", "symmetric"});
  // Two spins share a thread, a block one of the larger states at most.
  const double bytes_of_block = 2.0 * 1279 * 4 / std::pow(std::max(options.tile, 1), options.dimension);
  require_size(options.L, options.dimension, 2 + most_bytes_of_thread / 2.0 + bytes_of_block);
  if (options.tile < 2 || options.tile % 2 != 0 || options.L % (2 * options.tile) != 0)
    throw UserError(
        fmt::format("--tile {}: tiles have an even side and divide L = {} an even number of times, give such a "
                    "--tile.",
                    options.tile, options.L));
  if (!(options.beta >= 0 && options.beta < 100))
    throw UserError(fmt::format("--beta {}: give an inverse temperature from 0 to 100.", options.beta));
  for (const int hits : options.hits) {
    if (hits < 1 || hits > 10000)
      throw UserError(fmt::format("--hits {}: a tile is tried at least once, give 1 to 10000.", hits));
    if (options.order == "symmetric" && hits % 2 != 0)
      throw UserError(
          fmt::format("--hits {}: the symmetric order measures in the middle of the hits, give an even "
                      "number.",
                      hits));
    if (options.sweeps / static_cast<std::uint64_t>(hits) < 2 * blocks)
      throw UserError(fmt::format("--sweeps {}: {} blocks need two measurements each, give at least {} with --hits {}.",
                                  options.sweeps, blocks, 2 * blocks * hits, hits));
  }
}

nlohmann::json describe(const EnergyEstimates& found, const EnergySeries& series, const std::string& variant,
                        const MultiHitPlan& plan, const std::string& order) {
  fmt::print("{:10} {:14} k {:4}: e {:.7f}({:.7f}) C {:.5f}({:.5f}) tau_int {:.2f}({:.2f}) sweeps\n", variant,
             plan.generator, plan.hits, found.e, found.e_error, found.C, found.C_error, found.tau, found.tau_error);
  std::fflush(stdout);
  return {{"variant", variant},
          {"generator", plan.generator},
          {"dimension", plan.dimension},
          {"L", plan.L},
          {"tile", plan.tile},
          {"hits", plan.hits},
          {"order", order},
          {"beta", plan.beta},
          {"seed", plan.seed},
          {"sweeps", plan.sweeps},
          {"discarded", plan.discarded},
          {"measurements", series.energy.size()},
          {"blocks", found.blocks},
          {"e", found.e},
          {"e_error", found.e_error},
          {"C", found.C},
          {"C_error", found.C_error},
          {"tau_int", found.tau},
          {"tau_int_error", found.tau_error}};
}

class Runs {
 public:
  Runs(const Options& options, Report& report) : options_(options), report_(report) {}

  void add(const std::string& variant, const std::string& generator, int hits) {
    MultiHitPlan plan;
    plan.dimension = options_.dimension;
    plan.L = options_.L;
    plan.tile = options_.tile;
    plan.hits = hits;
    plan.beta = options_.beta;
    plan.order = options_.order == "symmetric" ? Order::symmetric : Order::naive;
    plan.generator = generator;
    plan.seed = options_.seed;
    plan.sweeps = options_.sweeps;
    plan.discarded = options_.discarded;
    const bool sequential = variant == "sequential";
    const EnergySeries series = sequential ? run_sequential(plan) : run_tiles(plan);
    Row row{options_.dimension == 3 ? "ising3d" : "ising2d",
            variant,
            "plain",
            generator,
            options_.L,
            series.seconds,
            series.flips};
    row.more = {{"device", "cpu"}, {"threads", 1}, {"hits", hits}, {"energy", "tracked"}};
    if (!sequential) row.more["tile"] = options_.tile;
    report_.add(row);
    energies_.push_back(describe(estimates_of(series, plan, blocks), series, variant, plan,
                                 sequential ? "sequential" : options_.order));
  }
  nlohmann::json energies() { return std::move(energies_); }

 private:
  const Options& options_;
  Report& report_;
  nlohmann::json energies_ = nlohmann::json::array();
};

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  const Preset& preset = preset_of(options.dimension == 3 ? Model::ising3d : Model::ising2d);
  report.add(reference_row(preset, options.L, options.beta, options.seconds));
  Runs runs(options, report);
  for (const std::string& generator : options.generators) {
    runs.add("sequential", generator, 1);
    for (const int hits : options.hits) runs.add("tiles", generator, hits);
  }
  report.set("energies", runs.energies());
  report.write();
}

}  // namespace

void add_multi_hit(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("multi_hit", "double checkerboard of a ferromagnet: times, energy, autocorrelation time");
  command->add_option("--dimension", options->dimension, "2 or 3")->capture_default_str();
  command->add_option("--L", options->L, "linear size")->capture_default_str();
  command->add_option("--tile", options->tile, "linear size of a tile")->capture_default_str();
  command->add_option("--hits", options->hits, "updates of a tile in a row, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--generator", options->generators, "names, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--order", options->order, "naive or symmetric")->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_option("--sweeps", options->sweeps, "measured sweeps")->capture_default_str();
  command->add_option("--discarded", options->discarded, "sweeps before, from all spins up")->capture_default_str();
  command->add_option("--seed", options->seed, "of the generators")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of the scalar reference")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
