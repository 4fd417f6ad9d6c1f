#pragma once
#include <nlohmann/json_fwd.hpp>

#include "engine/models/system.hpp"

namespace psflip::bench {

/// Measures the ceilings of the GPU and gives them back as fields of a benchmark's JSON: copy_bandwidth (bytes/s),
/// logic_rate (operations/s), philox_rate (calls/s), and what the driver says of the card. docs/benchmark.md
nlohmann::json measure_card();

/// Adds the card, what the model of engine/bench/flip_model.cpp demands of it, and the shares of its ceilings that
/// updates at `ps_per_flip` reach.
void add_roofline(nlohmann::json& result, const nlohmann::json& card, const System& system, double ps_per_flip);

}  // namespace psflip::bench
