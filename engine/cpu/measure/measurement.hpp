#pragma once
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "engine/core/domain.hpp"
#include "engine/cpu/measure/plane_sums.hpp"
#include "engine/cpu/measure/site_words.hpp"
#include "engine/models/integer_words.hpp"
#include "engine/models/observation.hpp"

namespace psflip::cpu {

/// Which counters and Fourier fields a set of integers takes. A field gives the sum of its signs as well.
struct MeasurementPlan {
  std::size_t replicas, counters = 0, fields = 0;
  IntegerSet integers;
  std::array<std::size_t, integer_count> counter{}, field{};  ///< the first of an integer
  std::array<bool, integer_count> has_counter{};
  std::vector<std::pair<std::size_t, std::size_t>> pairs;

  MeasurementPlan(std::size_t number_of_replicas, IntegerSet wanted) : replicas(number_of_replicas), integers(wanted) {
    for (std::size_t a = 0; a < replicas; ++a)
      for (std::size_t b = a + 1; b < replicas; ++b) pairs.push_back({a, b});
    std::array<bool, integer_count> has_field{};
    FourierIntegers::for_each([&]<class X>() {
      if (!integers.has(X::integer)) return;
      field[index_of(X::integer)] = field[index_of(X::Sum::integer)] = fields;
      has_field[index_of(X::Sum::integer)] = true;
      fields += width(X::integer);
    });
    SumIntegers::for_each([&]<class X>() {
      if (!integers.has(X::integer) || has_field[index_of(X::integer)]) return;
      has_counter[index_of(X::integer)] = true;
      counter[index_of(X::integer)] = counters;
      counters += width(X::integer);
    });
  }

  static std::size_t index_of(Integer integer) { return static_cast<std::size_t>(integer); }
  /// Replicas or pairs.
  std::size_t width(Integer integer) const {
    return info_of(integer).scope == Scope::replica ? replicas : pairs.size();
  }
  /// One replica twice, or the replicas of a pair.
  std::pair<std::size_t, std::size_t> replicas_of(Integer integer, std::size_t index) const {
    return info_of(integer).scope == Scope::replica ? std::pair{index, index} : pairs[index];
  }
};

/// Measures the same integers of one word group and slot after another, in the same memory.
template <class W, class T>
class Measurement {
 public:
  static constexpr int D = T::dimension;

  Measurement(const Domain<D>& domain, std::size_t replicas, IntegerSet integers, const FourierTable& table);

  std::size_t bytes() const {
    return counters_.bytes() + planes_.bytes() + sizeof(W) * words_.size() + sizeof(std::int32_t) * set_bits_.size() +
           sizeof(std::int64_t) * fourier_.size();
  }

  /// Measures replicas 0, 1, ... of `slot`, all lanes.
  void measure(const SlotView<W>& slot);

  /// Of one replica or pair: set bits of Kind::sum in each lane, of `words` N words.
  const std::int32_t* set_bits(Integer integer, std::size_t index) const {
    return &set_bits_[row(integer, index) * W::bits];
  }
  const std::int64_t* k2(Integer integer, std::size_t index) const {
    return &fourier_[(plan_.field[plan_.index_of(integer)] + index) * W::bits];
  }
  /// k2 of the product of the Fourier components of replicas or pairs a and b.
  void k2_product(Integer integer, std::size_t a, std::size_t b, std::int64_t* lanes) const {
    const std::size_t field = plan_.field[plan_.index_of(integer)];
    planes_.k2_product(field + a, field + b, lanes);
  }

  /// Writes `count` lanes from `lane` on as the samples from `sample` on.
  void store(std::size_t lane, std::size_t count, std::size_t sample, Observation& out) const;
  /// Zeros in the shapes of the integers of `samples` samples.
  Observation empty_observation(std::size_t samples) const;

 private:
  /// The full lattice gives k2, a subdomain the Fourier components along each axis.
  std::size_t numbers_of_field() const { return domain_.ghosts == 0 ? 1 : std::size_t{2} * D; }
  /// Rows of set_bits_: those of the counters, then those of the fields.
  std::size_t row(Integer integer, std::size_t index) const {
    const std::size_t i = plan_.index_of(integer);
    return (plan_.has_counter[i] ? plan_.counter[i] : plan_.counters + plan_.field[i]) + index;
  }

  SiteWords<W, T> site_words(const SlotView<W>& slot, const DomainRow<D>& row, std::uint32_t parity,
                             std::uint32_t c) const;
  template <class X>
  void count_row(const SlotView<W>& slot, std::uint32_t number);
  template <class X>
  void add_planes(const SlotView<W>& slot, std::uint32_t first_row);
  void finish();

