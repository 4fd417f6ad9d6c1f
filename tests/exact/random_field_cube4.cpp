#include "random_field_cube4.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "cube4_planes.hpp"

namespace psflip::exact {
namespace {

constexpr int inner_spins = 13;
constexpr std::size_t counts = odd_sites + 1;

/// Configurations of some even spins: what they contribute and how many of them lie along their field.
struct Part {
  std::vector<Planes> planes;
  std::vector<std::size_t> along;
};

Part part_of(const std::array<Spin, even_sites>& spins, const std::vector<std::int8_t>& even_fields, int first,
             int count) {
  Part part{configurations(spins, first, count), {0}};
  for (int spin = first; spin < first + count; ++spin) {
    std::vector<std::size_t> longer;
    for (const int value : {1, -1})  // the order of configurations(): up, then down
      for (const std::size_t shorter : part.along) longer.push_back(shorter + (even_fields[spin] == value ? 1 : 0));
    part.along = longer;
  }
  return part;
}

/// Index of the histogram without the even field sum: how many odd sites have a local field of 3, 5, 7 in modulus, that
/// is 2 or 5, 1 or 6, 0 or 7 of seven bonds that pull up.
std::size_t index_of(const Planes& sum) {
  const std::uint32_t folded_ones = sum.ones ^ sum.fours, folded_twos = sum.twos ^ sum.fours;  // n or 7 - n, up to 3
  const int h3 = std::popcount(folded_twos & ~folded_ones), h5 = std::popcount(folded_ones & ~folded_twos);
  const int h7 = std::popcount(~folded_ones & ~folded_twos);
  return (static_cast<std::size_t>(h7) * counts + static_cast<std::size_t>(h5)) * counts + static_cast<std::size_t>(h3);
}

}  // namespace

RandomFieldCube4::RandomFieldCube4(const std::vector<std::int8_t>& couplings, const std::vector<std::int8_t>& fields)
    : histogram_(counts * counts * counts * counts, 0) {
  const auto spins = spins_of(couplings);
  std::vector<std::int8_t> even_fields(even_sites);
  Planes odd_fields;
  for (int site = 0; site < sites; ++site) {
    if (parity_of(site) == 0) even_fields[site / 2] = fields[site];
    if (parity_of(site) == 1 && fields[site] > 0) odd_fields.ones |= std::uint32_t{1} << site / 2;
  }
  const Part inner = part_of(spins, even_fields, 0, inner_spins);
  const Part outer = part_of(spins, even_fields, inner_spins, even_sites - inner_spins);
  constexpr std::size_t slice = counts * counts * counts;
  for (std::size_t i = 0; i < outer.planes.size(); ++i) {
    const Planes late = sum_of(outer.planes[i], odd_fields);
    std::uint64_t* histogram = &histogram_[outer.along[i] * slice];
    for (std::size_t k = 0; k < inner.planes.size(); ++k)
      ++histogram[inner.along[k] * slice + index_of(sum_of(late, inner.planes[k]))];
  }
}

Thermal RandomFieldCube4::at(double beta) const {
  long double z = 0, first = 0, second = 0;  // sums over configurations of w, d(ln w)/d beta w, ...
  const double shift = odd_sites * std::log(2 * std::cosh(7 * beta)) + even_sites * beta;
  for (std::size_t index = 0; index < histogram_.size(); ++index) {
    if (histogram_[index] == 0) continue;
    const std::array<double, 3> strong = {double(index % counts), double(index / counts % counts),
                                          double(index / counts / counts % counts)};
    const std::array<double, 4> number = {odd_sites - strong[0] - strong[1] - strong[2], strong[0], strong[1],
                                          strong[2]};
    const double even_sum = 2.0 * double(index / counts / counts / counts) - even_sites;
    double log_w = beta * even_sum, slope = even_sum, curvature = 0;
    for (int k = 0; k < 4; ++k) {
      const double h = 2 * k + 1, t = std::tanh(beta * h);
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
  return {static_cast<double>(std::log(z)) + shift, -d1 / sites, beta * beta * d2 / sites};
}

}  // namespace psflip::exact
