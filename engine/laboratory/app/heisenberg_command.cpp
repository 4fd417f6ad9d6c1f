#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/heisenberg/plain.hpp"
#include "engine/laboratory/heisenberg/run.hpp"
#include "engine/laboratory/heisenberg/shared_memory.hpp"
#include "engine/laboratory/reference/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/tiles/heisenberg.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr const char* system_name = "heisenberg2d";
constexpr int blocks = 32, most_hits = 10000, largest_L = 65536;  // sites have 32 bits
/// Options of multispin coding, which other commands and psflip have.
constexpr const char* multispin_options[] = {"--packs", "--packing", "--word-bits"};

struct Options {
  std::vector<int> L = {64}, tiles = {32}, hits = {1, 100};
  std::vector<double> betas = {1};
  std::vector<std::string> precisions, proposals = {"uniform", "cone"}, multispin;
  std::string device = "cpu", output;
  double seconds = 0.3;
  std::uint64_t sweeps = 0, discarded = 0;
  std::uint32_t seed = 1;

  bool on_gpu() const { return device == "cuda"; }
};

void refuse_multispin(const CLI::App& command) {
  for (const char* name : multispin_options)
    if (command.get_option(name)->count() > 0)
      throw UserError(
          fmt::format("{}: multispin coding needs spins of one bit and a Heisenberg spin has three components, leave "
                      "this option out.",
                      name));
}

void check_lattice(const Options& options, int L) {
  require_size(L, 2, options.on_gpu() ? 24 : 48);  // the reference, and on the CPU the tiles
  if (L > largest_L) throw UserError(fmt::format("--L {}: at most {} here, give such an --L.", L, largest_L));
  for (const int tile : options.tiles)
    if (tile < 2 || tile % 2 != 0 || L % (2 * tile) != 0)
      throw UserError(fmt::format(
          "--tile {}: tiles have an even side and divide L = {} an even number of times, give such a --tile.", tile,
          L));
}

void check_runs(const Options& options) {
  for (const int hits : options.hits) {
    if (hits < 1 || hits > most_hits)
      throw UserError(fmt::format("--hits {}: a tile is tried at least once, give 1 to {}.", hits, most_hits));
    if (options.sweeps > 0 && options.sweeps / static_cast<std::uint64_t>(hits) < 2 * blocks)
      throw UserError(
          fmt::format("--sweeps {}: {} blocks need two measurements each, give 0 or at least {} with "
                      "--hits {}.",
                      options.sweeps, blocks, 2 * blocks * hits, hits));
  }
  constexpr std::uint64_t most_visits = 0xffffffffu;
  if (options.sweeps > most_visits || options.discarded > most_visits - options.sweeps)
    throw UserError(
        fmt::format("--sweeps {}: a site has numbers for {} visits, give fewer sweeps.", options.sweeps, most_visits));
  for (const double beta : options.betas)
    if (!(beta > 0 && beta <= 100))
      throw UserError(fmt::format("--beta {}: give an inverse temperature above 0, at most 100.", beta));
}

void check_device(const Options& options) {
  require_known("--device", {options.device}, {"cpu", "cuda"});
  require_known("--precision", options.precisions, precision_names());
  require_known("--proposal", options.proposals, {"uniform", "cone"});
  if (options.on_gpu()) require_gpu("--device cuda");
  for (const std::string& precision : options.precisions) {
    if (!options.on_gpu() && precision == gpu_precision)
      throw UserError(fmt::format(
          "--precision {}: intrinsic functions are those of a GPU, give --device cuda or another --precision.",
          precision));
#ifdef PSFLIP_WITH_CUDA
    if (options.on_gpu())
      for (const int tile : options.tiles) require_shared_memory(precision, tile, device::shared_memory_of_block());
#endif
  }
}

void set_defaults(Options& options) {
  if (!options.precisions.empty()) return;
  for (const std::string& name : precision_names())
    if (options.on_gpu() || name != gpu_precision) options.precisions.push_back(name);
}

void check(const CLI::App& command, const Options& options) {
  refuse_multispin(command);
  check_runs(options);
  for (const int L : options.L) check_lattice(options, L);
  check_device(options);
}

std::unique_ptr<HeisenbergLattice> lattice_of(const Options& options, const std::string& precision,
                                              const HeisenbergPlan& plan) {
#ifdef PSFLIP_WITH_CUDA
  if (options.on_gpu()) return device::make_heisenberg(precision, plan);
#endif
  (void)options;
  return make_heisenberg(precision, plan);
}

nlohmann::json describe(const HeisenbergEstimates& found, const HeisenbergPlan& plan, const Options& options) {
  const SeriesStatistics &e = found.e, &m = found.m;
  fmt::print("  beta {:g}: e {:.6f}({:.6f}) m {:.5f}({:.5f}) C {:.4f}({:.4f}) tau_int {:.1f} sweeps\n", plan.beta,
             e.mean, e.mean_error, m.mean, m.mean_error, found.C, found.C_error, e.tau);
  std::fflush(stdout);
  return {{"L", plan.L},
          {"seed", plan.seed},
          {"sweeps", options.sweeps},
          {"discarded", options.discarded},
          {"blocks", e.blocks},
          {"e", e.mean},
          {"e_error", e.mean_error},
          {"m", m.mean},
          {"m_error", m.mean_error},
          {"C", found.C},
          {"C_error", found.C_error},
          {"tau_int", e.tau},
          {"tau_int_error", e.tau_error},
          {"tau_int_of_m", m.tau},
          {"tau_int_of_m_error", m.tau_error}};
}

