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

constexpr int blocks = 32;
constexpr int most_bytes_of_thread = 32;  ///< of a generator; that of a block is shared

struct Options {
  std::string system = "ising2d";
  std::vector<int> L = {256}, tiles = {16}, hits = {1, 10, 100};
  std::vector<double> betas = {0.4};
  std::vector<std::string> generators = {"lcg32", "philox"};
  std::string order = "naive", output;
  double seconds = 0.3;
  std::uint64_t sweeps = 6400, discarded = 400;
  std::uint32_t seed = 1;
};

const Preset& preset_named(const std::string& system) { return preset_of(*model_named(system)); }

void check_tile(const Options& options, int L, int tile) {
  const int dimension = preset_named(options.system).dimension;
  // Two spins share a thread, a block one of the larger states at most.
  const double bytes_of_block = 2.0 * 1279 * 4 / std::pow(std::max(tile, 1), dimension);
  require_size(L, dimension, 2 + most_bytes_of_thread / 2.0 + bytes_of_block);
  if (tile < 2 || tile % 2 != 0 || L % (2 * tile) != 0)
    throw UserError(
        fmt::format("--tile {}: tiles have an even side and divide L = {} an even number of times, give such a "
                    "--tile.",
                    tile, L));
}

void check(const Options& options) {
  std::vector<std::string> known;
  for (const Preset& preset : presets)
    if (!preset.has_random_bonds() && !preset.has_random_field()) known.emplace_back(preset.name);
  require_known("--system", {options.system}, known);
  require_known("--generator", options.generators, thread_generators());
  require_known("--order", {options.order}, {"naive", "symmetric"});
  for (const int L : options.L)
    for (const int tile : options.tiles) check_tile(options, L, tile);
  for (const double beta : options.betas)
    if (!(beta >= 0 && beta < 100))
      throw UserError(fmt::format("--beta {}: give an inverse temperature from 0 to 100.", beta));
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

nlohmann::json describe(const MultiHitEstimates& found, const MultiHitSeries& series, const std::string& variant,
                        const MultiHitPlan& plan) {
  fmt::print("{:10} {:14} k {:4}: e {:.7f}({:.7f}) C {:.5f}({:.5f}) tau_int {:.2f}({:.2f}) sweeps\n", variant,
             plan.generator, plan.hits, found.e, found.e_error, found.C, found.C_error, found.tau, found.tau_error);
  std::fflush(stdout);
  return {{"variant", variant},
          {"generator", plan.generator},
          {"dimension", plan.preset->dimension},
          {"L", plan.L},
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
          {"tau_int_error", found.tau_error},
          {"device", "cpu"},
          {"threads", 1}};
}

class Runs {
 public:
  Runs(const Options& options, Report& report) : options_(options), report_(report) {
    plan_.preset = &preset_named(options_.system);
    plan_.order = options_.order == "symmetric" ? Order::symmetric : Order::naive;
    plan_.seed = options_.seed;
    plan_.sweeps = options_.sweeps;
    plan_.discarded = options_.discarded;
  }

  /// All tiles and hits of one lattice, and the sequential update.
  void add(int L, double beta, const std::string& generator) {
    plan_.L = L;
    plan_.beta = beta;
    plan_.generator = generator;
    plan_.hits = 1;
    add("sequential", run_sequential(plan_), {{"order", "sequential"}});
    for (const int tile : options_.tiles)
      for (const int hits : options_.hits) {
        plan_.tile = tile;
        plan_.hits = hits;
        add("tiles", run_tiles(plan_), {{"order", options_.order}, {"tile", tile}});
      }
  }
  nlohmann::json energies() { return std::move(energies_); }

 private:
  void add(const std::string& variant, const MultiHitSeries& series, nlohmann::json keys) {
    Row row{options_.system, variant, "plain", plan_.generator, plan_.L, series.seconds, series.flips};
    keys.update({{"hits", plan_.hits}, {"beta", plan_.beta}});
    row.more = keys;
    row.more.update({{"device", "cpu"}, {"threads", 1}});
    report_.add(row);
    nlohmann::json one = describe(estimates_of(series, plan_, blocks), series, variant, plan_);
    one.update(keys);
    one["ps_per_flip"] = row.ps_per_flip();
    energies_.push_back(std::move(one));
  }

  const Options& options_;
  Report& report_;
  MultiHitPlan plan_;
  nlohmann::json energies_ = nlohmann::json::array();
};

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  const Preset& preset = preset_named(options.system);
  for (const int L : options.L) report.add(reference_row(preset, L, options.betas.front(), options.seconds));
  Runs runs(options, report);
  for (const int L : options.L)
    for (const double beta : options.betas)
      for (const std::string& generator : options.generators) runs.add(L, beta, generator);
  report.set("energies", runs.energies());
  report.write();
}

}  // namespace

void add_multi_hit(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("multi_hit", "double checkerboard of a ferromagnet: times, energy, autocorrelation time");
  command->add_option("--system", options->system, "a model without disorder")->capture_default_str();
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--tile", options->tiles, "linear sizes of tiles, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--hits", options->hits, "updates of a tile in a row, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--generator", options->generators, "names, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--order", options->order, "naive or symmetric")->capture_default_str();
  command->add_option("--beta", options->betas, "inverse temperatures, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--sweeps", options->sweeps, "measured sweeps")->capture_default_str();
  command->add_option("--discarded", options->discarded, "sweeps before, from all spins up")->capture_default_str();
  command->add_option("--seed", options->seed, "of the generators")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of the scalar reference")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
