#pragma once
#include <cstdint>

#include "engine/core/philox.hpp"
#include "engine/random/system_tag.hpp"

/// Where every random number lives: docs/randomness.md in code.
namespace psflip {

enum class Stream : std::uint32_t { couplings = 1, fields = 2, initial_spins = 3, metropolis = 4, exchange = 5 };

/// Planes of the independent mode that are drawn for a full pack before single lanes get a residual number.
inline constexpr int plane_count = 8;
inline constexpr std::uint32_t residual_draw = 32;

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
