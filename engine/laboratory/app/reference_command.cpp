#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"
#include "engine/laboratory/app/report.hpp"
#include "engine/laboratory/field_tiles/timing.hpp"
#include "engine/laboratory/reference/scalar.hpp"

namespace psflip::laboratory {

Row reference_row(const Preset& preset, int L, double beta, double seconds) {
  Row row{std::string(preset.name), scalar_variant, "plain", "minstd", L, 0, std::pow(L, preset.dimension)};
  row.seconds = preset.has_random_field() ? scalar_field_seconds(field_system(L, {beta}), 1, seconds)
                                          : scalar_seconds_per_sweep(preset, L, beta, seconds);
  row.more = {{"device", "cpu"}, {"threads", 1}};
  return row;
}

namespace {

struct Options {
  std::vector<std::string> systems = {"ea3d"};
  std::vector<int> L = {32};
  double beta = 1, seconds = 1;
  std::string output;
};

void run(const CLI::App& command, const Options& options) {
  std::vector<std::string> known;
  for (const Preset& preset : presets)
    if (!preset.has_random_field() || preset.dimension == 3) known.emplace_back(preset.name);
  require_known("--system", options.systems, known);
  for (const std::string& system : options.systems) {
    const Preset& preset = preset_of(*model_named(system));
    const int bytes_per_site = preset.has_random_bonds() ? 1 + preset.dimension : preset.has_random_field() ? 2 : 1;
    for (const int L : options.L) require_size(L, preset.dimension, bytes_per_site);
  }
  Report report(command, options.output);
  for (const std::string& system : options.systems)
    for (const int L : options.L)
      report.add(reference_row(preset_of(*model_named(system)), L, options.beta, options.seconds));
  report.write();
}

}  // namespace

void add_reference(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("reference", "time the plain scalar serial update on a CPU");
  command->add_option("--system", options->systems, "models, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--L", options->L, "linear sizes, comma separated")->delimiter(',')->capture_default_str();
  command->add_option("--beta", options->beta, "inverse temperature")->capture_default_str();
  command->add_option("--seconds", options->seconds, "least time of each timing")->capture_default_str();
  add_output(*command, options->output);
  command->callback([command, options] { run(*command, *options); });
}

}  // namespace psflip::laboratory
