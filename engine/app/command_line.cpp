#include "engine/app/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>

#include "engine/app/bench.hpp"
#include "engine/app/common_options.hpp"
#include "engine/app/machine.hpp"
#include "engine/app/models_command.hpp"
#include "engine/app/nearest.hpp"
#include "engine/app/parse.hpp"
#include "engine/app/rfim3d_command.hpp"
#include "engine/app/run_job.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

/// Values as they stand on the command line, before they become a Job.
struct Options : CommonOptions {
  std::vector<std::string> beta;
  int replicas = 4;
  std::string couplings = "bimodal", packing = "auto";
  std::int64_t measure_interval = 10, bins = 32;
};

void add_model_options(CLI::App& sub, Options& o, const Preset& preset) {
  const std::string group = "Physics";
  CLI::Option* T = add_common_options(sub, o, "temperatures in J / k_B, comma separated", "write the couplings");
  sub.add_option("--beta", o.beta, "inverse temperatures instead of --T")->excludes(T)->group(group);
  if (preset.has_random_bonds()) {
    sub.add_option("--replicas", o.replicas, "copies of each sample, 1 to 8")->capture_default_str()->group(group);
    sub.add_option("--couplings", o.couplings, "bimodal or ferromagnet")->capture_default_str()->group(group);
  }
  if (preset.packs_sites())
    sub.add_option("--packing", o.packing, "samples or sites in a word; auto: sites for L >= 1024")
        ->capture_default_str()
        ->group(group);
  if (preset.method != Method::equilibrium) return;
  sub.add_option("--measure-interval", o.measure_interval, "sweeps between measurements")
      ->capture_default_str()
      ->group(group);
  sub.add_option("--bins", o.bins, "equal bins of measurements kept per sample")->capture_default_str()->group(group);
}

Job make_job(const Options& o, const Preset& preset) {
  Job job;
  System& s = job.system;
  s.model = preset.model;
  s.L = o.L;
  parse_samples(o.samples, s);
  s.replicas = preset.has_disorder() ? o.replicas : 1;
  s.seed = parse_seed(o.seed);
  const std::string random =
      o.random.empty() ? (preset.has_random_bonds() && o.couplings != "ferromagnet" ? "shared" : "independent")
                       : o.random;
  s.random = static_cast<Random>(choice("--random", random, {"shared", "independent"}));
  s.start = static_cast<Start>(choice("--start", o.start, {"random", "ordered"}));
  s.couplings = preset.has_random_bonds()
                    ? static_cast<Couplings>(choice("--couplings", o.couplings, {"bimodal", "ferromagnet"}))
                    : Couplings::ferromagnet;
  const int packing = choice("--packing", o.packing, {"samples", "sites", "auto"});
  s.packing = static_cast<Packing>(packing);
  if (packing == 2)
    s.packing = preset.packs_sites() && s.L >= 1024 && s.L % 64 == 0 ? Packing::sites : Packing::samples;
  job.given_as_beta = o.T.empty() && !o.beta.empty();
  (job.given_as_beta ? job.beta : job.T) = job.given_as_beta ? parse_reals("--beta", o.beta) : parse_reals("--T", o.T);
  for (const double T : job.T) job.beta.push_back(1 / T);
  if (job.given_as_beta)
    for (const double beta : job.beta) job.T.push_back(1 / beta);
  job.sweeps = not_negative("--sweeps", o.sweeps);
  job.measure_interval = not_negative("--measure-interval", o.measure_interval);
  job.bins = not_negative("--bins", o.bins);
  job.save_disorder = o.save_disorder;
  job.save_spins = o.save_spins;
  return job;
}

/// The subcommand of one preset.
struct ModelCommand {
  CLI::App* sub;
  CommonOptions* options;
  std::function<int()> run;
};

