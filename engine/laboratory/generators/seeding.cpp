#include "engine/laboratory/generators/seeding.hpp"

#include <algorithm>
#include <random>
#include <type_traits>

namespace psflip::laboratory {

template <>
std::vector<std::uint32_t> state_of<Minstd>(std::uint32_t seed) {
  return {std::max(seed % (Minstd::most + 1), 1u)};
}

template <>
std::vector<std::uint32_t> state_of<MersenneTwister>(std::uint32_t seed) {
  std::vector<std::uint32_t> state = {seed};
  for (std::uint32_t i = 1; i < MersenneTwister::n; ++i)
    state.push_back(1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i);
  state.push_back(0);
  return state;
}

template <>
std::vector<std::uint32_t> state_of<Xorwow>(std::uint32_t seed) {
  const std::uint32_t low = 1099087573u * (seed ^ 0xaad26b49u), high = 2591861531u * 0xf7dcefddu;
  return {123456789u + low, 362436069u ^ low, 521288629u + high,
          88675123u ^ high, 5783321u + low,   6615241u + high + low};
}

template <>
std::vector<std::uint32_t> state_of<AddressedPhilox>(std::uint32_t seed) {
  return {seed, 0, 0};
}

namespace {

std::vector<std::uint32_t> state_of_lags(std::uint32_t seed) {
  std::mt19937 numbers(seed);
  std::vector<std::uint32_t> state(ParisiRapuano::words);
  for (std::uint32_t i = 0; i < ParisiRapuano::lags; ++i) state[i] = static_cast<std::uint32_t>(numbers());
  return state;
}

}  // namespace

template <>
std::vector<std::uint32_t> state_of<ParisiRapuano>(std::uint32_t seed) {
  return state_of_lags(seed);
}
template <>
std::vector<std::uint32_t> state_of<ParisiRapuanoPoster>(std::uint32_t seed) {
  return state_of_lags(seed);
}

template <class G>
std::vector<std::uint32_t> states_of(std::size_t threads, std::uint32_t seed) {
  std::vector<std::uint32_t> all(threads * G::words);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const bool is_addressed = std::is_same_v<G, AddressedPhilox>;
    std::vector<std::uint32_t> one =
        state_of<G>(is_addressed ? seed : static_cast<std::uint32_t>(splitmix64(seed + thread)));
    if (is_addressed) one[1] = static_cast<std::uint32_t>(thread);
    for (std::size_t word = 0; word < one.size(); ++word) all[word * threads + thread] = one[word];
  }
  return all;
}

template std::vector<std::uint32_t> states_of<Minstd>(std::size_t, std::uint32_t);
template std::vector<std::uint32_t> states_of<ParisiRapuano>(std::size_t, std::uint32_t);
template std::vector<std::uint32_t> states_of<ParisiRapuanoPoster>(std::size_t, std::uint32_t);
template std::vector<std::uint32_t> states_of<MersenneTwister>(std::size_t, std::uint32_t);
template std::vector<std::uint32_t> states_of<Xorwow>(std::size_t, std::uint32_t);
template std::vector<std::uint32_t> states_of<AddressedPhilox>(std::size_t, std::uint32_t);

}  // namespace psflip::laboratory
