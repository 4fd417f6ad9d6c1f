#pragma once
#include <memory>
#include <vector>

#include "engine/driver/part_engine.hpp"

namespace psflip::cpu {

/// Word widths in bits that this build has, narrowest first.
std::vector<int> supported_word_bits();

/// Name of the instruction set behind a word width ("AVX-512", "AVX2", "64-bit words").
const char* instruction_set(int word_bits);

/// A System in the memory of the CPU, at round 0. `word_bits` is one of supported_word_bits() or 0 for the widest; a
/// model without a name has 64-bit words always. The results depend on neither `threads` nor `word_bits`. Throws
/// std::invalid_argument for a width or model that this build does not have.
std::unique_ptr<Engine> make_engine(const System& system, int threads, int word_bits);

/// Some planes or some temperature slots of it, for one of several processes.
std::unique_ptr<PartEngine> make_part(const System& system, const Share& share, int threads, int word_bits);

/// Bytes that make_engine() allocates for the full share of a system, or make_part() for another.
double bytes_of_engine(const System& system, const Share& share, int threads, int word_bits);

}  // namespace psflip::cpu
