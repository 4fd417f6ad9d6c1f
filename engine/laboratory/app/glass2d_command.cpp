#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/psflip_engine.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/glass2d/timing.hpp"
#include "engine/laboratory/reference/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/square_glass.hpp"
#endif

namespace psflip::laboratory {

namespace {

constexpr std::uint32_t seed = 1;
constexpr std::uint64_t most_realizations = std::uint64_t{1} << 24;

struct Options {
  std::vector<std::string> variants = {"bytes", "words32", "words64", "psflip"}, generators = {"minstd", "philox"};
  std::vector<int> L = {16}, replicas = {1, 4};
  std::vector<std::uint64_t> realizations = {64, 512, 4096};
  double beta = 1, seconds = 0.1;
  std::string device = "cpu", output;

  bool on_gpu() const { return device == "cuda"; }
  bool has(const std::string& variant) const {
    return std::find(variants.begin(), variants.end(), variant) != variants.end();
  }
};

void require_block_memory([[maybe_unused]] const Options& options, [[maybe_unused]] int L) {
#ifdef PSFLIP_WITH_CUDA
  for_each_glass_storage([&]<class E>() {
    if (!options.has(GlassStorage<E>::name)) return;
    const std::size_t bytes = device::shared_bytes<E>(L);
    if (bytes > device::most_shared_bytes)
      throw UserError(fmt::format(
          "--L {}: a block of {} needs {} bytes of shared memory and has {}, give a smaller --L or other --variant.", L,
          GlassStorage<E>::name, bytes, std::size_t{device::most_shared_bytes}));
  });
#endif
}

void check(const Options& options) {
  require_known("--variant", options.variants, {"bytes", "words32", "words64", "psflip"});
  require_known("--generator", options.generators, glass_generators());
  require_known("--device", {options.device}, {"cpu", "cuda"});
  if (options.on_gpu()) require_gpu("--device cuda");
  if (!(options.beta > 0 && options.beta < 1e6)) throw UserError("--beta: give a positive inverse temperature.");
  require_seconds(options.seconds);
  for (const int replicas : options.replicas)
    if (replicas < 1 || replicas > 8)
      throw UserError(fmt::format("--replicas {}: psflip has 1 to 8 of a sample, give such a number.", replicas));
  for (const std::uint64_t realizations : options.realizations)
    if (realizations < 64 || realizations % 64 != 0 || realizations > most_realizations)
      throw UserError(fmt::format("--realizations {}: words hold 64, give a multiple of 64 up to {}.", realizations,
                                  most_realizations));
  const std::uint64_t most = *std::max_element(options.realizations.begin(), options.realizations.end());
  const int replicas = *std::max_element(options.replicas.begin(), options.replicas.end());
  for (const int L : options.L) {
    // A spin and two bonds of a byte, in the order of the host and in that of the GPU.
    require_size(L, 2, (options.on_gpu() ? 6.0 : 3.0) * static_cast<double>(most));
    if (options.on_gpu()) require_block_memory(options, L);
    if (options.has("psflip"))
      require_psflip_memory(square_glass_system(L, options.beta, most, replicas, seed), options.device);
  }
}

Row row_of(const std::string& variant, const std::string& layout, const std::string& generator, const System& system,
           const Options& options) {
  Row row{std::string(system.preset().name), variant, layout, generator, system.L};
  row.flips = static_cast<double>(system.samples * system.sites()) * system.replicas;
  row.more = {{"realizations", system.samples}, {"replicas", system.replicas}, {"device", options.device}};
  if (!options.on_gpu()) row.more["threads"] = 1;
  return row;
}

template <class E>
Row timed(const System& system, const std::string& generator, const Options& options) {
  const std::string name = GlassStorage<E>::name;
  Row row = row_of(name, name, generator, system, options);
  row.more["realizations_of_word"] = GlassStorage<E>::realizations;
#ifdef PSFLIP_WITH_CUDA
  if (options.on_gpu()) {
    const device::GlassTime best = device::time_glass_sweep<E>(system, generator, options.seconds);
    row.seconds = best.seconds;
    row.more["threads_per_block"] = best.threads_per_block;
    return row;
  }
#endif
  row.seconds = seconds_per_glass_sweep<E>(system, generator, options.seconds);
  return row;
}

/// psflip's engine with words of `bits` bits; a GPU has words of 32.
Row psflip_row(const System& system, int bits, const Options& options) {
  Row row = row_of("psflip", "psflip", "philox", system, options);
  row.more["realizations_of_word"] = bits;
  row.seconds = seconds_of_psflip_sweep(system, options.device, options.seconds, options.on_gpu() ? 0 : bits);
  return row;
}

void add_rows(int L, std::uint64_t realizations, const Options& options, Report& report) {
  for_each_glass_storage([&]<class E>() {
    if (!options.has(GlassStorage<E>::name)) return;
    for (const std::string& generator : options.generators)
      report.add(timed<E>(square_glass_system(L, options.beta, realizations, 1, seed), generator, options));
  });
  if (!options.has("psflip")) return;
  for (const int replicas : options.replicas) {
    const System system = square_glass_system(L, options.beta, realizations, replicas, seed);
    for (const int bits : options.on_gpu() ? std::vector<int>{32} : cpu::supported_word_bits())
      if (static_cast<std::uint64_t>(bits) <= realizations) report.add(psflip_row(system, bits, options));
  }
}

void run(const CLI::App& command, const Options& options) {
  check(options);
  Report report(command, options.output);
  for (const int L : options.L) {
    report.add(reference_row(preset_of(Model::ea2d), L, options.beta, options.seconds));
    for (const std::uint64_t realizations : options.realizations) add_rows(L, realizations, options, report);
  }
  report.write();
}

}  // namespace

void add_glass2d(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("glass2d", "time the 2D spin glass in bytes and words next to psflip");
  command->add_option("--variant", options->variants, "bytes, words32, words64, psflip, comma separated")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--generator", options->generators, "of bytes and words: minstd, xorwow, philox")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--realizations", options->realizations, "of the bonds, simulated together, multiples of 64")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--replicas", options->replicas, "of psflip, for each realization")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_option("--device", options->device, "cpu (one thread) or cuda")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
