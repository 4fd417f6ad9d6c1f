#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/gpu.hpp"
#include "engine/laboratory/app/psflip_engine.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/layouts/timing.hpp"
#include "engine/laboratory/reference/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/device_glass.hpp"
#endif

namespace psflip::laboratory {

namespace {

struct Options {
  std::vector<std::string> layouts = layout_names(), generators = {"minstd"};
  std::vector<int> L = {8, 10, 16, 32};
  std::vector<std::uint32_t> packs = {1};
  double beta = 1, seconds = 0.1;
  std::string device = "cpu", output;
};

constexpr std::uint32_t most_packs = 65535;  ///< of the grid of a kernel

void check(const Options& options, bool layout_is_named) {
  require_known("--layout", options.layouts, layout_names());
  std::vector<std::string> generators = layout_generators();
  generators.emplace_back(mtgp32_name);
  require_known("--generator", options.generators, generators);
  require_known("--device", {options.device}, {"cpu", "cuda"});
  if (options.device == "cuda") require_gpu("--device cuda");
  const auto& named = options.generators;
  if (options.device == "cpu" && std::find(named.begin(), named.end(), mtgp32_name) != named.end())
    throw UserError("--generator mtgp32: cuRAND has it on a GPU only, give --device cuda too or another generator.");
  if (!(options.beta > 0 && options.beta < 1e6)) throw UserError("--beta: give a positive inverse temperature.");
  for (const std::uint32_t packs : options.packs)
    if (packs < 1 || packs > most_packs)
      throw UserError(fmt::format("--packs {}: a launch has 1 to {} packs, give such a number.", packs, most_packs));
  const double packs = *std::max_element(options.packs.begin(), options.packs.end());
  const bool has_bitwise =
      std::find(options.layouts.begin(), options.layouts.end(), Bitwise::name) != options.layouts.end();
  for (const int L : options.L) {
    require_size(L, 3, 28 * packs);  // four replicas and three bonds a site, 4 bytes for 32 samples
    if (layout_is_named && has_bitwise && !Bitwise::allows(static_cast<std::uint32_t>(L)))
      throw UserError(fmt::format(
          "--L {}: the layout bitwise has sizes 4, 8, 16, ... only, give such an --L or another --layout.", L));
  }
}

Row row_of(const System& system, const char* layout, const std::string& generator, const std::string& device) {
  Row row{"ea3d", generator == "none" ? "stencil" : "layout", layout, generator, system.L};
  row.flips = static_cast<double>(system.samples * system.sites()) * system.replicas;
  row.more = {{"packs", system.samples / 32}, {"replicas", system.replicas}, {"device", device}, {"threads", 1}};
  return row;
}

template <class Layout>
Row timed(const System& system, const std::string& generator, const Options& options,
          [[maybe_unused]] double bandwidth) {
  Row row = row_of(system, Layout::name, generator, options.device);
#ifdef PSFLIP_WITH_CUDA
  if (options.device == "cuda") {
    const device::BestTime best = device::time_sweep<Layout>(system, generator, options.seconds);
    const double bytes = row.flips / (32 * glass_replicas) * bytes_per_site;
    row.seconds = best.seconds;
    row.more.update({{"threads_per_block", best.shape.threads_per_block},
                     {"sites_per_thread", best.shape.sites_per_thread},
                     {"share_of_bandwidth", bytes / best.seconds / bandwidth}});
    row.more.erase("threads");
    return row;
  }
#endif
  row.seconds = seconds_per_sweep<Layout>(system, generator, options.seconds);
  return row;
}

/// psflip itself: the largest number of packs on a GPU, on one thread of the CPU as many as its widest word holds.
Row psflip_row(int L, const Options& options) {
  const bool on_gpu = options.device == "cuda";
  const auto packs_of_word = static_cast<std::uint32_t>(cpu::supported_word_bits().back() / 32);
  const std::uint32_t packs = on_gpu ? *std::max_element(options.packs.begin(), options.packs.end()) : packs_of_word;
  const System system = glass_system(L, options.beta, packs, 1);
  Row row = row_of(system, "psflip", AddressedNumbers::name, options.device);
  row.variant = "psflip";
  row.seconds = seconds_of_psflip_sweep(system, options.device, options.seconds);
  if (on_gpu) row.more.erase("threads");
  return row;
}

void run(const CLI::App& command, const Options& options) {
  check(options, command.get_option("--layout")->count() > 0);
  Report report(command, options.output);
  double bandwidth = 0;
#ifdef PSFLIP_WITH_CUDA
  if (options.device == "cuda") bandwidth = device::copy_bandwidth();
#endif
  if (bandwidth > 0) report.set("copy_bytes_per_second", bandwidth);
  for (const int L : options.L) {
    report.add(reference_row(preset_of(Model::ea3d), L, options.beta, options.seconds));
    report.add(psflip_row(L, options));
    for (const std::string& generator : options.generators) {
      for (const std::uint32_t packs : options.packs) {
        const System system = glass_system(L, options.beta, packs, 1);
        for_each_layout([&]<class Layout>() {
          const auto& named = options.layouts;
          if (std::find(named.begin(), named.end(), Layout::name) == named.end()) return;
          if (Layout::allows(static_cast<std::uint32_t>(L)))
            report.add(timed<Layout>(system, generator, options, bandwidth));
        });
      }
    }
  }
  report.write();
}

}  // namespace

void add_layouts(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("layouts", "time the layouts of the 3D spin glass next to psflip");
  command->add_option("--layout", options->layouts, "sliced, standard, bitwise; default each that allows L")
      ->delimiter(',');
  command->add_option("--generator", options->generators, "random numbers; none: the memory access alone")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--packs", options->packs, "packs of 32 samples at once")->delimiter(',')->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_option("--device", options->device, "cpu (one thread) or cuda")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