/// The plain reference, site after site.
Row plain_row(const HeisenbergPlan& plan, const std::string& proposal, double seconds) {
  PlainHeisenberg lattice(plan);
  const double sites = static_cast<double>(plan.L) * plan.L;
  Row row{system_name, scalar_variant, "plain", "philox", plan.L, seconds_of([&] { lattice.sweep(); }, seconds), sites};
  row.more = {{"precision", "double"}, {"proposal", proposal}, {"cap", plan.cap},
              {"beta", plan.beta},     {"device", "cpu"},      {"threads", 1}};
  return row;
}

class HeisenbergRuns {
 public:
  HeisenbergRuns(const Options& options, Report& report) : options_(options), report_(report) {}

  /// All tiles, hits and precisions of one lattice, compared with the plain reference of the same proposals.
  void add(HeisenbergPlan plan, const std::string& proposal) {
    const Row reference = plain_row(plan, proposal, options_.seconds);
    report_.add(reference);
    reference_ = reference.ps_per_flip();
    for (const int tile : options_.tiles)
      for (const int hits : options_.hits)
        for (const std::string& precision : options_.precisions) {
          plan.tile = tile;
          plan.hits = hits;
          keys_ = {{"precision", precision}, {"proposal", proposal}, {"cap", plan.cap},          {"beta", plan.beta},
                   {"tile", tile},           {"hits", hits},         {"device", options_.device}};
          if (!options_.on_gpu()) keys_["threads"] = 1;
          add_time(plan, precision);
          if (options_.sweeps > 0) add_run(plan, precision);
        }
  }
  void write() {
    if (options_.sweeps > 0) {
      report_.set("heisenberg", std::move(energies_));
      report_.set("lengths", std::move(lengths_));
    }
    report_.write();
  }

 private:
  void add_time(const HeisenbergPlan& plan, const std::string& precision) {
    const auto lattice = lattice_of(options_, precision, plan);
    // Many rounds of a small lattice: what the host does between two launches is not part of their time.
    const double flips = std::pow(plan.L, 2) * plan.hits;
    const auto rounds = static_cast<std::uint64_t>(options_.on_gpu() ? std::clamp(1e8 / flips, 1.0, 256.0) : 1);
    const double seconds = seconds_of([&] { lattice->advance(rounds); }, options_.seconds);
    Row row{system_name, "tiles", "tiles", "philox", plan.L, seconds, flips * static_cast<double>(rounds)};
    row.more = keys_;
    row.more["speedup"] = reference_ / row.ps_per_flip();
    report_.add(row);
  }
  /// Each precision and proposal has random numbers of its own, so that their errors are independent.
  void add_run(HeisenbergPlan plan, const std::string& precision) {
    const auto& names = precision_names();
    const auto index = std::find(names.begin(), names.end(), precision) - names.begin();
    plan.seed += static_cast<std::uint32_t>(2 * index + (plan.has_cone() ? 1 : 0));
    const auto lattice = lattice_of(options_, precision, plan);
    const HeisenbergRun run = run_heisenberg(*lattice, plan, options_.sweeps, options_.discarded);
    nlohmann::json one = describe(estimates_of(run, plan, blocks), plan, options_);
    one.update(keys_);
    energies_.push_back(std::move(one));
    for (const LengthOfSpins& length : run.lengths) {
      nlohmann::json of_time = {{"L", plan.L}, {"sweeps", length.sweeps}, {"deviation", length.deviation}};
      of_time.update(keys_);
      lengths_.push_back(std::move(of_time));
    }
  }

  const Options& options_;
  Report& report_;
  double reference_ = 0;  ///< ps/flip
  nlohmann::json keys_, energies_ = nlohmann::json::array(), lengths_ = nlohmann::json::array();
};

void run(const CLI::App& command, Options options) {
  set_defaults(options);
  check(command, options);
  Report report(command, options.output);
  HeisenbergRuns runs(options, report);
  for (const double beta : options.betas)
    for (const std::string& proposal : options.proposals) {
      const double cap = proposal == "cone" ? tuned_cap(beta) : 2;
      if (proposal == "cone" && cap == 2 && options.proposals.size() > 1) {
        fmt::print("beta {:g}: the cone is the whole sphere, as with uniform proposals\n", beta);
        continue;
      }
      for (const int L : options.L) {
        const HeisenbergPlan plan{.L = L, .beta = beta, .cap = cap, .seed = options.seed};
        runs.add(plan, proposal);
      }
    }
  runs.write();
}

}  // namespace

void add_heisenberg(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("heisenberg", "2D Heisenberg model in several precisions: times, energy, lengths of spins");
  const auto add_list = [&](const char* name, auto& list, const char* what) {
    return command->add_option(name, list, what)->delimiter(',');
  };
  add_list("--L", options->L, "linear sizes, comma separated")->capture_default_str();
  add_list("--tile", options->tiles, "linear sizes of tiles, comma separated")->capture_default_str();
  add_list("--hits", options->hits, "updates of a tile in a row, comma separated")->capture_default_str();
  add_list(
      "--precision", options->precisions,
      "double, float: polynomials; double_library, float_library: C library or CUDA; float_fast: intrinsic functions "
      "of a GPU; default all of the device");
  add_list("--proposal", options->proposals, "new directions: uniform, or in a cone with an acceptance of 1/2")
      ->capture_default_str();
  add_list("--beta", options->betas, "inverse temperatures, comma separated")->capture_default_str();
  command->add_option("--sweeps", options->sweeps, "measured sweeps; 0: times alone")->capture_default_str();
  command->add_option("--discarded", options->discarded, "sweeps before, from random spins")->capture_default_str();
  command->add_option("--device", options->device, "cpu (one thread) or cuda")->capture_default_str();
  command->add_option("--seed", options->seed, "of the random numbers")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  for (const char* name : multispin_options) command->add_option(name, options->multispin)->group("");
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
