#pragma once
#include <bit>
#include <cstdint>

/// The tag that keeps the random numbers of different systems apart: docs/randomness.md, section Key.
namespace psflip {

inline constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// Separates the random numbers of different systems: a hash of model, size and temperature. Disorder is the same at
/// every temperature; its tag is made with `beta_bits` = 0. `beta_bits` are the bits of the IEEE double beta.
inline constexpr std::uint32_t system_tag(std::uint32_t model, std::uint32_t L, std::uint64_t beta_bits) {
  return static_cast<std::uint32_t>(splitmix64(splitmix64(beta_bits) + (std::uint64_t{model} << 32) + L) >> 40);
}

/// Replaces `beta_bits` where temperatures exchange, in a field and for bonds with p other than 1/2: a hash of J, h, p
/// where it is not 1/2, and every beta. It is -p, since no beta is negative: a system with p at one temperature is
/// never taken for a grid of two temperatures. `betas` is a range of double.
template <class Betas>
constexpr std::uint64_t grid_hash(double J, double h, double p, const Betas& betas) {
  std::uint64_t hash = 0;
  const auto mix = [&](double value) { hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(value)); };
  mix(J);
  mix(h);
  if (p != 0.5) mix(-p);
  for (const double beta : betas) mix(beta);
  return hash;
}

}  // namespace psflip
