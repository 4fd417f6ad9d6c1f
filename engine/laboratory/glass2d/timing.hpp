#pragma once
#include <string>

#include "engine/laboratory/glass2d/square_glass.hpp"

namespace psflip::laboratory {

/// Seconds of a sweep of all realizations by one thread of a CPU, one group after the other. `generator` is one of
/// glass_generators().
template <class E>
double seconds_per_glass_sweep(const System& system, const std::string& generator, double seconds);

}  // namespace psflip::laboratory
