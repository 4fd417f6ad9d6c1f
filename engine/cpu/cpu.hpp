#pragma once
#include <memory>
#include <vector>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tempering_part.hpp"

namespace psflip::cpu {

/// Word widths in bits that this build has, narrowest first.
std::vector<int> supported_word_bits();

/// Name of the instruction set behind a word width ("AVX-512", "AVX2", "64-bit words").
const char* instruction_set(int word_bits);

/// A System in the memory of the CPU, at half sweep 0. `word_bits` is one of supported_word_bits() or 0 for the widest.
/// The results depend on neither `threads` nor `word_bits`.
std::unique_ptr<Engine> make_engine(const System& system, int threads, int word_bits);

/// Some planes of it, for one of several processes.
std::unique_ptr<DomainEngine> make_domain(const System& system, const Planes& planes, int threads, int word_bits);

/// The same for exchange Monte Carlo, at round 0.
std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system, int threads, int word_bits);

/// Some temperature slots of it, for one of several processes.
std::unique_ptr<TemperingPart> make_tempering_part(const TemperingSystem& system, const Slots& own, int threads,
                                                   int word_bits);

}  // namespace psflip::cpu
