#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/core/address.hpp"
#include "engine/core/exchange.hpp"
#include "engine/core/field_update.hpp"
#include "engine/driver/tables.hpp"
#include "engine/driver/tempering_engine.hpp"
#include "engine/random/acceptance_threshold.hpp"

/// What a tempering run needs of the mathematical library, made once per job on the host in double.
namespace psflip {

/// Thresholds of one slot: dE = 4 J (3 - n) + 2 h (1 - 2 f) for n unsatisfied bonds and f = 1 where s_i h_i = -1.
inline FieldThresholds make_field_thresholds(const TemperingSystem& s, double beta) {
  FieldThresholds t{};
  for (int f = 0; f < 2; ++f) {
    for (int n = 0; n <= 6; ++n) {
      const double energy = 4 * s.J * (3 - n) + 2 * s.h * (1 - 2 * f);
      t.always[f][n] = energy <= 0;
      t.below[f][n] = energy <= 0 ? 0xffffffffu : acceptance_threshold(beta * energy);
    }
  }
  return t;
}

/// Integer weights of all pairs of neighbouring slots and their common scale.
struct ExchangeTable {
  int shift;  ///< below 32 when the slots are too far apart for integers: refused by validate()
  std::vector<ExchangeWeights> weights;
};

inline ExchangeTable make_exchange_table(const TemperingSystem& s) {
  constexpr double log2_e = 1.4426950408889634;
  const auto N = static_cast<double>(s.sites());
  std::vector<double> w;
  for (std::size_t k = 0; k + 1 < s.slots(); ++k) w.push_back((s.betas[k + 1] - s.betas[k]) * log2_e);
  double largest = 0;
  for (const double x : w) largest = std::max(largest, std::abs(x) * (6 * s.J * N + 2 * s.h * N));
  int exponent = 0;
  std::frexp(largest, &exponent);
  ExchangeTable table{std::min(52, 62 - exponent), {}};
  for (const double x : w)
    table.weights.push_back(
        {std::llround(std::ldexp(s.J * x, table.shift)), std::llround(std::ldexp(s.h * x, table.shift))});
  return table;
}

/// The key of a stream of the trajectories (initial spins, Metropolis, exchange) of this J, h and grid.
inline Key tempering_key(const TemperingSystem& s, Stream stream) {
  const std::uint64_t hash = grid_hash(s.J, s.h, s.betas);
  return make_key(s.seed, stream,
                  system_tag(static_cast<std::uint32_t>(s.model), static_cast<std::uint32_t>(s.L), hash));
}

}  // namespace psflip
