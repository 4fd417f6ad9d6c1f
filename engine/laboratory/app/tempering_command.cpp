#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/psflip_engine.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/reference/timing.hpp"
#include "engine/laboratory/tempering/scalar_tempering.hpp"

namespace psflip::laboratory {

namespace {

constexpr std::uint32_t seed = 1;
constexpr int replicas = 2;  ///< sets of a tempering job of psflip
constexpr std::uint64_t most_samples = 1 << 20, most_interval = 100000;
constexpr double spins_of_gpu = 1 << 22;  ///< of a slot and set at least, so that small lattices fill the GPU
constexpr int largest_scalar_L = 256;     ///< the reference of larger lattices has this size

struct Options {
  std::vector<int> L = {16, 32, 64, 128};
  std::vector<std::uint64_t> intervals = {10, 100};
  std::vector<double> betas = {0.1, 0.15};
  std::uint64_t slots = 20, samples = 0;
  double seconds = 0.3;
  std::string device = "cpu", output;

  bool on_gpu() const { return device == "cuda"; }
};

/// As many samples as the widest word of a CPU has bits; on a GPU packs of 32 until there are enough spins.
std::uint64_t samples_of(const Options& options, int L) {
  if (options.samples != 0) return options.samples;
  if (!options.on_gpu()) return static_cast<std::uint64_t>(cpu::supported_word_bits().back());
  return 32 * static_cast<std::uint64_t>(std::max(1.0, std::ceil(spins_of_gpu / 32 / std::pow(L, 2))));
}

System system_of(const Options& options, int L, std::uint64_t interval) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.samples = samples_of(options, L);
  system.replicas = replicas;
  system.seed = seed;
  const double hot = options.betas[0], cold = options.betas[1];
  for (std::uint64_t slot = 0; slot < options.slots; ++slot)
    system.betas.push_back(std::lerp(cold, hot, static_cast<double>(slot) / static_cast<double>(options.slots - 1)));
  system.round = {2 * interval, 1};
  return system;
}

void check(const Options& options) {
  require_known("--device", {options.device}, {"cpu", "cuda"});
  if (options.on_gpu()) require_gpu("--device cuda");
  require_seconds(options.seconds);
  if (options.betas.size() != 2 || !(options.betas[0] > 0 && options.betas[0] < options.betas[1]) ||
      !(options.betas[1] < 100))
    throw UserError("--beta: give the smallest and the largest inverse temperature, such as 0.1,0.15.");
  if (options.slots < 2 || options.slots > 256)
    throw UserError(
        fmt::format("--slots {}: temperatures that exchange are 2 to 256, give such a number.", options.slots));
  if (options.samples % 32 != 0 || options.samples > most_samples)
    throw UserError(fmt::format("--samples {}: words hold 32 samples, give a multiple of 32 up to {}.", options.samples,
                                most_samples));
  for (const std::uint64_t interval : options.intervals)
    if (interval < 1 || interval > most_interval)
      throw UserError(fmt::format("--interval {}: sweeps before an exchange are 1 to {}, give such a number.", interval,
                                  most_interval));
  for (const int L : options.L) {
    require_size(L, 2, 0);
    const System system = system_of(options, L, 1);
    require_psflip_memory(system, options.device);
    if (make_exchange_table(system).shift < 32)
      throw UserError("--beta: neighbouring slots are too far apart to exchange, give more --slots.");
  }
}

std::uint64_t sweeps_of_round(const System& system) { return system.round.half_sweeps / 2; }

double flips_of_round(const System& system) {
  return static_cast<double>(sweeps_of_round(system) * system.sites() * system.slots());
}

Row row_of(const std::string& variant, const std::string& generator, const System& system) {
  Row row{std::string(system.preset().name), variant, "plain", generator, system.L};
  row.more = {{"exchange_interval", sweeps_of_round(system)},
              {"slots", system.slots()},
              {"beta", {system.betas.back(), system.betas.front()}}};
  return row;
}

/// Pairs of slots that a configuration set has tried to exchange in the first `rounds` rounds.
double tried_pairs(const System& system, std::uint64_t rounds) {
  std::uint64_t tried = 0;
  for (std::size_t slot = 0; slot + 1 < system.slots(); ++slot) tried += (rounds + 1 - slot % 2) / 2;
  return static_cast<double>(tried);
}

/// Rounds that are timed together: as many sweeps for each interval.
std::uint64_t rounds_of_timing(const System& system, const Options& options) {
  const std::uint64_t longest = *std::max_element(options.intervals.begin(), options.intervals.end());
  return std::max<std::uint64_t>(1, longest / sweeps_of_round(system));
}

/// One lattice in each slot, one after the other: sweeps and exchanges together.
Row scalar_tempering_row(const System& system, const Options& options) {
  Row row = row_of("scalar_tempering", "minstd", system);
  ScalarTempering<SerialTemperingNumbers> tempering(system);
  const std::uint64_t of_timing = rounds_of_timing(system, options);
  std::uint64_t rounds = 0;
  const auto advance = [&] {
    tempering.advance(of_timing);
    rounds += of_timing;
  };
  row.seconds = seconds_of_long(advance, options.seconds);
  row.flips = flips_of_round(system) * static_cast<double>(of_timing);
  row.more.update({{"samples", 1},
                   {"replicas", 1},
                   {"rounds", rounds},
                   {"exchange_rate", static_cast<double>(tempering.exchanges()) / tried_pairs(system, rounds)},
                   {"device", "cpu"},
                   {"threads", 1}});
  return row;
}

Row psflip_row(const System& system, const Options& options) {
  Row row = row_of("psflip", "philox", system);
  row.layout = "samples";
  const auto engine = make_psflip_engine(system, options.device);
  const std::uint64_t of_timing = rounds_of_timing(system, options);
  row.seconds = seconds_of_long([&] { engine->advance(of_timing); }, options.seconds);
  const double sets = static_cast<double>(system.samples) * replicas;
  row.flips = flips_of_round(system) * static_cast<double>(of_timing) * sets;
  double accepted = 0;
  for (const std::int32_t count : engine->sums().accepted) accepted += count;
  row.more.update({{"samples", system.samples},
                   {"replicas", replicas},
                   {"rounds", engine->rounds()},
                   {"exchange_rate", accepted / (sets * tried_pairs(system, engine->rounds()))},
                   {"device", options.device}});
  if (!options.on_gpu()) row.more["threads"] = 1;
  return row;
}

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  std::vector<int> references;
  for (const int L : options.L) {
    const int of_reference = std::min(L, largest_scalar_L);
    const bool is_new = std::find(references.begin(), references.end(), of_reference) == references.end();
    if (is_new) {
      references.push_back(of_reference);
      report.add(reference_row(preset_of(Model::ising2d), of_reference, options.betas[1], options.seconds));
    }
    for (const std::uint64_t interval : options.intervals) {
      if (is_new) report.add(scalar_tempering_row(system_of(options, of_reference, interval), options));
      report.add(psflip_row(system_of(options, L, interval), options));
    }
  }
  report.write();
}

}  // namespace

void add_tempering(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tempering", "time exchange Monte Carlo of the square ferromagnet");
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--interval", options->intervals, "sweeps between exchanges, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--slots", options->slots, "temperatures, equally spaced in beta")->capture_default_str();
  command->add_option("--beta", options->betas, "smallest and largest inverse temperature")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--samples", options->samples, "lattices of a slot and set, a multiple of 32; 0: fill the device")
      ->capture_default_str();
  command->add_option("--device", options->device, "cpu (one thread) or cuda")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
