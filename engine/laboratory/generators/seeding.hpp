#pragma once
#include <cstdint>
#include <vector>

#include "engine/laboratory/generators/generators.hpp"

namespace psflip::laboratory {

/// State of one thread, the words of `seed` for the generator G:
/// MINSTD: seed mod (2^31 - 1), 1 instead of 0. MT19937: init_genrand(seed) of its authors, as std::mt19937. XORWOW:
/// curand_init(seed, 0, 0) of cuRAND. Parisi-Rapuano: 62 numbers of std::mt19937. Philox: the seed is the key and the
/// thread 0.
template <class G>
std::vector<std::uint32_t> state_of(std::uint32_t seed);

/// The states of `threads` threads, word i of all threads side by side. Thread t has the seed t of the sequence
/// splitmix64(seed + t), and Philox the address t.
template <class G>
std::vector<std::uint32_t> states_of(std::size_t threads, std::uint32_t seed);

}  // namespace psflip::laboratory
