#pragma once
#include <nlohmann/json_fwd.hpp>

#include "engine/models/system.hpp"

namespace psflip::bench {

/// Measures the peak rates of the GPU and returns them as fields of a benchmark's JSON: copy_bandwidth (bytes/s),
/// logic_rate (operations/s), philox_rate (calls/s), and the properties of the GPU. docs/benchmark.md
nlohmann::json measure_gpu();

/// Adds the GPU, the work of a flip by engine/bench/flip_model.cpp, and the shares of the peak rates that
/// updates at `ps_per_flip` reach.
void add_roofline(nlohmann::json& result, const nlohmann::json& gpu, const System& system, double ps_per_flip);

}  // namespace psflip::bench
