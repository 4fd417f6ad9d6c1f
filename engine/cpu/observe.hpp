#pragma once
#include <algorithm>
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

/// lanes[i] = sum of the weights of the words in which bit i is set.
template <class W>
void spread_words(const W* words, const std::int32_t* weights, int count, std::int32_t* lanes) {
  std::fill(lanes, lanes + W::bits, 0);
  for (int k = 0; k < count; ++k) spread(words[k], weights[k], lanes);
}

/// The counts of one counter as integers, one per lane.
template <class W>
void counts(const CounterBank<W>& bank, std::size_t counter, std::int32_t* lanes) {
  W words[64];  // two for each of at most 32 levels
  std::int32_t weights[64];
  int count = 0;
  bank.visit(counter, [&](int level, const W& word) {
    if (!word.any()) return;  // upper levels are mostly empty
    words[count] = word;
    weights[count++] = std::int32_t{1} << level;
  });
  spread_words(words, weights, count, lanes);
}
template <class W>
std::vector<std::int32_t> counts(const CounterBank<W>& bank, std::size_t counter) {
  std::vector<std::int32_t> lanes(W::bits);
  counts(bank, counter, lanes.data());
  return lanes;
}

/// Counts of set bits in every plane perpendicular to each axis, for `fields` fields value(field, parity, site):
/// bank[field * D + axis] has L counters. All fields of a block of rows are counted while its spins are in the cache.
template <class W, int D, class Value>
std::vector<CounterBank<W>> count_planes(const Lattice<D>& lattice, std::uint32_t fields, Value value) {
  const std::uint32_t L = lattice.L, rows = lattice.rows(), half = lattice.half(), block = CounterBank<W>::block;
  const int levels = std::bit_width(rows);  // a plane holds L^(D-1) sites, as many as there are rows
  std::vector<CounterBank<W>> planes(fields * D, CounterBank<W>(L, levels));
  CounterBank<W> row_count(1, std::bit_width(L));
  for (std::uint32_t first = 0; first < rows; first += block) {
    const std::uint32_t count = std::min(block, rows - first);
    for (std::uint32_t f = 0; f < fields; ++f) {
      const auto at = [&](std::uint32_t x, std::uint32_t row) {
        return value(f, (x + row % L + row / L) & 1u, row * half + x / 2);
      };
      for (std::uint32_t row = first; row < first + count; ++row) {
        row_count.clear(0);
        row_count.add_many(0, L, [&](std::uint32_t x) { return at(x, row); });
        planes[f * D + 1].add_counter(row % L, row_count, 0);
        if constexpr (D == 3) planes[f * D + 2].add_counter(row / L, row_count, 0);
      }
      for (std::uint32_t x = 0; x < L; ++x)
        planes[f * D].add_many(x, count, [&](std::uint32_t k) { return at(x, first + k); });
    }
  }
  return planes;
}

/// Per lane: the sum over all sites and the Fourier components at k_min, [axis * bits + lane], with the factor 2^20 of
/// the cosine tables.
struct FieldComponents {
  std::vector<std::int32_t> total;
  std::vector<std::int64_t> re, im;
};

/// Components of a +-1 field from its plane counts, D banks; a set bit is -1.
template <class W, int D>
FieldComponents components_of_field(const Lattice<D>& lattice, const FourierTable& table,
                                    const CounterBank<W>* planes) {
  const auto area = static_cast<std::int32_t>(lattice.rows());
  FieldComponents k{std::vector<std::int32_t>(W::bits, 0), std::vector<std::int64_t>(D * W::bits, 0),
                    std::vector<std::int64_t>(D * W::bits, 0)};
  std::vector<std::int32_t> minus(W::bits);
  for (int axis = 0; axis < D; ++axis) {
    for (std::uint32_t x = 0; x < lattice.L; ++x) {
      counts(planes[axis], x, minus.data());
      // 32-bit factors: products of two of them are one instruction, of 64-bit numbers three
      const auto cosine = static_cast<std::int32_t>(table.cosine[x]), sine = static_cast<std::int32_t>(table.sine[x]);
      for (int lane = 0; lane < W::bits; ++lane) {
        const std::int32_t plane = area - 2 * minus[lane];
        if (axis == 0) k.total[lane] += plane;
        k.re[axis * W::bits + lane] += std::int64_t{plane} * cosine;
        k.im[axis * W::bits + lane] += std::int64_t{plane} * sine;
      }
    }
  }
  return k;
}

/// Fourier components of one lane, axis by axis.
template <int D>
struct LaneComponents {
  std::int64_t re[D], im[D];
  PSFLIP_INLINE LaneComponents(const std::int64_t* all_re, const std::int64_t* all_im, int lanes, int lane) {
    for (int axis = 0; axis < D; ++axis) {
      re[axis] = all_re[axis * lanes + lane];
      im[axis] = all_im[axis * lanes + lane];
    }
  }
};

/// Sums of a +-1 field from its plane counts, D banks; a set bit is -1.
template <class W, int D>
FieldSums sum_field(const Lattice<D>& lattice, const FourierTable& table, const CounterBank<W>* planes) {
  FieldComponents k = components_of_field<W, D>(lattice, table, planes);
  FieldSums sums{std::move(k.total), {}};
  for (int lane = 0; lane < W::bits; ++lane) {
    const LaneComponents<D> at(k.re.data(), k.im.data(), W::bits, lane);
    sums.k2.push_back(k2_from_components(at.re, at.im, D));
  }
  return sums;
}

}  // namespace psflip::cpu
