#include "exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace psflip::oracle {
namespace {

__extension__ typedef __int128 Int128;
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;
#else  // not x86: there long double has the same format
typedef long double Quad;
static_assert(std::numeric_limits<Quad>::digits == 113);
#endif

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

std::array<std::uint64_t, 13> all_coefficients() {
  std::array<std::uint64_t, 13> all{};
  for (int m = 0; m <= 12; ++m) all[static_cast<std::size_t>(m)] = coefficient(m);
  return all;
}

std::int64_t rounded(double value, int shift) { return std::llround(std::ldexp(value, shift)); }

}  // namespace

std::uint64_t exchange_threshold(const System& system, std::size_t slot, std::int64_t difference_of_B,
                                 std::int64_t difference_of_F) {
  const auto N = static_cast<double>(system.sites());
  double largest = 0, w = 0;
  for (std::size_t k = 0; k + 1 < system.slots(); ++k) {
    const double w_k = (system.betas[k + 1] - system.betas[k]) * 1.4426950408889634;
    largest = std::max(largest, std::abs(w_k) * (2 * system.dimension() * system.J * N + 2 * system.h * N));
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
  static const std::array<std::uint64_t, 13> c = all_coefficients();
  std::uint64_t q = c[12];
  for (std::size_t m = 12; m-- > 0;) q = c[m] - static_cast<std::uint64_t>(static_cast<Int128>(q) * f >> 64);
  return q >> (31 + whole);
}

}  // namespace psflip::oracle
