#pragma once
#include <functional>
#include <memory>
#include <string>

#include "engine/driver/tempering_engine.hpp"

namespace psflip::golden {

using MakeEngine = std::function<std::unique_ptr<Engine>(const System&)>;

/// A few integers and a hash of the final state of one tiny run for each model, mode and packing, one run a line.
std::string trajectories(const MakeEngine& make_engine);

using MakeTempering = std::function<std::unique_ptr<TemperingEngine>(const TemperingSystem&)>;

/// The same of exchange Monte Carlo, one run for each way to decide about a spin.
std::string tempering_trajectories(const MakeTempering& make_engine);

}  // namespace psflip::golden
