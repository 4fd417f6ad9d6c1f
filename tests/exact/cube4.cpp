#include "cube4.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "cube4_planes.hpp"

namespace psflip::exact {
namespace {

constexpr int inner_spins = 13;
constexpr std::size_t counts = odd_sites + 1;

/// Index of the histogram: how many odd sites have |h| = 2, 4, 6, that is 2 or 4, 1 or 5, 0 or 6 bonds that pull up.
std::size_t index_of(const Planes& sum) {
  const std::uint32_t middle = sum.twos ^ sum.fours;
  const int h2 = std::popcount(~sum.ones & middle), h4 = std::popcount(sum.ones & ~sum.twos);
  const int h6 = std::popcount(~sum.ones & ~middle);
  return (static_cast<std::size_t>(h6) * counts + static_cast<std::size_t>(h4)) * counts + static_cast<std::size_t>(h2);
}

}  // namespace

Cube4::Cube4(const std::vector<std::int8_t>& couplings) : histogram_(counts * counts * counts, 0) {
  const auto spins = spins_of(couplings);
  const std::vector<Planes> inner = configurations(spins, 1, inner_spins);
  const int rest = even_sites - 1 - inner_spins;
  for (const Planes& late : configurations(spins, 1 + inner_spins, rest)) {
    const Planes outer = sum_of(late, spins[0].contribution[0]);
    for (const Planes& early : inner) ++histogram_[index_of(sum_of(outer, early))];
  }
}

Thermal Cube4::at(double beta) const {
  long double z = 0, first = 0, second = 0;  // sums over configurations of w, d(ln w)/d beta w, ...
  const double shift = odd_sites * std::log(2 * std::cosh(6 * beta));
  for (std::size_t index = 0; index < histogram_.size(); ++index) {
    if (histogram_[index] == 0) continue;
    const std::array<double, 4> number = {0, double(index % counts), double(index / counts % counts),
                                          double(index / counts / counts)};
    double log_w = (odd_sites - number[1] - number[2] - number[3]) * std::log(2.0), slope = 0, curvature = 0;
    for (int k = 1; k <= 3; ++k) {
      const double h = 2 * k, t = std::tanh(beta * h);
      log_w += number[k] * std::log(2 * std::cosh(beta * h));
      slope += number[k] * h * t;
      curvature += number[k] * h * h * (1 - t * t);
    }
    const long double w = static_cast<long double>(histogram_[index]) * std::exp(log_w - shift);
    z += w;
    first += w * slope;
    second += w * (curvature + slope * slope);
  }
  const double d1 = static_cast<double>(first / z), d2 = static_cast<double>(second / z) - d1 * d1;
  return {static_cast<double>(std::log(2 * z)) + shift, -d1 / sites, beta * beta * d2 / sites};
}

}  // namespace psflip::exact
