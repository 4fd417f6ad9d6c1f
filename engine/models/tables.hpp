#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "engine/core/exchange.hpp"
#include "engine/core/field_update.hpp"
#include "engine/core/fourier.hpp"
#include "engine/core/update.hpp"
#include "engine/models/system.hpp"
#include "engine/random/acceptance_threshold.hpp"
#include "engine/random/address.hpp"

/// Tables of an engine that depend on the energy, the random numbers and the mathematical library: made once per job on
/// the host in double.
namespace psflip {

/// threshold[n] = floor(2^32 exp(-beta dE)), dE = 4 (D - n), of a model without field.
inline Thresholds make_thresholds(double beta, int dimension) {
  Thresholds t{};
  for (int n = 0; n < dimension; ++n) {
    t.by_unsatisfied[n] = acceptance_threshold(beta * 4 * (dimension - n));
  }
  return t;
}

/// Thresholds of one slot: dE = 4 J (D - n) + 2 h (1 - 2 f) for n unsatisfied bonds and f = 1 where s_i h_i = -1.
inline FieldThresholds make_field_thresholds(const System& s, double beta) {
  FieldThresholds t{};
  const int D = s.dimension();
  const double h = s.preset().has_field() ? s.h : 0;
  for (int f = 0; f < 2; ++f) {
    for (int n = 0; n <= 2 * D; ++n) {
      const double energy = 4 * s.J * (D - n) + 2 * h * (1 - 2 * f);
      t.always[f][n] = energy <= 0;
      t.below[f][n] = energy <= 0 ? 0xffffffffu : acceptance_threshold(beta * energy);
    }
  }
  return t;
}
inline std::vector<FieldThresholds> make_field_thresholds(const System& s) {
  std::vector<FieldThresholds> slots;
  for (const double beta : s.betas) slots.push_back(make_field_thresholds(s, beta));
  return slots;
}

/// Integer weights of all pairs of neighbouring slots and their common scale.
struct ExchangeTable {
  int shift;  ///< below 32 when the slots are too far apart for integers: refused by validate()
  std::vector<ExchangeWeights> weights;
};

inline ExchangeTable make_exchange_table(const System& s) {
  constexpr double log2_e = 1.4426950408889634;
  const auto N = static_cast<double>(s.sites());
  std::vector<double> w;
  for (std::size_t k = 0; k + 1 < s.slots(); ++k) w.push_back((s.betas[k + 1] - s.betas[k]) * log2_e);
  double largest = 0;
  for (const double x : w) largest = std::max(largest, std::abs(x) * (2 * s.dimension() * s.J * N + 2 * s.h * N));
  int exponent = 0;
  std::frexp(largest, &exponent);
  ExchangeTable table{std::min(52, 62 - exponent), {}};
  for (const double x : w)
    table.weights.push_back(
        {std::llround(std::ldexp(s.J * x, table.shift)), std::llround(std::ldexp(s.h * x, table.shift))});
  return table;
}

/// Integer cosines and sines of 2 pi x / L, scaled by 2^20; those half a period on are the negatives, L is even.
struct FourierTable {
  std::vector<std::int32_t> cosine, sine;
};

inline FourierTable make_fourier_table(int L) {
  FourierTable table;
  for (int x = 0; x < L / 2; ++x) {
    const double angle = 2 * std::numbers::pi * x / L;
    table.cosine.push_back(static_cast<std::int32_t>(std::lround(std::ldexp(std::cos(angle), fourier_table_bits))));
    table.sine.push_back(static_cast<std::int32_t>(std::lround(std::ldexp(std::sin(angle), fourier_table_bits))));
  }
  for (int x = 0; x < L / 2; ++x) {
    table.cosine.push_back(-table.cosine[static_cast<std::size_t>(x)]);
    table.sine.push_back(-table.sine[static_cast<std::size_t>(x)]);
  }
  return table;
}

/// One temperature without field and with p = 1/2 has its own tag; else the tag is made of J, h, p and all
/// temperatures.
inline std::uint32_t trajectory_tag(const System& s) {
  const bool is_plain = s.slots() == 1 && !s.has_field() && s.p == 0.5;
  const std::uint64_t hash = is_plain ? std::bit_cast<std::uint64_t>(s.betas[0]) : grid_hash(s.J, s.h, s.p, s.betas);
  return system_tag(static_cast<std::uint32_t>(s.model), static_cast<std::uint32_t>(s.L), hash);
}

/// The key of a stream of a trajectory (initial spins, Metropolis, exchange).
inline Key trajectory_key(const System& s, Stream stream) { return make_key(s.seed, stream, trajectory_tag(s)); }

/// A bond is -1 when its number is below this; 2^32 for p = 1.
inline std::uint64_t bond_threshold(const System& s) {
  return static_cast<std::uint64_t>(std::floor(std::ldexp(s.p, 32)));
}

/// The key of quenched disorder: the same at every temperature.
inline Key disorder_key(const System& s, Stream stream) {
  return make_key(s.seed, stream, system_tag(static_cast<std::uint32_t>(s.model), static_cast<std::uint32_t>(s.L), 0));
}

}  // namespace psflip
