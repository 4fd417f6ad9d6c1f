#include "engine/app/models_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/app/options/job_options.hpp"

namespace psflip::app {

namespace {

/// The options of every command: {"relaxation": ["--L", ...], ...}.
nlohmann::ordered_json options_by_command(const Preset& preset) {
  nlohmann::ordered_json commands = nlohmann::ordered_json::object();
  for (const JobCommand command : commands_of(preset)) {
    nlohmann::ordered_json options = nlohmann::json::array();
    for (const JobOption& option : job_options())
      if (option.exists(preset, command)) options.push_back(option.name);
    commands[std::string(name_of(command))] = options;
  }
  return commands;
}

std::string methods_text(const Preset& preset) {
  std::string text;
  for (const JobCommand command : commands_of(preset))
    if (command != JobCommand::adapt) text += (text.empty() ? "" : ", ") + std::string(name_of(command));
  return text;
}

}  // namespace

void print_models(bool as_json) {
  nlohmann::ordered_json all = nlohmann::json::array();
  for (const Preset& preset : presets) {
    all.push_back({{"name", preset.name},
                   {"title", preset.title},
                   {"number", static_cast<std::uint32_t>(preset.model)},
                   {"dimension", preset.dimension},
                   {"couplings", name_of(preset.couplings)},
                   {"field", name_of(preset.field)},
                   {"method", psflip::name_of(preset.method)},
                   {"measure", names_of(optional_integers_of(preset))},
                   {"commands", options_by_command(preset)}});
    if (!as_json)
      fmt::print("{:<10}{:<34}couplings {}, field {}, methods {}\n", preset.name, preset.title,
                 name_of(preset.couplings), name_of(preset.field), methods_text(preset));
  }
  if (as_json) fmt::print("{}\n", all.dump(1));
}

}  // namespace psflip::app
