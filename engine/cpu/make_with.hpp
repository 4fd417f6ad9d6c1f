#pragma once
#include <memory>

#include "engine/driver/engine.hpp"

namespace psflip::cpu {

/// The engine of a System for one word type. One translation unit per word type instantiates it.
template <class W>
std::unique_ptr<Engine> make_with(const System& system, int threads);

}  // namespace psflip::cpu
