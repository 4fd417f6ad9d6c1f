#pragma once
#include <memory>
#include <string>

#include "engine/driver/engine.hpp"

namespace psflip::laboratory {

/// psflip's own engine: one thread of the CPU with words of `word_bits` bits (0: the widest), or the GPU for "cuda".
std::unique_ptr<Engine> make_psflip_engine(const System& system, const std::string& device, int word_bits = 0);

/// Seconds of a sweep of all samples by that engine, of many sweeps in a call on a GPU; `least` is the least time of
/// the measurement.
double seconds_of_psflip_sweep(System system, const std::string& device, double least, int word_bits = 0);

/// Throws UserError if the memory of the device is too small for it.
void require_psflip_memory(const System& system, const std::string& device, int word_bits = 0);

}  // namespace psflip::laboratory
