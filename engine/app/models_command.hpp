#pragma once

namespace psflip::app {

/// Prints every preset of engine/models/presets.def, one line each, or as JSON for programs.
void print_models(bool as_json);

}  // namespace psflip::app
