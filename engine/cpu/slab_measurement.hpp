#pragma once
#include <bit>
#include <utility>
#include <vector>

#include "engine/core/domain.hpp"
#include "engine/cpu/field_measurement.hpp"
#include "engine/driver/domain_engine.hpp"

namespace psflip::cpu {

/// The samples of one word: spins[parity][site][replica] and couplings[parity][site][direction], sites by their place
/// in the memory of a domain.
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
  SlabMeasurement(const Domain<D>& domain, std::uint32_t replicas, const FourierTable& table);

  /// Takes all measurements of all lanes of a slab.
  void measure(const Slab<W>& slab);
  /// Writes those of `count` lanes from `lane` on as the samples from `sample` on: k2 of the whole lattice, Fourier
  /// components of a part.
  void store(std::size_t lane, std::size_t count, std::size_t sample, DomainObservation& out) const;

 private:
  template <int R>
  void count_row(const Slab<W>& slab, std::uint32_t number);

  void store_fields(std::size_t lane, std::size_t sample, DomainObservation& out) const;
  bool is_whole() const { return domain_.ghosts == 0; }

  const Domain<D> domain_;
  const std::uint32_t replicas_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  ///< the replicas of each field
  CounterBank<W> bonds_, spins_;                                ///< [replica] unsatisfied bonds, -1 spins
  std::vector<W> bond_words_;                                   ///< [replica][bond] of a row
  FieldMeasurement<W, D> fields_;
  std::vector<std::int32_t> unsatisfied_, minus_spins_;  ///< [replica][lane]
  std::vector<std::int32_t> minus_fields_;               ///< [field][lane]
  std::vector<std::int64_t> k2_;                         ///< [field][lane], of the whole lattice
  std::vector<std::int64_t> components_;                 ///< [field][axis][re, im][lane], of a part
};

template <class W, int D>
SlabMeasurement<W, D>::SlabMeasurement(const Domain<D>& domain, std::uint32_t replicas, const FourierTable& table)
    : domain_(domain),
      replicas_(replicas),
      pairs_(D == 2 ? 1 : replicas * (replicas - 1) / 2),
      bonds_(replicas, std::bit_width(domain.sites() * D)),
      spins_(replicas, std::bit_width(domain.sites())),
      bond_words_(std::size_t{D} * domain.L * replicas),
      fields_(domain, pairs_.size(), table),
      unsatisfied_(replicas * W::bits),
      minus_spins_(replicas * W::bits),
      minus_fields_(pairs_.size() * W::bits),
      k2_(is_whole() ? pairs_.size() * W::bits : 0),
      components_(is_whole() ? 0 : pairs_.size() * 2 * D * W::bits) {
  std::size_t p = 0;
  for (std::uint32_t a = 0; a < replicas; ++a)
    for (std::uint32_t b = a + 1; b < replicas; ++b) pairs_[p++] = {a, b};
}

template <class W, int D>
void SlabMeasurement<W, D>::measure(const Slab<W>& slab) {
  bonds_.clear();
  spins_.clear();
  fields_.clear();
  with_replicas<D>(replicas_, [&]<int R>() {
    for (std::uint32_t row = 0; row < domain_.rows(); ++row) count_row<R>(slab, row);
  });
  for (std::uint32_t r = 0; r < replicas_; ++r) {
    counts(bonds_, r, &unsatisfied_[r * W::bits]);
    counts(spins_, r, &minus_spins_[r * W::bits]);
  }
  const std::size_t stored = domain_.stored_per_parity(), R = replicas_;
  for (std::uint32_t first = 0; first < domain_.rows(); first += fields_.block) {
    for (std::size_t f = 0; f < pairs_.size(); ++f) {  // all fields while the spins of the rows are in the cache
      const auto [a, b] = pairs_[f];
      // a = a, b = b: clang 14 captures a structured binding only by an initializer
      fields_.add_rows(f, first, [=, spins = slab.spins.data(), a = a, b = b](std::uint32_t parity, std::size_t place) {
        const W* at = spins + (parity * stored + place) * R;
        return D == 2 ? at[0] : at[a] ^ at[b];
      });
    }
  }
  for (std::size_t f = 0; f < pairs_.size(); ++f) {
    fields_.sum(f, &minus_fields_[f * W::bits]);
    if (is_whole()) {
      fields_.k2(&k2_[f * W::bits]);
    } else {
      fields_.components(&components_[f * 2 * D * W::bits]);
    }
  }
}

/// Unsatisfied bonds in positive directions and -1 spins of all replicas, row by row so that couplings are read once.
template <class W, int D>
template <int R>
void SlabMeasurement<W, D>::count_row(const Slab<W>& slab, std::uint32_t number) {
  const Lattice<D> lattice = domain_.lattice();
  const std::size_t stored = domain_.stored_per_parity(), bonds = std::size_t{D} * lattice.L;
  W* const words = bond_words_.data();
  W* bond = words;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const DomainRow<D> row = domain_.row(number, parity);
    const W* spin = slab.spins.data() + (parity * stored + row.begin) * R;
    const W* other = slab.spins.data() + (1 - parity) * stored * R;
    const W* coupling = slab.couplings.data() + (parity * stored + row.begin) * D;
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
void SlabMeasurement<W, D>::store(std::size_t lane, std::size_t count, std::size_t sample,
                                  DomainObservation& out) const {
  const std::int64_t N = domain_.sites();
  const std::size_t R = replicas_;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = 0; r < R; ++r) {
      out.sums.bond_sum[(sample + i) * R + r] = D * N - 2 * unsatisfied_[r * W::bits + lane + i];
      out.sums.magnetization[(sample + i) * R + r] = N - 2 * minus_spins_[r * W::bits + lane + i];
    }
    store_fields(lane + i, sample + i, out);
  }
}

template <class W, int D>
void SlabMeasurement<W, D>::store_fields(std::size_t lane, std::size_t sample, DomainObservation& out) const {
  const std::size_t fields = pairs_.size(), components = std::size_t{2} * D;
  std::vector<std::int64_t>& k2 = D == 3 ? out.sums.overlap_k2 : out.sums.magnetization_k2;
  for (std::size_t f = 0; f < fields; ++f) {
    const std::size_t place = sample * fields + f;
    if (D == 3) out.sums.overlap[place] = std::int64_t{domain_.sites()} - 2 * minus_fields_[f * W::bits + lane];
    if (is_whole()) {
      k2[place] = k2_[f * W::bits + lane];
    } else {
      for (std::size_t c = 0; c < components; ++c)
        out.components[place * components + c] = components_[(f * components + c) * W::bits + lane];
    }
  }
}

}  // namespace psflip::cpu
