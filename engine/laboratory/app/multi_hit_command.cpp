#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/multi_hit/multi_hit.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/laboratory/reference/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/tiles/tiles.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr int blocks = 32;
constexpr int most_bytes_of_thread = 32;  ///< of a generator; that of a block is shared

struct Options {
  std::string system = "ising2d";
  std::vector<int> L = {256}, tiles = {16}, hits = {1, 10, 100};
  std::vector<double> betas = {0.4};
  std::vector<std::string> generators = {"lcg32", "philox"};
  std::string order = "naive", device = "cpu", output;
  double seconds = 0.3;
  bool times = false;
  std::uint64_t sweeps = 6400, discarded = 400;
  std::uint32_t seed = 1;

  bool on_gpu() const { return device == "cuda"; }
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

#ifdef PSFLIP_WITH_CUDA
void check_gpu(const Options& options) {
  constexpr double gib = 1 << 30;
  const Preset& preset = preset_named(options.system);
  const std::size_t most = device::most_tile_shared_bytes();
  const double free = device::free_tile_bytes();
  for (const std::string& generator : options.generators)
    for (const int tile : options.tiles) {
      const double bytes = device::tile_shared_bytes(preset, tile, generator);
      if (bytes > static_cast<double>(most))
        throw UserError(fmt::format(
            "--tile {}: needs {:.0f} KiB of shared memory with {} and a thread block of this GPU has {} KiB, give a "
            "smaller --tile.",
            tile, std::ceil(bytes / 1024), generator, most / 1024));
      for (const int L : options.L)
        if (const double all = device::tile_bytes(preset, L, tile, generator); all > free)
          throw UserError(
              fmt::format("--L {}: needs {:.1f} GiB and {:.1f} GiB of the GPU are free, give a smaller --L.", L,
                          all / gib, free / gib));
    }
}
#else
void check_gpu(const Options& /*options*/) {}
#endif

void check_hits(const Options& options, int hits) {
  if (hits < 1 || hits > 10000)
    throw UserError(fmt::format("--hits {}: a tile is tried at least once, give 1 to 10000.", hits));
  if (options.order == "symmetric" && hits % 2 != 0)
    throw UserError(
        fmt::format("--hits {}: the symmetric order measures in the middle of the hits, give an even "
                    "number.",
                    hits));
  if (!options.times && options.sweeps / static_cast<std::uint64_t>(hits) < 2 * blocks)
    throw UserError(fmt::format("--sweeps {}: {} blocks need two measurements each, give at least {} with --hits {}.",
                                options.sweeps, blocks, 2 * blocks * hits, hits));
}

/// Skipping needs a jump over the numbers of all other threads, which only `lcg32` and `lcg64` have.
void check_generators(const Options& options) {
  constexpr std::string_view skipping = "_skipping";
  for (const std::string& name : options.generators)
    if (name.ends_with(skipping))
      throw UserError(fmt::format(
          "--generator {}: only lcg32 and lcg64 have the jump that skipping needs and skip by themselves, give {}.",
          name, name.substr(0, name.size() - skipping.size())));
  require_known("--generator", options.generators, thread_generators());
}

void check_length(const Options& options) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  for (const auto& [name, sweeps] : {std::pair{"--sweeps", options.sweeps}, {"--discarded", options.discarded}})
    if (sweeps >= most)
      throw UserError(fmt::format("{} {}: a thread has numbers for fewer than 2^30 sweeps, give fewer.", name, sweeps));
}

void check(const Options& options) {
  std::vector<std::string> known;
  for (const Preset& preset : presets)
    if (!preset.has_random_bonds() && !preset.has_random_field()) known.emplace_back(preset.name);
  require_known("--system", {options.system}, known);
  check_generators(options);
  check_length(options);
  require_known("--order", {options.order}, {"naive", "symmetric"});
  require_known("--device", {options.device}, {"cpu", "cuda"});
  for (const int L : options.L)
    for (const int tile : options.tiles) check_tile(options, L, tile);
  for (const double beta : options.betas)
    if (!(beta >= 0 && beta < 100))
      throw UserError(fmt::format("--beta {}: give an inverse temperature from 0 to 100.", beta));
  for (const int hits : options.hits) check_hits(options, hits);
  if (options.on_gpu()) require_gpu("--device cuda");
  if (options.on_gpu()) check_gpu(options);
}

