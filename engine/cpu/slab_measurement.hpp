#pragma once
#include <bit>
#include <utility>
#include <vector>

#include "engine/core/lattice.hpp"
#include "engine/cpu/observe.hpp"
#include "engine/driver/engine.hpp"

namespace psflip::cpu {

/// The samples of one word: spins[parity][site][replica] and couplings[parity][site][direction], sites by compact
/// index.
template <class W>
struct Slab {
  std::uint64_t first_pack;
  std::vector<W> spins, couplings;
};

/// Calls f with the number of replicas as a constant, so that the loops over replicas unroll.
template <int D, class F>
void with_replicas(std::uint32_t replicas, F f) {
  if constexpr (D == 2) return f.template operator()<1>();
  switch (replicas) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    case 7:
      return f.template operator()<7>();
    default:
      return f.template operator()<8>();
  }
}

/// Measures slabs one after the other in the same memory. The fields whose plane sums are taken are the overlaps of
/// the pairs of replicas (D = 3) or the spins (D = 2).
template <class W, int D>
class SlabMeasurement {
 public:
  SlabMeasurement(const Lattice<D>& lattice, std::uint32_t replicas, const FourierTable& table);

  /// Takes all measurements of all lanes of a slab.
  void measure(const Slab<W>& slab);
  /// Writes those of `count` lanes from `lane` on as the samples from `sample` on.
  void store(std::size_t lane, std::size_t count, std::size_t sample, Observation& out) const;

 private:
  static constexpr std::uint32_t block = CounterBank<W>::block;

  template <int R>
  void count_row(const Slab<W>& slab, std::uint32_t number);
  void load_rows(const Slab<W>& slab, std::uint32_t field, std::uint32_t first, std::uint32_t count);
  void count_planes(std::uint32_t field, std::uint32_t first, std::uint32_t count);
  template <class Sums>
  void sum_field(std::uint32_t field, Sums& sums);

  const Lattice<D> lattice_;
  const std::uint32_t replicas_;
  const FourierTable& table_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  ///< the replicas of each field
  CounterBank<W> bonds_, spins_;                                ///< [replica] unsatisfied bonds, -1 spins
  CounterBank<W> planes_;                                       ///< [field][axis][x] -1 values
  std::vector<W> rows_;                                         ///< [row of a block][x] values of a field
  std::vector<W> bond_words_;                                   ///< [replica][bond] of a row
  FourierSums<std::int32_t, D, W::bits> narrow_;
  FourierSums<std::int64_t, D, W::bits> wide_;
  std::vector<std::int32_t> unsatisfied_, minus_spins_;  ///< [replica][lane]
  std::vector<std::int32_t> minus_fields_;               ///< [field][lane]
  std::vector<std::int64_t> k2_;                         ///< [field][lane]
};

template <class W, int D>
SlabMeasurement<W, D>::SlabMeasurement(const Lattice<D>& lattice, std::uint32_t replicas, const FourierTable& table)
    : lattice_(lattice),
      replicas_(replicas),
      table_(table),
      pairs_(D == 2 ? 1 : replicas * (replicas - 1) / 2),
      bonds_(replicas, std::bit_width(2 * lattice.sites_per_parity() * D)),
      spins_(replicas, std::bit_width(2 * lattice.sites_per_parity())),
      planes_(pairs_.size() * D * lattice.L, std::bit_width(lattice.rows())),  // as many rows as sites in a plane
      rows_(std::size_t{block} * lattice.L),
      bond_words_(std::size_t{D} * lattice.L * replicas),
      unsatisfied_(replicas * W::bits),
      minus_spins_(replicas * W::bits),
      minus_fields_(pairs_.size() * W::bits),
      k2_(pairs_.size() * W::bits) {
  std::size_t p = 0;
  for (std::uint32_t a = 0; a < replicas; ++a)
    for (std::uint32_t b = a + 1; b < replicas; ++b) pairs_[p++] = {a, b};
}

template <class W, int D>
void SlabMeasurement<W, D>::measure(const Slab<W>& slab) {
  bonds_.clear();
  spins_.clear();
  planes_.clear();
  with_replicas<D>(replicas_, [&]<int R>() {
    for (std::uint32_t row = 0; row < lattice_.rows(); ++row) count_row<R>(slab, row);
  });
  for (std::uint32_t r = 0; r < replicas_; ++r) {
    counts(bonds_, r, &unsatisfied_[r * W::bits]);
    counts(spins_, r, &minus_spins_[r * W::bits]);
  }
  const auto fields = static_cast<std::uint32_t>(pairs_.size());
  for (std::uint32_t first = 0; first < lattice_.rows(); first += block) {
    const std::uint32_t count = std::min(block, lattice_.rows() - first);
    for (std::uint32_t f = 0; f < fields; ++f) {  // all fields while the spins of the rows are in the cache
      load_rows(slab, f, first, count);
      count_planes(f, first, count);
    }
  }
  for (std::uint32_t f = 0; f < fields; ++f) {
    if (2 * lattice_.sites_per_parity() < fewest_wide_sites) {
      sum_field(f, narrow_);
    } else {
      sum_field(f, wide_);
    }
  }
}

