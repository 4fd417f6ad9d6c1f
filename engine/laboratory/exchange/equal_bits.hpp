#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/driver/ranks.hpp"
#include "engine/laboratory/layouts/glass.hpp"

namespace psflip::laboratory {

/// Spins [replica][site], +1 or -1, of one sample of a glass_system() in its memory.
template <class Layout>
std::vector<std::int8_t> spins_of_sample(Glass<Layout>& glass, std::uint32_t sample);

/// The same after some half sweeps of the plain scalar update with psflip's addressed numbers.
std::vector<std::int8_t> scalar_trajectory(const System& system, std::uint32_t sample, std::uint32_t half_sweeps);

/// Names of the programs whose spins after some half sweeps are those of SlicedRanks, at rank 0: "one rank", all spins;
/// "scalar" and "psflip" on the same ranks, the first and the last sample. Called by all ranks together.
std::vector<std::string> programs_with_equal_bits(const System& system, Ranks& ranks, std::uint32_t half_sweeps);

}  // namespace psflip::laboratory
