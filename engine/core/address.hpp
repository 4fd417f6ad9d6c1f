#pragma once
#include <bit>
#include <cstdint>

#include "engine/core/philox.hpp"

/// Where every random number lives: docs/randomness.md in code.
namespace psflip {

enum class Stream : std::uint32_t { couplings = 1, fields = 2, initial_spins = 3, metropolis = 4, exchange = 5 };

/// Planes of the independent mode that are drawn for a whole pack before single lanes get a residual number.
inline constexpr int plane_count = 8;
inline constexpr std::uint32_t residual_draw = 32;

inline constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// What keeps the numbers of different systems apart: a hash of model, size and temperature. Disorder is the same at
/// every temperature; its tag is made with `beta_bits` = 0. `beta_bits` are the bits of the IEEE double beta.
inline constexpr std::uint32_t system_tag(std::uint32_t model, std::uint32_t L, std::uint64_t beta_bits) {
  return static_cast<std::uint32_t>(splitmix64(splitmix64(beta_bits) + (std::uint64_t{model} << 32) + L) >> 40);
}

/// What takes the place of `beta_bits` where temperatures exchange: a hash of everything that tells two such systems
/// apart, J, h and every beta. `betas` is a range of double.
template <class Betas>
constexpr std::uint64_t grid_hash(double J, double h, const Betas& betas) {
  std::uint64_t hash = 0;
  const auto mix = [&](double value) { hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(value)); };
  mix(J);
  mix(h);
  for (const double beta : betas) mix(beta);
  return hash;
}

inline constexpr Key make_key(std::uint32_t seed, Stream stream, std::uint32_t tag) {
  return {seed, static_cast<std::uint32_t>(stream) | (tag << 8)};
}

/// Fourth counter word. `pack` is the 40-bit pack index, of which the upper 8 bits go here.
PSFLIP_HD constexpr std::uint32_t counter_3(std::uint32_t replica_field, std::uint32_t slot, std::uint32_t draw,
                                            std::uint64_t pack) {
  return replica_field | (slot << 8) | (draw << 16) | (static_cast<std::uint32_t>(pack >> 32) << 24);
}

/// The numbers at one address; see the table of docs/randomness.md for `replica_field` and `draw`. Keys is Key
/// or KeySchedule.
template <class Keys>
PSFLIP_HD Four<std::uint32_t> numbers_at(const Keys& keys, std::uint32_t compact_site, std::uint32_t half_sweep,
                                         std::uint64_t pack, std::uint32_t replica_field, std::uint32_t draw,
                                         std::uint32_t slot = 0) {
  const Four<std::uint32_t> counter{
      {compact_site, half_sweep, static_cast<std::uint32_t>(pack), counter_3(replica_field, slot, draw, pack)}};
  return philox(counter, keys);
}

}  // namespace psflip
