#pragma once
#include "engine/core/word.hpp"
#include "engine/models/integers.hpp"

/// The integers as counts of set bits: each is the number of +1 less that of -1 among the words of all sites. A new
/// integer is a new entry here and a line in engine/models/integers.hpp.
namespace psflip::cpu {

/// The spins of one slot and the disorder of one word group, by parity. `spins` of replica r of a site are `replicas`
/// words apart from site to site.
template <class W>
struct SlotView {
  const W *spins[2], *couplings[2], *fields[2];
  std::size_t replicas;
};

/// One site of a SlotView with traits T.
template <class W, class T>
struct SiteWords {
  const W *spins, *coupling, *field;
  const W* forward[T::dimension];  ///< spins of the neighbours in positive directions

  W spin(std::size_t r) const { return spins[r]; }
  W unsatisfied(std::size_t r, int mu) const {
    const W unlike = spins[r] ^ forward[mu][r];
    if constexpr (T::has_couplings) {
      return unlike ^ coupling[mu];
    } else {
      return unlike;
    }
  }
  W against(std::size_t r) const {
    if constexpr (T::has_field_words) {
      return spins[r] ^ *field;
    } else {
      return spins[r];
    }
  }
};

// word(site, a, b, i) is word number i of `words` of a site: of replica a, or of the pair of replicas a and b.

struct BondSum {
  static constexpr Integer integer = Integer::bond_sum;
  template <class T>
  static constexpr int words = T::dimension;
  template <class S>
  static auto word(const S& site, std::size_t a, std::size_t, int mu) {
    return site.unsatisfied(a, mu);
  }
};

struct FieldSum {
  static constexpr Integer integer = Integer::field_sum;
  template <class T>
  static constexpr int words = 1;
  template <class S>
  static auto word(const S& site, std::size_t a, std::size_t, int) {
    return site.against(a);
  }
};

struct Magnetization {
  static constexpr Integer integer = Integer::magnetization;
  template <class T>
  static constexpr int words = 1;
  template <class S>
  static auto word(const S& site, std::size_t a, std::size_t, int) {
    return site.spin(a);
  }
};

struct Overlap {
  static constexpr Integer integer = Integer::overlap;
  template <class T>
  static constexpr int words = 1;
  template <class S>
  static auto word(const S& site, std::size_t a, std::size_t b, int) {
    return site.spin(a) ^ site.spin(b);
  }
};

/// Kind::fourier of the field of signs whose sum is `Sum`.
template <Integer INTEGER, class SUM>
struct FourierOf {
  static constexpr Integer integer = INTEGER;
  using Sum = SUM;
};

template <class... X>
struct IntegerList {
  template <class F>
  static void for_each(F f) {  ///< calls f.template operator()<X>() for each X
    (f.template operator()<X>(), ...);
  }
};
using SumIntegers = IntegerList<BondSum, FieldSum, Magnetization, Overlap>;
using FourierIntegers =
    IntegerList<FourierOf<Integer::magnetization_k2, Magnetization>, FourierOf<Integer::overlap_k2, Overlap>>;

}  // namespace psflip::cpu
