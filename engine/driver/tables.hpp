#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "engine/core/fourier.hpp"
#include "engine/core/update.hpp"
#include "engine/driver/engine.hpp"
#include "engine/random/acceptance_threshold.hpp"

/// Everything that needs the mathematical library, made once per job on the host in double.
namespace psflip {

/// threshold[n] = floor(2^32 exp(-beta dE)), dE = 4 (D - n).
inline Thresholds make_thresholds(double beta, int dimension) {
  Thresholds t{};
  for (int n = 0; n < dimension; ++n) {
    t.by_unsatisfied[n] = acceptance_threshold(beta * 4 * (dimension - n));
  }
  return t;
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

inline std::uint32_t trajectory_tag(const System& s) {
  return system_tag(static_cast<std::uint32_t>(s.model), static_cast<std::uint32_t>(s.L),
                    std::bit_cast<std::uint64_t>(s.beta));
}

/// The key of a stream of a trajectory (initial spins, Metropolis).
inline Key trajectory_key(const System& s, Stream stream) { return make_key(s.seed, stream, trajectory_tag(s)); }

/// The key of quenched disorder: the same at every temperature.
inline Key disorder_key(const System& s, Stream stream) {
  return make_key(s.seed, stream, system_tag(static_cast<std::uint32_t>(s.model), static_cast<std::uint32_t>(s.L), 0));
}

}  // namespace psflip
