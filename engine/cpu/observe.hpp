#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/core/fourier.hpp"
#include "engine/core/lattice.hpp"
#include "engine/core/vertical_counter.hpp"
#include "engine/driver/tables.hpp"

/// Bit-sliced measurements: planes of spins are counted with carry-save adders, lanes become integers at the end.
namespace psflip::cpu {

/// Per lane: the sum over all sites and 1024 |Fourier component at k_min|^2 summed over the axes.
struct FieldSums {
  std::vector<std::int32_t> total;
  std::vector<std::int64_t> k2;
};

/// The counts of one counter as integers, one per lane.
template <class W>
std::vector<std::int32_t> counts(const CounterBank<W>& bank, std::size_t counter) {
  std::vector<std::int32_t> lanes(W::bits, 0);
  bank.visit(counter, [&](int level, const W& word) { spread(word, std::int32_t{1} << level, lanes.data()); });
  return lanes;
}

/// Counts of set bits in every plane perpendicular to each axis: bank[axis] has L counters.
template <class W, int D, class Value>
std::vector<CounterBank<W>> count_planes(const Lattice<D>& lattice, Value value) {
  const std::uint32_t L = lattice.L;
  const int levels = std::bit_width(lattice.rows());  // a plane holds L^(D-1) sites
  std::vector<CounterBank<W>> planes(D, CounterBank<W>(L, levels));
  CounterBank<W> row_count(1, std::bit_width(L));
  for (std::uint32_t number = 0; number < lattice.rows(); ++number) {
    row_count.clear(0);
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      const Row<D> row = lattice.row(number, parity);
      for (std::uint32_t c = 0; c < lattice.half(); ++c) {
        const W word = value(parity, row.begin + c);
        planes[0].add(2 * c + row.shift, 0, word);
        row_count.add(0, 0, word);
      }
    }
    planes[1].add_counter(number % L, row_count, 0);
    if constexpr (D == 3) planes[2].add_counter(number / L, row_count, 0);
  }
  return planes;
}

/// Sums of the +-1 field whose bits are value(parity, compact site); a set bit is -1.
template <class W, int D, class Value>
FieldSums sum_field(const Lattice<D>& lattice, const FourierTable& table, Value value) {
  const std::vector<CounterBank<W>> planes = count_planes<W, D>(lattice, value);
  const auto area = static_cast<std::int32_t>(lattice.rows());
  FieldSums sums{std::vector<std::int32_t>(W::bits, 0), {}};
  std::vector<std::int64_t> re(D * W::bits, 0), im(D * W::bits, 0);
  for (int axis = 0; axis < D; ++axis) {
    for (std::uint32_t x = 0; x < lattice.L; ++x) {
      const std::vector<std::int32_t> minus = counts(planes[axis], x);
      const std::int64_t cosine = table.cosine[x], sine = table.sine[x];
      for (int lane = 0; lane < W::bits; ++lane) {
        const std::int32_t plane = area - 2 * minus[lane];
        if (axis == 0) sums.total[lane] += plane;
        re[axis * W::bits + lane] += plane * cosine;
        im[axis * W::bits + lane] += plane * sine;
      }
    }
  }
  for (int lane = 0; lane < W::bits; ++lane) {
    std::int64_t lane_re[D], lane_im[D];
    for (int axis = 0; axis < D; ++axis) {
      lane_re[axis] = re[axis * W::bits + lane];
      lane_im[axis] = im[axis * W::bits + lane];
    }
    sums.k2.push_back(k2_from_components(lane_re, lane_im, D));
  }
  return sums;
}

}  // namespace psflip::cpu
