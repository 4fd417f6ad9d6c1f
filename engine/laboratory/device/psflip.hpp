#pragma once
#include "engine/models/system.hpp"

/// psflip itself on the GPU, next to the algorithms of the papers.
namespace psflip::laboratory::device {

/// Seconds of one sweep of all samples of a system; `seconds` is the least time of the measurement. Throws UserError if
/// the GPU cannot simulate it.
double seconds_of_psflip_sweep(System system, double seconds);

}  // namespace psflip::laboratory::device
