#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/core/exchange.hpp"
#include "engine/core/platform.hpp"

/// Decisions about the exchange of two slots for many lanes at once. A product of 64-bit integers is no vector
/// instruction, so most lanes are decided by a bound on the threshold in double, the others by the integers.
namespace psflip::cpu {

/// What the decisions of a pair of slots need: the weights, and the same in double without their common scale.
struct ExchangePair {
  ExchangeWeights weights;
  int shift;
  double bond, field;

  ExchangePair(const ExchangeWeights& w, int common_shift)
      : weights(w),
        shift(common_shift),
        bond(std::ldexp(static_cast<double>(w.bond), -common_shift)),
        field(std::ldexp(static_cast<double>(w.field), -common_shift)) {}

  bool accepts(std::uint32_t number, std::int64_t bond_difference, std::int64_t field_difference) const {
    return number < exchange_threshold(weights.bond * bond_difference + weights.field * field_difference, shift);
  }
};

/// 2^32 2^-y for 0 <= y <= 64 with a relative error below 10^-7.
PSFLIP_INLINE double scaled_exp2_of_minus(double y) {
  constexpr double to_integer = 0x1.8p52;  // added to a double, it leaves the nearest integer in the last bits
  const double shifted = y + to_integer, rest = (y - (shifted - to_integer)) * -0.69314718055994530942;
  // the Taylor series of exp, for arguments of at most ln(2) / 2 in size
  double p = (((rest * (1.0 / 5040) + 1.0 / 720) * rest + 1.0 / 120) * rest + 1.0 / 24) * rest + 1.0 / 6;
  p = ((p * rest + 0.5) * rest + 1) * rest + 1;
  const std::int64_t whole = std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(to_integer);
  return p * std::bit_cast<double>((1023 + 32 - whole) << 52);
}

/// accepted[lane] = -1 where the exchange is accepted, else 0, in each of `lanes` lanes. The integers and the numbers
/// are arrays of lanes; the energies are those of the colder and the hotter slot.
inline void decide_exchanges(const ExchangePair& pair, int lanes, const std::uint32_t* numbers,
                             const std::int32_t* cold_bonds, const std::int32_t* hot_bonds,
                             const std::int32_t* cold_fields, const std::int32_t* hot_fields, std::int32_t* accepted) {
  // |y| < 2^30 (make_exchange_table), so the rounding errors of y change the threshold by less than 10^-6 of it.
  constexpr double margin = 4e-6;
  const double bond = pair.bond, field = pair.field;
  std::int32_t undecided = 0;
#ifndef __clang__  // clang 14 cannot, and warns
#pragma omp simd reduction(| : undecided)
#endif
  for (int lane = 0; lane < lanes; ++lane) {
    const double y = bond * (hot_bonds[lane] - cold_bonds[lane]) + field * (hot_fields[lane] - cold_fields[lane]);
    const double above_zero = y < 0 ? 0.0 : y, inside = above_zero > 64 ? 64.0 : above_zero;
    const double threshold = scaled_exp2_of_minus(inside), number = numbers[lane];
    const std::int32_t below = number < threshold - (threshold * margin + 2) ? -1 : 0;
    const std::int32_t above = number > threshold + (threshold * margin + 2) ? -1 : 0;
    accepted[lane] = below;
    undecided |= ~(below | above);
  }
  if (undecided == 0) return;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::int64_t bonds = hot_bonds[lane] - cold_bonds[lane], fields = hot_fields[lane] - cold_fields[lane];
    if (pair.accepts(numbers[lane], bonds, fields)) accepted[lane] = -1;
  }
}

}  // namespace psflip::cpu
