#pragma once
#include <bit>
#include <vector>

#include "engine/core/lattice.hpp"
#include "engine/cpu/observe.hpp"

namespace psflip::cpu {

/// Plane sums, Fourier components and totals of +-1 fields of many lanes, a set bit is -1; always in the same memory.
template <class W, int D>
class FieldMeasurement {
 public:
  static constexpr std::uint32_t block = CounterBank<W>::block;

  FieldMeasurement(const Lattice<D>& lattice, std::size_t fields, const FourierTable& table)
      : lattice_(lattice),
        table_(&table),
        planes_(fields * D * lattice.L, std::bit_width(lattice.rows())),  // as many rows as sites in a plane
        rows_(std::size_t{block} * lattice.L) {}

  void clear() { planes_.clear(); }

  /// Adds a block of rows, from row `first` on, of field number `field`, whose values are value(parity, compact index).
  template <class Value>
  void add_rows(std::size_t field, std::uint32_t first, Value value) {
    const std::uint32_t count = std::min(block, lattice_.rows() - first);
    load_rows(first, count, value);
    count_planes(field, first, count);
  }

  /// Sums a field of which all rows have been added: the number of -1 values of each lane, and its components, which
  /// stay until the next call.
  void sum(std::size_t field, std::int32_t* minus) {
    if (is_narrow()) {
      sum_planes(field, minus, narrow_);
    } else {
      sum_planes(field, minus, wide_);
    }
  }

  /// k2 of docs/file-format.md of the field that was summed last.
  void k2(std::int64_t* out) const { is_narrow() ? narrow_.k2(out) : wide_.k2(out); }

  /// The same for the product with the field that `other` summed last; D = 3.
  void k2_product(const FieldMeasurement& other, std::int64_t* out) const {
    is_narrow() ? narrow_.k2_product(other.narrow_, out) : wide_.k2_product(other.wide_, out);
  }

 private:
  bool is_narrow() const { return 2 * lattice_.sites_per_parity() < fewest_wide_sites; }

  template <class Value>
  void load_rows(std::uint32_t first, std::uint32_t count, Value value) {
    const std::uint32_t half = lattice_.half();
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      for (std::uint32_t k = 0; k < count; ++k) {
        W* out = rows_.data() + std::size_t{k} * lattice_.L + lattice_.row(first + k, parity).shift;
        const std::size_t site = std::size_t{first + k} * half;
        for (std::uint32_t c = 0; c < half; ++c) out[2 * c] = value(parity, site + c);
      }
    }
  }

  /// Adds the loaded rows to the planes perpendicular to each axis.
  void count_planes(std::size_t field, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t L = lattice_.L;
    const std::size_t planes = field * D * L;
    for (std::uint32_t x = 0; x < L; ++x) planes_.add(planes + x, rows_.data() + x, count, L);
    for (std::uint32_t k = 0; k < count; ++k) {
      const W* row = rows_.data() + std::size_t{k} * L;
      planes_.add(planes + L + (first + k) % L, row, L);
      if constexpr (D == 3) planes_.add(planes + 2 * L + (first + k) / L, row, L);
    }
  }

  template <class Sums>
  void sum_planes(std::size_t field, std::int32_t* total, Sums& sums) {
    const std::uint32_t L = lattice_.L, half = lattice_.half();
    std::fill(total, total + W::bits, 0);
    sums.clear();
    alignas(64) std::int32_t minus[W::bits], minus_half_on[W::bits];
    for (int axis = 0; axis < D; ++axis) {
      const std::size_t planes = (field * D + static_cast<std::size_t>(axis)) * L;
      for (std::uint32_t x = 0; x < half; ++x) {
        counts(planes_, planes + x, minus);
        counts(planes_, planes + x + half, minus_half_on);
        sums.add_planes(axis, minus, minus_half_on, table_->cosine[x], table_->sine[x]);
        if (axis > 0) continue;
        for (int lane = 0; lane < W::bits; ++lane) total[lane] += minus[lane] + minus_half_on[lane];
      }
    }
  }

  Lattice<D> lattice_;
  const FourierTable* table_;
  CounterBank<W> planes_;  ///< [field][axis][x] -1 values
  std::vector<W> rows_;    ///< [row of a block][x] values of a field
  FourierSums<std::int32_t, D, W::bits> narrow_;
  FourierSums<std::int64_t, D, W::bits> wide_;
};

}  // namespace psflip::cpu