ModelCommand add_model(CLI::App& app, const Preset& preset) {
  CLI::App* sub =
      app.add_subcommand(std::string(preset.name), fmt::format("{}, {}", preset.title, name_of(preset.method)));
  if (preset.method == Method::tempering) {
    const auto options = std::make_shared<Rfim3dOptions>();
    options->model = preset.model;
    add_rfim3d_options(*sub, *options);
    return {sub, options.get(), [=] { return run_rfim3d_command(*options); }};
  }
  const auto options = std::make_shared<Options>();
  add_model_options(*sub, *options, preset);
  return {sub, options.get(), [=, &preset] { return run_job(make_job(*options, preset), execution_of(*options)); }};
}

/// All option names a user may have meant, with their dashes.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const CLI::App* sub : app.get_subcommands({}))
    for (const std::string& name : option_names(*sub)) names.push_back(name);
  return names;
}

/// The word CLI11 did not know, out of its message "The following argument(s) was/were not expected: ...".
std::string unknown_word(const std::string& message) {
  const std::size_t dashes = message.find(" -");
  const std::size_t start = dashes != std::string::npos ? dashes + 1 : message.find_last_of(" .") + 1;
  return message.substr(start, message.find_first_of(" =", start) - start);
}

/// CLI11 reads an empty text as 0.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator not_empty(
      [](std::string& text) { return text.empty() ? std::string("the value is empty, give one") : std::string(); }, "");
  for (CLI::Option* option : app.get_options())
    if (option->get_expected_min() > 0) option->check(not_empty);
  for (CLI::App* sub : app.get_subcommands({})) refuse_empty_values(*sub);
}

/// CLI11's complaint as one sentence with a remedy.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::string word = unknown_word(what);
  const bool in_file = dynamic_cast<const CLI::ConfigError*>(&error) != nullptr;
  if (in_file && word.find("--") != 0) word = "--" + word;
  if (in_file || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    throw UserError(fmt::format("{}: no such option or key, did you mean {}?", word, nearest(word, option_names(app))));
  }
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  if (app.get_subcommands().empty()) throw UserError(fmt::format("{}; give one of {}.", what, fmt::join(names, ", ")));
  std::string command = "psflip";
  for (const CLI::App* sub : app.get_subcommands()) command += " " + sub->get_name();
  throw UserError(fmt::format("{}; see {} --help for what is expected.", what, command));
}

}  // namespace

int run_command_line(int argc, char** argv, Ranks& ranks) {
  CLI::App app("Multispin Monte Carlo of disordered and pure Ising systems.", "psflip");
  app.set_version_flag("--version", version_text);
  app.set_config("--config", "", "options as a TOML file, in a table named after the model");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.require_subcommand(1);
  std::vector<ModelCommand> models;
  for (const Preset& preset : presets) models.push_back(add_model(app, preset));
  BenchOptions bench;
  CLI::App* run_bench = app.add_subcommand("bench", "measure the speed of this machine");
  CLI::App* info = app.add_subcommand("info", "versions, processor, word widths");
  CLI::App* list = app.add_subcommand("models", "the models and their properties");
  bool as_json = false;
  list->add_flag("--json", as_json, "as JSON");
  add_bench_options(*run_bench, bench);
  refuse_empty_values(app);
  std::vector<std::string> commands;
  for (const CLI::App* sub : app.get_subcommands({})) commands.push_back(sub->get_name());
  if (argc > 1 && argv[1][0] != '-') choice("psflip", argv[1], commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    refuse(app, error);
  }
  for (const ModelCommand& model : models) {
    if (!model.sub->parsed()) continue;
    model.options->execution.ranks = &ranks;
    if (const CLI::Option* config = app.get_config_ptr(); config->count() > 0)
      model.options->execution.inputs = {{"--config", config->as<std::string>()}};
    return model.run();
  }
  if (run_bench->parsed() && ranks.count() > 1)
    throw UserError("psflip bench: measures one process, leave mpirun out.");
  if (run_bench->parsed()) return run_benchmark(bench);
  if (info->parsed()) print_info();
  if (list->parsed()) print_models(as_json);
  return exit_done;
}

}  // namespace psflip::app
