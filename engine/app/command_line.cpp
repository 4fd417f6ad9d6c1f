#include "engine/app/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "engine/app/bench.hpp"
#include "engine/app/machine.hpp"
#include "engine/app/models_command.hpp"
#include "engine/app/options/job_options.hpp"
#include "engine/app/options/nearest.hpp"
#include "engine/app/options/option_file.hpp"
#include "engine/app/options/parse.hpp"
#include "engine/app/run/run_job.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

/// A command of a preset on the command line.
struct Subcommand {
  CLI::App* app;
  const Preset* preset;
  JobCommand command;
  std::shared_ptr<JobOptions> options;

  int run() const {
    const Execution execution = execution_of(*options);
    if (command != JobCommand::adapt) return run_job(job_of(*options, *preset, command), execution);
    const AdaptOptions adapt = adapt_of(*options);
    return run_adapt(job_of(*options, *preset, command), adapt, execution);
  }
};

std::string title_of(const Preset& preset, JobCommand command) {
  if (command == JobCommand::adapt) return "make a grid of temperatures whose neighbours exchange often";
  const std::string name(preset.title);
  switch (method_of(command)) {
    case Method::relaxation:
      return name + ", measured at logarithmic times after the start";
    case Method::equilibrium:
      return name + ", measured at equal intervals";
    default:
      return name + ", exchange Monte Carlo over temperature slots";
  }
}

std::vector<Subcommand> add_models(CLI::App& app) {
  std::vector<Subcommand> all;
  for (const Preset& preset : presets) {
    CLI::App* model = app.add_subcommand(std::string(preset.name), std::string(preset.title));
    model->configurable();
    model->fallthrough();
    model->require_subcommand(1);
    for (const JobCommand command : commands_of(preset)) {
      CLI::App* sub = model->add_subcommand(std::string(name_of(command)), title_of(preset, command));
      sub->configurable();
      sub->fallthrough();
      all.push_back({sub, &preset, command, std::make_shared<JobOptions>()});
      add_job_options(*sub, *all.back().options, preset, command);
    }
  }
  return all;
}

std::vector<std::string> names_of(const std::vector<JobCommand>& commands) {
  std::vector<std::string> names;
  for (const JobCommand command : commands) names.emplace_back(name_of(command));
  return names;
}

bool has_option(const Preset& preset, JobCommand command, const std::string& name) {
  const auto& all = job_options();
  return std::any_of(all.begin(), all.end(),
                     [&](const JobOption& option) { return option.name == name && option.exists(preset, command); });
}

/// A line of version 0.1, which had one method for each model and no word for it: every job had --L.
bool is_of_first_version(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "--L" || word.starts_with("--L="); });
}

/// An option instead of a method.
void refuse_missing_method(int argc, char** argv) {
  if (argc < 3) return;
  const std::optional<Model> model = model_named(argv[1]);
  const std::string second = argv[2];
  if (!model) return;
  if (second.rfind("--", 0) != 0 || second == "--help" || second.rfind("--config", 0) == 0) return;
  const Preset& preset = preset_of(*model);
  const std::vector<std::string> words(argv + 2, argv + argc);
  if (!is_of_first_version(words))
    throw UserError(fmt::format("psflip {} {}: a method follows the model, give one of {}; see psflip {} --help.",
                                argv[1], shortened(second), fmt::join(names_of(commands_of(preset)), ", "), argv[1]));
  const auto command = static_cast<JobCommand>(preset.method);  // they begin with the methods
  bool fits = true;
  for (const std::string& word : words)
    fits = fits && (word.rfind("--", 0) != 0 || has_option(preset, command, word.substr(0, word.find('='))));
  const std::string remedy =
      fits ? fmt::format("type: psflip {} {} {}", argv[1], name_of(command), fmt::join(words, " "))
           : fmt::format("see psflip {} --help.", argv[1]);
  throw UserError(fmt::format("psflip {}: a method follows the model since version 0.2.0, {}", argv[1], remedy));
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

/// Something else than a method behind the model.
void refuse_unknown_method(int argc, char** argv) {
  const std::optional<Model> model = argc > 2 ? model_named(argv[1]) : std::nullopt;
  if (!model || argv[2][0] == '-') return;
  choice(fmt::format("psflip {}", argv[1]), argv[2], names_of(commands_of(preset_of(*model))));
}

/// The word CLI11 did not know, out of its message "The following argument(s) was/were not expected: ...".
std::string unknown_word(const std::string& message) {
  std::size_t dashes = message.find(" --");
  if (dashes == std::string::npos) dashes = message.find(" -");
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

/// Numbers are checked as the user wrote them.
void refuse_bad_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type != "INT" && type != "FLOAT") continue;
    const auto check = [name = option->get_name(), is_whole = type == "INT"](const std::string& text) {
      require_number(name, text, is_whole);
      return std::string();
    };
    option->check(check, "");
  }
  for (CLI::App* sub : app.get_subcommands({})) refuse_bad_numbers(*sub);
}

/// Of an option that exists for other models or methods only: the missing property. Empty for no option at all.
std::string reason_against(const std::string& word) {
  for (const JobOption& option : job_options())
    if (option.name == word) return option.needs;
  return {};
}

/// The words before the options, for example "psflip ea3d relaxation".
std::string command_of(const CLI::App& app) {
  std::string command = "psflip";
  for (const CLI::App* level = &app; !level->get_subcommands().empty();) {
    level = level->get_subcommands().front();
    command += " " + level->get_name();
  }
  return command;
}

