#pragma once
#include <string>
#include <vector>

#include "engine/laboratory/generators/timing.hpp"

namespace psflip::laboratory::device {

/// Table 1: 1024 blocks of 256 threads fill `count` floats; for cuRAND its host interface does. Table 2: 64 blocks of
/// 256 threads, 2^15 numbers a thread, ten times; for cuRAND its device interface. MTGP32 has at most 200 blocks of at
/// most 256 threads: a table of parameters for each block.
std::vector<GeneratorTime> time_generators(const std::vector<std::string>& names, std::size_t count, double seconds);

}  // namespace psflip::laboratory::device
