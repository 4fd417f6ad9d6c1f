#pragma once

namespace psflip::app {

/// Prints what engine/models/presets.def says of every preset, one line each, or as JSON for programs.
void print_models(bool as_json);

}  // namespace psflip::app