/// "--L 3000000000" out of "Could not convert: --L = 3000000000".
std::string option_and_value(const std::string& what) {
  const std::size_t first = what.find("--"), equals = what.find(" = ");
  return what.substr(first, equals - first) + " " + shortened(what.substr(equals + 3));
}

/// The command that was given, or as much of it.
const CLI::App& deepest(const CLI::App& app) {
  const CLI::App* level = &app;
  while (!level->get_subcommands().empty()) level = level->get_subcommands().front();
  return *level;
}

/// An option, or key of a file, that is not one of the command.
[[noreturn]] void refuse_unknown(const CLI::App& app, const std::string& word, bool in_file) {
  if (!in_file && deepest(app).get_option_no_throw(word) != nullptr)
    throw UserError(word + ": the option belongs behind the model and method, put it there.");
  if (const std::string reason = reason_against(word); !reason.empty())
    throw UserError(fmt::format("{}: {} has no such option, {}; leave it out.", word, command_of(app), reason));
  const std::string meant = nearest(word, option_names(in_file ? app : deepest(app)));
  if (meant == word && in_file)
    throw UserError(word + ": the key belongs in the table [MODEL.METHOD] of the file, put it there.");
  if (meant == word) throw UserError(fmt::format("{}: {} has no such option, leave it out.", word, command_of(app)));
  if (!in_file && edit_distance(word, meant) > word.size() / 2)  // nothing like it
    throw UserError(
        fmt::format("{}: {} has no such option, see {} --help.", shortened(word), command_of(app), command_of(app)));
  throw UserError(fmt::format("{}: no such option or key, did you mean {}?", shortened(word), meant));
}

/// A job file that CLI11 cannot open.
[[noreturn]] void refuse_job_file(const std::string& path) {
  constexpr std::size_t longest_path = 255;
  const std::string shown = path.size() <= longest_path ? path : shortened(path);
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw UserError(fmt::format("--config {}: this is a folder; give a TOML file with the options of one job.", shown));
  throw UserError(fmt::format("--config {}: the file cannot be read, check its name and permissions.", shown));
}

/// CLI11's complaint as one sentence with a remedy.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::string word = unknown_word(what);
  const bool in_file = dynamic_cast<const CLI::ConfigError*>(&error) != nullptr;
  if (in_file && word.find("--") != 0) word = "--" + word.substr(word.find_last_of('.') + 1);
  if (in_file || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) refuse_unknown(app, word, in_file);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && what.find("At Most 1") != std::string::npos)
    throw UserError(fmt::format("{}: is given more than once, give it once.", what.substr(0, what.find(':'))));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && what.find(" missing") != std::string::npos)
    throw UserError(fmt::format("{}: the value is missing, give one.", what.substr(0, what.find(':'))));
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && what.find(" = ") != std::string::npos)
    throw UserError(fmt::format("{}: the number is too large, give a smaller one.", option_and_value(what)));
  if (dynamic_cast<const CLI::FileError*>(&error) != nullptr) refuse_job_file(what.substr(0, what.find(" was not")));
  std::vector<std::string> names;
  for (const CLI::App* sub : deepest(app).get_subcommands({})) names.push_back(sub->get_name());
  if (!names.empty()) throw UserError(fmt::format("{}; give one of {}.", what, fmt::join(names, ", ")));
  throw UserError(fmt::format("{}; see {} --help.", what, command_of(app)));
}

}  // namespace

int run_command_line(int argc, char** argv, Ranks& ranks) {
  CLI::App app("Multispin Monte Carlo of disordered and pure Ising systems.", "psflip");
  app.set_version_flag("--version", version_text);
  app.set_config("--config", "", "options as a TOML file, in a table named after model and method");
  app.config_formatter(std::make_shared<OptionFile>());
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.require_subcommand(1);
  const std::vector<Subcommand> subcommands = add_models(app);
  BenchOptions bench;
  CLI::App* run_bench = app.add_subcommand("bench", "measure the speed of this machine");
  CLI::App* info = app.add_subcommand("info", "versions, processor, word widths");
  CLI::App* list = app.add_subcommand("models", "the models and their properties");
  bool as_json = false;
  list->add_flag("--json", as_json, "as JSON");
  add_bench_options(*run_bench, bench);
  refuse_empty_values(app);
  refuse_bad_numbers(app);
  std::vector<std::string> commands;
  for (const CLI::App* sub : app.get_subcommands({})) commands.push_back(sub->get_name());
  if (argc > 1 && argv[1][0] != '-') choice("psflip", argv[1], commands);
  refuse_missing_method(argc, argv);
  refuse_unknown_method(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    refuse(app, error);
  }
  for (const Subcommand& subcommand : subcommands) {
    if (!subcommand.app->parsed()) continue;
    subcommand.options->execution.ranks = &ranks;
    if (const CLI::Option* config = app.get_config_ptr(); config->count() > 0)
      subcommand.options->execution.inputs = {{"--config", config->as<std::string>()}};
    return subcommand.run();
  }
  if (run_bench->parsed() && ranks.count() > 1)
    throw UserError("psflip bench: measures one process, leave mpirun out.");
  if (run_bench->parsed()) return run_benchmark(bench);
  if (info->parsed()) print_info();
  if (list->parsed()) print_models(as_json);
  return exit_done;
}

}  // namespace psflip::app
