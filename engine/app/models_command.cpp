#include "engine/app/models_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/models/model.hpp"

namespace psflip::app {

void print_models(bool as_json) {
  nlohmann::ordered_json all = nlohmann::json::array();
  for (const Preset& preset : presets) {
    all.push_back({{"name", preset.name},
                   {"title", preset.title},
                   {"number", static_cast<std::uint32_t>(preset.model)},
                   {"dimension", preset.dimension},
                   {"couplings", name_of(preset.couplings)},
                   {"field", name_of(preset.field)},
                   {"method", name_of(preset.method)}});
    if (!as_json)
      fmt::print("{:<10}{:<34}couplings {}, field {}, method {}\n", preset.name, preset.title,
                 name_of(preset.couplings), name_of(preset.field), name_of(preset.method));
  }
  if (as_json) fmt::print("{}\n", all.dump(1));
}

}  // namespace psflip::app
