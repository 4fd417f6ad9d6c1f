#pragma once
#include <cstddef>

#include "engine/core/platform.hpp"
#include "engine/models/integers.hpp"

/// The integers as counts of set bits, on host and device: each is the number of +1 less that of -1 among the words of
/// all sites. A new integer is a new entry here and a line in engine/models/integers.hpp.
///
/// A site gives the words `spin(r)` of replica r, `unlike(r, mu)`, whether the spins of its bond in direction +mu
/// differ, `unsatisfied(r, mu)`, the same times the sign of the bond, and `against(r)`, whether the spin is against its
/// random field.
namespace psflip {

// word(site, a, b, i) is word number i of a site: of replica a, or of the pair of replicas a and b.

struct BondSum {
  static constexpr Integer integer = Integer::bond_sum;
  template <class S>
  PSFLIP_HD static auto word(const S& site, std::size_t a, std::size_t, int mu) {
    return site.unsatisfied(a, mu);
  }
};

struct FieldSum {
  static constexpr Integer integer = Integer::field_sum;
  template <class S>
  PSFLIP_HD static auto word(const S& site, std::size_t a, std::size_t, int) {
    return site.against(a);
  }
};

struct Magnetization {
  static constexpr Integer integer = Integer::magnetization;
  template <class S>
  PSFLIP_HD static auto word(const S& site, std::size_t a, std::size_t, int) {
    return site.spin(a);
  }
};

struct Overlap {
  static constexpr Integer integer = Integer::overlap;
  template <class S>
  PSFLIP_HD static auto word(const S& site, std::size_t a, std::size_t b, int) {
    return site.spin(a) ^ site.spin(b);
  }
};

struct LinkOverlap {
  static constexpr Integer integer = Integer::link_overlap;
  template <class S>
  PSFLIP_HD static auto word(const S& site, std::size_t a, std::size_t b, int mu) {
    return site.unlike(a, mu) ^ site.unlike(b, mu);
  }
};

/// Kind::fourier of the field of signs whose sum is `Sum`.
template <Integer INTEGER, class SUM>
struct FourierOf {
  static constexpr Integer integer = INTEGER;
  using Sum = SUM;
};

/// Words of one site.
template <class X, class T>
inline constexpr int words_of_site = info_of(X::integer).over == Over::bonds ? T::dimension : 1;

template <class X>
inline constexpr bool is_of_pairs = info_of(X::integer).scope == Scope::pair;

template <class... X>
struct IntegerList {
  template <class F>
  static void for_each(F f) {  ///< calls f.template operator()<X>() for each X
    (f.template operator()<X>(), ...);
  }
};
using SumIntegers = IntegerList<BondSum, FieldSum, Magnetization, Overlap, LinkOverlap>;
using FourierIntegers =
    IntegerList<FourierOf<Integer::magnetization_k2, Magnetization>, FourierOf<Integer::overlap_k2, Overlap>>;

}  // namespace psflip