/// Unsatisfied bonds in positive directions and -1 spins of all replicas, row by row so that couplings are read once.
template <class W, int D>
template <int R>
void SlabMeasurement<W, D>::count_row(const Slab<W>& slab, std::uint32_t number) {
  const Lattice<D> lattice = lattice_;
  const std::size_t sites = lattice.sites_per_parity(), bonds = std::size_t{D} * lattice.L;
  W* const words = bond_words_.data();
  W* bond = words;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const Row<D> row = lattice.row(number, parity);
    const W* spin = slab.spins.data() + (parity * sites + row.begin) * R;
    const W* other = slab.spins.data() + (1 - parity) * sites * R;
    const W* coupling = slab.couplings.data() + (parity * sites + row.begin) * D;
    for (std::size_t r = 0; r < R; ++r) spins_.add(r, spin + r, lattice.half(), R);
    for (std::uint32_t c = 0; c < lattice.half(); ++c, spin += R, coupling += D) {
      for (int mu = 0; mu < D; ++mu, ++bond) {
        const std::size_t forward = mu == 0 ? row.begin + lattice.right(c, row.shift) : row.plus[mu - 1] + c;
        const W J = D == 3 ? coupling[mu] : W::zero();
        const W* there = other + forward * R;
#pragma GCC unroll 8
        for (std::size_t r = 0; r < R; ++r) bond[r * bonds] = xor3(spin[r], there[r], J);
      }
    }
  }
  for (std::size_t r = 0; r < R; ++r) bonds_.add(r, words + r * bonds, bonds);
}

template <class W, int D>
void SlabMeasurement<W, D>::load_rows(const Slab<W>& slab, std::uint32_t field, std::uint32_t first,
                                      std::uint32_t count) {
  const auto [a, b] = pairs_[field];
  const std::uint32_t half = lattice_.half(), R = replicas_;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const W* spins = slab.spins.data() + (std::size_t{parity} * lattice_.sites_per_parity() + first * half) * R;
    for (std::uint32_t k = 0; k < count; ++k) {
      W* out = rows_.data() + std::size_t{k} * lattice_.L + lattice_.row(first + k, parity).shift;
      for (std::uint32_t c = 0; c < half; ++c, spins += R) out[2 * c] = D == 2 ? spins[0] : spins[a] ^ spins[b];
    }
  }
}

/// Adds the loaded rows to the planes perpendicular to each axis.
template <class W, int D>
void SlabMeasurement<W, D>::count_planes(std::uint32_t field, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t L = lattice_.L;
  const std::size_t planes = std::size_t{field} * D * L;
  for (std::uint32_t x = 0; x < L; ++x) planes_.add(planes + x, rows_.data() + x, count, L);
  for (std::uint32_t k = 0; k < count; ++k) {
    const W* row = rows_.data() + std::size_t{k} * L;
    planes_.add(planes + L + (first + k) % L, row, L);
    if constexpr (D == 3) planes_.add(planes + 2 * L + (first + k) / L, row, L);
  }
}

template <class W, int D>
template <class Sums>
void SlabMeasurement<W, D>::sum_field(std::uint32_t field, Sums& sums) {
  const std::uint32_t L = lattice_.L, half = lattice_.half();
  std::int32_t* total = &minus_fields_[field * W::bits];
  std::fill(total, total + W::bits, 0);
  sums.clear();
  alignas(64) std::int32_t minus[W::bits], minus_half_on[W::bits];
  for (int axis = 0; axis < D; ++axis) {
    const std::size_t planes = (std::size_t{field} * D + static_cast<std::size_t>(axis)) * L;
    for (std::uint32_t x = 0; x < half; ++x) {
      counts(planes_, planes + x, minus);
      counts(planes_, planes + x + half, minus_half_on);
      sums.add_planes(axis, minus, minus_half_on, table_.cosine[x], table_.sine[x]);
      if (axis > 0) continue;
      for (int lane = 0; lane < W::bits; ++lane) total[lane] += minus[lane] + minus_half_on[lane];
    }
  }
  sums.k2(&k2_[field * W::bits]);
}

template <class W, int D>
void SlabMeasurement<W, D>::store(std::size_t lane, std::size_t count, std::size_t sample, Observation& out) const {
  const std::int64_t N = 2 * std::int64_t{lattice_.sites_per_parity()};
  const std::size_t R = replicas_, pairs = D == 3 ? pairs_.size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = 0; r < R; ++r) {
      out.bond_sum[(sample + i) * R + r] = D * N - 2 * unsatisfied_[r * W::bits + lane + i];
      out.magnetization[(sample + i) * R + r] = N - 2 * minus_spins_[r * W::bits + lane + i];
    }
    for (std::size_t p = 0; p < pairs; ++p) {
      out.overlap[(sample + i) * pairs + p] = N - 2 * minus_fields_[p * W::bits + lane + i];
      out.overlap_k2[(sample + i) * pairs + p] = k2_[p * W::bits + lane + i];
    }
    if (D == 2) out.magnetization_k2[sample + i] = k2_[lane + i];
  }
}

}  // namespace psflip::cpu
