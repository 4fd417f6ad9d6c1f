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
  EvenSum sum(beta, odd_sites * std::log(2 * std::cosh(7 * beta)) + even_sites * beta);
  for (std::size_t index = 0; index < histogram_.size(); ++index) {
    if (histogram_[index] == 0) continue;
    const double h3 = double(index % counts), h5 = double(index / counts % counts),
                 h7 = double(index / counts / counts % counts);
    const double even_sum = 2.0 * double(index / counts / counts / counts) - even_sites;
    sum.add<4>(histogram_[index], {odd_sites - h3 - h5 - h7, h3, h5, h7}, {1, 3, 5, 7}, even_sum);
  }
  return sum.thermal(1);
}

}  // namespace psflip::exact
