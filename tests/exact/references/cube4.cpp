#include "cube4.hpp"

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
  EvenSum sum(beta, odd_sites * std::log(2 * std::cosh(6 * beta)));
  for (std::size_t index = 0; index < histogram_.size(); ++index) {
    if (histogram_[index] == 0) continue;
    const double h2 = double(index % counts), h4 = double(index / counts % counts),
                 h6 = double(index / counts / counts);
    sum.add<4>(histogram_[index], {odd_sites - h2 - h4 - h6, h2, h4, h6}, {0, 2, 4, 6}, 0);
  }
  return sum.thermal(2);
}

}  // namespace psflip::exact
