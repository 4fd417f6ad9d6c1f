#include "tempering_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "numbers.hpp"

namespace psflip::oracle {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef __float128 Quad;

unsigned bit_of(std::uint32_t word, unsigned lane) { return word >> lane & 1U; }

Key key_of(const TemperingSystem& system, Stream stream) {
  std::uint64_t hash = 0;
  if (stream != Stream::fields) {
    hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(system.J));
    hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(system.h));
    for (const double beta : system.betas) hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(beta));
  }
  return {system.seed, static_cast<std::uint32_t>(stream) | system_tag(system, hash) << 8};
}

/// The integer nearest to 2^63 (ln 2)^m / m!, by the series ln 2 = sum of 1 / (i 2^i).
std::uint64_t coefficient(int m) {
  Quad ln_2 = 0, power_of_two = 1;
  for (int i = 1; i <= 120; ++i) {
    power_of_two /= 2;
    ln_2 += power_of_two / i;
  }
  Quad value = 9223372036854775808.0;
  for (int i = 1; i <= m; ++i) value *= ln_2 / i;
  return static_cast<std::uint64_t>(value + Quad(0.5));
}

std::int64_t rounded(double value, int shift) { return std::llround(std::ldexp(value, shift)); }

}  // namespace

int field(const TemperingSystem& system, std::uint64_t sample, std::uint64_t site, int parity) {
  const Place place = place_of(system, sample, site);
  const Counter words =
      philox4x32_10(counter_of(place, {static_cast<std::uint32_t>(parity), 0, 0}), key_of(system, Stream::fields));
  return bit_of(words[0], place.lane) ? -1 : +1;
}

int initial_spin(const TemperingSystem& system, std::uint64_t sample, int set, int slot, std::uint64_t site,
                 int parity) {
  if (system.start == Start::ordered) return +1;
  const Place place = place_of(system, sample, site);
  const Draw draw = {static_cast<std::uint32_t>(parity), 0, 0, static_cast<unsigned>(slot)};
  const Counter words = philox4x32_10(counter_of(place, draw), key_of(system, Stream::initial_spins));
  return bit_of(words[set], place.lane) ? -1 : +1;
}

std::uint32_t metropolis_number(const TemperingSystem& system, std::uint64_t sample, int set, int slot,
                                std::uint64_t site, std::uint64_t half_sweep) {
  return independent_number(key_of(system, Stream::metropolis), place_of(system, sample, site),
                            static_cast<unsigned>(set), static_cast<std::uint32_t>(half_sweep),
                            static_cast<unsigned>(slot));
}

std::uint32_t exchange_number(const TemperingSystem& system, std::uint64_t sample, int set, int slot,
                              std::uint64_t round) {
  const Place place = {static_cast<std::uint32_t>(sample & 31), sample >> 5, 0};
  const Draw draw = {static_cast<std::uint32_t>(round), 0, 0, static_cast<unsigned>(slot)};
  return philox4x32_10(counter_of(place, draw), key_of(system, Stream::exchange))[set];
}

std::uint64_t exchange_threshold(const TemperingSystem& system, int slot, std::int64_t difference_of_B,
                                 std::int64_t difference_of_F) {
  const double N = std::pow(system.L, 3);
  double largest = 0, w = 0;
  for (int k = 0; k + 1 < static_cast<int>(system.betas.size()); ++k) {
    const double w_k = (system.betas[k + 1] - system.betas[k]) * 1.4426950408889634;
    largest = std::max(largest, std::abs(w_k) * (6 * system.J * N + 2 * system.h * N));
    if (k == slot) w = w_k;
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int S = std::min(52, 62 - exponent);
  const std::int64_t x = rounded(system.J * w, S) * difference_of_B + rounded(system.h * w, S) * difference_of_F;
  constexpr std::uint64_t always = 0x100000000;
  if (x <= 0) return always;
  const std::int64_t whole = x >> S, rest = x - (whole << S);
  if (whole > 32) return 0;
  const std::uint64_t f = static_cast<std::uint64_t>(rest >> (S - 32)) << 32;
  std::uint64_t q = coefficient(12);
  for (int m = 11; m >= 0; --m) q = coefficient(m) - static_cast<std::uint64_t>(static_cast<Int128>(q) * f >> 64);
  return q >> (31 + whole);
}

}  // namespace psflip::oracle