nlohmann::json describe(const MultiHitEstimates& found, const MultiHitSeries& series, const std::string& variant,
                        const MultiHitPlan& plan) {
  fmt::print(
      "{:10} {:14} k {:4}: e {:.7f}({:.7f}) C {:.5f}({:.5f}) tau_int {:.2f}({:.2f}), of |m| {:.2f}({:.2f}) sweeps\n",
      variant, plan.generator, plan.hits, found.e, found.e_error, found.C, found.C_error, found.tau, found.tau_error,
      found.tau_m, found.tau_m_error);
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
          {"m", found.m},
          {"m_error", found.m_error},
          {"tau_int_m", found.tau_m},
          {"tau_int_m_error", found.tau_m_error}};
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

  /// All tiles and hits of one lattice, and on a CPU the sequential update. A generator that seeds each thread is the
  /// one without these seeds there, where one thread draws.
  void add(int L, double beta, const std::string& generator) {
    plan_.L = L;
    plan_.beta = beta;
    plan_.generator = generator;
    plan_.hits = 1;
    if (!options_.on_gpu() && !options_.times && !generator.ends_with("_seeded"))
      add("sequential", run_sequential(plan_), {{"order", "sequential"}});
    for (const int tile : options_.tiles)
      for (const int hits : options_.hits) {
        plan_.tile = tile;
        plan_.hits = hits;
        if (options_.times)
          add(times());
        else
          add("tiles", series(), {{"order", options_.order}, {"tile", tile}});
      }
  }
  nlohmann::json energies() { return std::move(energies_); }

 private:
  MultiHitSeries series() const {
#ifdef PSFLIP_WITH_CUDA
    if (options_.on_gpu()) return device::run_tiles(plan_);
#endif
    return run_tiles(plan_);
  }
  TrackingTimes times() const {
#ifdef PSFLIP_WITH_CUDA
    if (options_.on_gpu()) return device::time_tracking(plan_, options_.seconds);
#endif
    return time_tracking(plan_, options_.seconds);
  }
  nlohmann::json processor() const {
    if (options_.on_gpu()) return {{"device", "cuda"}};
    return {{"device", "cpu"}, {"threads", 1}};
  }

  Row& timing(Row& row, const nlohmann::json& keys) const {
    row.more = keys;
    row.more.update({{"hits", plan_.hits}, {"beta", plan_.beta}});
    row.more.update(processor());
    return row;
  }

  void add(const std::string& variant, const MultiHitSeries& series, const nlohmann::json& keys) {
    Row row{options_.system, variant, "plain", plan_.generator, plan_.L, series.seconds, series.flips};
    report_.add(timing(row, keys));
    nlohmann::json one = describe(estimates_of(series, plan_, blocks), series, variant, plan_);
    one.update(row.more);
    one["ps_per_flip"] = row.ps_per_flip();
    energies_.push_back(std::move(one));
  }

  /// The same tiles with the energy of each flip and without.
  void add(const TrackingTimes& times) {
    const nlohmann::json keys = {{"order", options_.order}, {"tile", plan_.tile}};
    const double flips = std::pow(plan_.L, plan_.preset->dimension) * plan_.hits;
    Row tracked{options_.system, "tiles_tracked", "plain", plan_.generator, plan_.L, times.tracked, flips};
    Row untracked{options_.system, "tiles_untracked", "plain", plan_.generator, plan_.L, times.untracked, flips};
    report_.add(timing(tracked, keys));
    report_.add(timing(untracked, keys));
  }

  const Options& options_;
  Report& report_;
  MultiHitPlan plan_;
  nlohmann::json energies_ = nlohmann::json::array();
};

/// psflip itself on one thread of the CPU: as many lattices as its widest word has bits.
Row psflip_row(const Preset& preset, int L, double beta, double seconds) {
  System system;
  system.model = preset.model;
  system.L = L;
  system.betas = {beta};
  system.samples = static_cast<std::uint64_t>(cpu::supported_word_bits().back());
  system.seed = 1;
  system.round.half_sweeps = 2;
  const auto engine = cpu::make_engine(system, 1, cpu::supported_word_bits().back());
  Row row{std::string(preset.name), "psflip_samples", "samples", "philox", L};
  row.seconds = seconds_of([&] { engine->advance(1); }, seconds);
  row.flips = static_cast<double>(system.samples * system.sites());
  row.more = {{"device", "cpu"}, {"threads", 1}, {"lattices", system.samples}};
  return row;
}

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  const Preset& preset = preset_named(options.system);
  for (const int L : options.L) {
    report.add(reference_row(preset, L, options.betas.front(), options.seconds));
    if (options.times && !options.on_gpu()) report.add(psflip_row(preset, L, options.betas.front(), options.seconds));
  }
  Runs runs(options, report);
  for (const int L : options.L)
    for (const double beta : options.betas)
      for (const std::string& generator : options.generators) runs.add(L, beta, generator);
  if (!options.times) report.set("energies", runs.energies());
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
  command->add_option("--device", options->device, "cpu (one thread) or cuda, without the sequential update")
      ->capture_default_str();
  command->add_flag("--times", options->times, "only times: tiles with the energy of each flip and without, psflip");
  command->add_option("--seconds", options->seconds, "least time of the scalar reference and of --times")
      ->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