  const Domain<D> domain_;
  const MeasurementPlan plan_;
  CounterBank<W> counters_;
  PlaneSums<W, D> planes_;
  std::vector<W> words_;                ///< [replica or pair][word] of one integer of a row
  std::vector<std::int32_t> set_bits_;  ///< [counter or field][lane]
  std::vector<std::int64_t> fourier_;   ///< [field][number][lane]
};

template <class W, class T>
Measurement<W, T>::Measurement(const Domain<D>& domain, std::size_t replicas, IntegerSet integers,
                               const FourierTable& table)
    : domain_(domain),
      plan_(replicas, integers),
      counters_(plan_.counters, std::bit_width(domain.sites() * D)),
      planes_(domain, plan_.fields, table),
      words_(std::size_t{D} * domain.L * std::max(replicas, plan_.pairs.size())),
      set_bits_((plan_.counters + plan_.fields) * W::bits),
      fourier_(plan_.fields * numbers_of_field() * W::bits) {}

/// Eight rows at a time, so that all integers are taken while the words of the rows are in the cache.
template <class W, class T>
void Measurement<W, T>::measure(const SlotView<W>& slot) {
  constexpr std::uint32_t rows = PlaneSums<W, D>::row_group;
  counters_.clear();
  planes_.clear();
  for (std::uint32_t first = 0; first < domain_.rows(); first += rows) {
    SumIntegers::for_each([&]<class X>() {
      if (!plan_.has_counter[plan_.index_of(X::integer)]) return;
      for (std::uint32_t number = first; number < std::min(first + rows, domain_.rows()); ++number)
        count_row<X>(slot, number);
    });
    FourierIntegers::for_each([&]<class X>() {
      if (plan_.integers.has(X::integer)) add_planes<X>(slot, first);
    });
  }
  finish();
}

template <class W, class T>
PSFLIP_INLINE SiteWords<W, T> Measurement<W, T>::site_words(const SlotView<W>& slot, const DomainRow<D>& row,
                                                            std::uint32_t parity, std::uint32_t c) const {
  const std::size_t at = row.begin + c, R = slot.replicas;
  const Lattice<D> lattice = domain_.lattice();
  SiteWords<W, T> site;
  site.spins = slot.spins[parity] + at * R;
  site.coupling = T::has_couplings ? slot.couplings[parity] + at * D : nullptr;
  site.field = T::has_field_words ? slot.fields[parity] + at : nullptr;
  site.forward[0] = slot.spins[1 - parity] + (row.begin + lattice.right(c, row.shift)) * R;
  for (int axis = 1; axis < D; ++axis) site.forward[axis] = slot.spins[1 - parity] + (row.plus[axis - 1] + c) * R;
  return site;
}

/// Adds the words of a row, all replicas or pairs of a site together. Bonds are those in positive directions.
template <class W, class T>
template <class X>
void Measurement<W, T>::count_row(const SlotView<W>& slot, std::uint32_t number) {
  constexpr int per_site = words_of_site<X, T>;
  const std::size_t in_row = std::size_t{per_site} * domain_.L, width = plan_.width(X::integer);
  W* word = words_.data();
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const DomainRow<D> row = domain_.row(number, parity);
    for (std::uint32_t c = 0; c < domain_.half(); ++c, word += per_site) {
      const SiteWords<W, T> site = site_words(slot, row, parity, c);
      for (std::size_t index = 0; index < width; ++index) {
        const auto [a, b] = plan_.replicas_of(X::integer, index);
        for (int i = 0; i < per_site; ++i) word[index * in_row + i] = X::word(site, a, b, i);
      }
    }
  }
  for (std::size_t index = 0; index < width; ++index)
    counters_.add(plan_.counter[plan_.index_of(X::integer)] + index, words_.data() + index * in_row, in_row);
}

template <class W, class T>
template <class X>
void Measurement<W, T>::add_planes(const SlotView<W>& slot, std::uint32_t first_row) {
  for (std::size_t index = 0; index < plan_.width(X::integer); ++index) {
    const auto [a, b] = plan_.replicas_of(X::integer, index);
    // a = a, b = b: clang 14 captures a structured binding only by an initializer
    planes_.add_rows(plan_.field[plan_.index_of(X::integer)] + index, first_row,
                     [&, a = a, b = b](const DomainRow<D>& row, std::uint32_t parity, std::uint32_t c) {
                       return X::Sum::word(site_words(slot, row, parity, c), a, b, 0);
                     });
  }
}

template <class W, class T>
void Measurement<W, T>::finish() {
  for (std::size_t k = 0; k < plan_.counters; ++k) counts(counters_, k, &set_bits_[k * W::bits]);
  for (std::size_t f = 0; f < plan_.fields; ++f) {
    planes_.sum(f, &set_bits_[(plan_.counters + f) * W::bits]);
    std::int64_t* numbers = &fourier_[f * numbers_of_field() * W::bits];
    domain_.ghosts == 0 ? planes_.k2(f, numbers) : planes_.components(f, numbers);
  }
}

template <class W, class T>
Observation Measurement<W, T>::empty_observation(std::size_t samples) const {
  Observation o;
  for (const IntegerInfo& info : integer_table) {
    const std::size_t numbers = info.kind == Kind::fourier ? numbers_of_field() : 1;
    if (plan_.integers.has(info.integer)) o[info.integer].resize(samples * plan_.width(info.integer) * numbers);
  }
  return o;
}

template <class W, class T>
void Measurement<W, T>::store(std::size_t lane, std::size_t count, std::size_t sample, Observation& out) const {
  const auto store_rows = [&](Integer integer, std::size_t numbers, auto value) {
    const std::size_t row = plan_.width(integer) * numbers;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < row; ++k) out[integer][(sample + i) * row + k] = value(k, lane + i);
  };
  SumIntegers::for_each([&]<class X>() {
    if (!plan_.integers.has(X::integer)) return;
    const std::int64_t words = words_of_site<X, T> * std::int64_t{domain_.sites()};
    const std::int32_t* set = set_bits(X::integer, 0);
    store_rows(X::integer, 1, [=](std::size_t k, std::size_t l) { return words - 2 * set[k * W::bits + l]; });
  });
  FourierIntegers::for_each([&]<class X>() {
    if (!plan_.integers.has(X::integer)) return;
    const std::int64_t* numbers = &fourier_[plan_.field[plan_.index_of(X::integer)] * numbers_of_field() * W::bits];
    store_rows(X::integer, numbers_of_field(), [=](std::size_t k, std::size_t l) { return numbers[k * W::bits + l]; });
  });
}

}  // namespace psflip::cpu
