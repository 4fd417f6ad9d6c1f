#pragma once
#include <memory>

#include "engine/driver/tempering_engine.hpp"

/// Engine of exchange Monte Carlo on one GPU.
namespace psflip::cuda {

std::unique_ptr<TemperingEngine> make_single_gpu_tempering(const TemperingSystem& system);

}  // namespace psflip::cuda
