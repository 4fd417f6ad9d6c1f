#pragma once
#include <bit>
#include <vector>

#include "engine/core/domain.hpp"
#include "engine/cpu/measure/lane_counts.hpp"

namespace psflip::cpu {

/// Plane sums, Fourier components and totals of +-1 fields of many lanes, a set bit is -1; always in the same memory.
template <class W, int D>
class PlaneSums {
 public:
  static constexpr std::uint32_t row_group = CounterBank<W>::block;  ///< rows that are added at a time

  PlaneSums(const Domain<D>& domain, std::size_t fields, const FourierTable& table)
      : domain_(domain),
        table_(&table),
        planes_(fields * D * domain.L, std::bit_width(domain.sites_in_plane())),
        rows_(std::size_t{row_group} * domain.L),
        narrow_(is_narrow() ? fields : 0),
        wide_(is_narrow() ? 0 : fields) {}

  std::size_t bytes() const {
    std::size_t all = planes_.bytes() + sizeof(W) * rows_.size();
    for (const auto& sums : narrow_) all += sums.bytes();
    for (const auto& sums : wide_) all += sums.bytes();
    return all;
  }

  void clear() { planes_.clear(); }

  /// Adds a group of rows, from row `first` on, of field number `field`; value(row, parity, column) is its word.
  template <class Value>
  void add_rows(std::size_t field, std::uint32_t first, Value value) {
    const std::uint32_t count = std::min(row_group, domain_.rows() - first);
    load_rows(first, count, value);
    count_planes(field, first, count);
  }

  /// Sums a field of which all rows have been added: the number of -1 values of each lane, and its components.
  void sum(std::size_t field, std::int32_t* minus) {
    if (is_narrow()) {
      sum_planes(field, minus, narrow_[field]);
    } else {
      sum_planes(field, minus, wide_[field]);
    }
  }

  /// k2 of docs/file-format.md of a field that has been summed.
  void k2(std::size_t field, std::int64_t* out) const { is_narrow() ? narrow_[field].k2(out) : wide_[field].k2(out); }

  /// Its Fourier components, to which those of the other domains have to be added: [axis][re, im][lane].
  void components(std::size_t field, std::int64_t* out) const {
    is_narrow() ? narrow_[field].components(out) : wide_[field].components(out);
  }

  /// k2 of the product of two fields.
  void k2_product(std::size_t a, std::size_t b, std::int64_t* out) const {
    is_narrow() ? narrow_[a].k2_product(narrow_[b], out) : wide_[a].k2_product(wide_[b], out);
  }

 private:
  bool is_narrow() const { return domain_.sites() < fewest_wide_sites; }

  template <class Value>
  void load_rows(std::uint32_t first, std::uint32_t count, Value value) {
    const std::uint32_t half = domain_.half();
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      for (std::uint32_t k = 0; k < count; ++k) {
        const DomainRow<D> row = domain_.row(first + k, parity);
        W* out = rows_.data() + std::size_t{k} * domain_.L + row.shift;
        for (std::uint32_t c = 0; c < half; ++c) out[2 * c] = value(row, parity, c);
      }
    }
  }

  /// Adds the loaded rows to the planes perpendicular to each axis.
  void count_planes(std::size_t field, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t L = domain_.L;
    const std::size_t planes = field * D * L, slowest = planes + std::size_t{D - 1} * L + domain_.first;
    for (std::uint32_t x = 0; x < L; ++x) planes_.add(planes + x, rows_.data() + x, count, L);
    for (std::uint32_t k = 0; k < count; ++k) {
      const W* row = rows_.data() + std::size_t{k} * L;
      if constexpr (D == 3) planes_.add(planes + L + (first + k) % L, row, L);
      planes_.add(slowest + (first + k) / domain_.rows_in_plane(), row, L);
    }
  }

  /// The -1 values of a plane. One that another domain has adds nothing here: half of its values are -1.
  void count_plane(std::size_t planes, int axis, std::uint32_t x, std::int32_t* minus) {
    if (axis == D - 1 && (x < domain_.first || x >= domain_.first + domain_.planes)) {
      std::fill(minus, minus + W::bits, static_cast<std::int32_t>(domain_.sites_in_plane() / 2));
    } else {
      counts(planes_, planes + x, minus);
    }
  }

  template <class Sums>
  void sum_planes(std::size_t field, std::int32_t* total, Sums& sums) {
    const std::uint32_t L = domain_.L, half = domain_.half();
    std::fill(total, total + W::bits, 0);
    sums.clear();
    alignas(64) std::int32_t minus[W::bits], minus_half_on[W::bits];
    for (int axis = 0; axis < D; ++axis) {
      const std::size_t planes = (field * D + static_cast<std::size_t>(axis)) * L;
      for (std::uint32_t x = 0; x < half; ++x) {
        count_plane(planes, axis, x, minus);
        count_plane(planes, axis, x + half, minus_half_on);
        sums.add_planes(axis, minus, minus_half_on, table_->cosine[x], table_->sine[x]);
        if (axis > 0) continue;
        for (int lane = 0; lane < W::bits; ++lane) total[lane] += minus[lane] + minus_half_on[lane];
      }
    }
  }

  Domain<D> domain_;
  const FourierTable* table_;
  CounterBank<W> planes_;                                      ///< [field][axis][x] -1 values
  std::vector<W> rows_;                                        ///< [row of a group][x] values of a field
  std::vector<FourierSums<std::int32_t, D, W::bits>> narrow_;  ///< [field]
  std::vector<FourierSums<std::int64_t, D, W::bits>> wide_;
};

}  // namespace psflip::cpu
