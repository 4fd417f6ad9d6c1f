#pragma once
#include <bit>

#include "engine/laboratory/heisenberg/arithmetic.hpp"
#include "engine/random/address.hpp"

/// Metropolis update of one classical spin of three components in the field of its neighbours, H = -sum s s'.
namespace psflip::laboratory {

template <class Real>
struct Vector3 {
  Real x, y, z;
};

template <class Real>
PSFLIP_HD Real dot(const Vector3<Real>& a, const Vector3<Real>& b) {
  return fused(a.z, b.z, fused(a.y, b.y, a.x * b.x));
}

/// What a proposal and its acceptance need. A cone holds the directions whose cosine with the spin is from 1 - cap to
/// 1; with cap = 2 it is the whole sphere.
template <class Real>
struct SiteRule {
  Real beta, cap;
};

/// A uniform direction, independent of the spin.
template <class Math, class Real = typename Math::Real>
PSFLIP_HD Vector3<Real> uniform_direction(std::uint32_t first, std::uint32_t second) {
  const Real z = Math::unit(first), radius = Math::sqrt(fused(-z, z, Real{1}));
  Real c, s;
  Math::circle(second, c, s);
  return {radius * c, radius * s, z};
}

/// A uniform direction in the cone of a spin, from an orthonormal basis (Duff et al., J. Comput. Graph. Tech. 6(1), 1,
/// 2017). It is normalized, since the errors of successive directions would add up.
template <class Math, class Real = typename Math::Real>
PSFLIP_HD Vector3<Real> direction_in_cone(const Vector3<Real>& spin, Real cap, std::uint32_t first,
                                          std::uint32_t second) {
  const Real depth = cap * fused(Math::unit(first), Real{0.5}, Real{0.5});  // 1 - cosine
  const Real radius = Math::sqrt(depth * (Real{2} - depth));
  Real c, s;
  Math::circle(second, c, s);
  const Real u = radius * c, v = radius * s, w = Real{1} - depth;
  const Real sign = spin.z < 0 ? Real{-1} : Real{1};
  const Real a = Real{-1} / (sign + spin.z), b = spin.x * spin.y * a;
  // Basis (1 + sign x x a, sign b, -sign x) and (b, sign + y y a, -y).
  const Real first_x = fused(sign * spin.x, spin.x * a, Real{1}), second_y = fused(spin.y, spin.y * a, sign);
  const Vector3<Real> next = {fused(w, spin.x, fused(v, b, u * first_x)),
                              fused(w, spin.y, fused(v, second_y, u * (sign * b))),
                              fused(w, spin.z, fused(-v, spin.y, -u * (sign * spin.x)))};
  const Real scale = Real{1} / Math::sqrt(dot(next, next));
  return {next.x * scale, next.y * scale, next.z * scale};
}

/// Tries one spin: three words of `numbers` are two of the direction and one of the acceptance. True if it is accepted.
template <class Math, bool CONE, class Real = typename Math::Real>
PSFLIP_HD bool try_spin(Vector3<Real>& spin, const Vector3<Real>& field, const Four<std::uint32_t>& numbers,
                        const SiteRule<Real>& rule) {
  const Vector3<Real> next = CONE ? direction_in_cone<Math>(spin, rule.cap, numbers.x[0], numbers.x[1])
                                  : uniform_direction<Math>(numbers.x[0], numbers.x[1]);
  const Vector3<Real> change = {next.x - spin.x, next.y - spin.y, next.z - spin.z};
  const Real gain = rule.beta * dot(change, field);
  const Real probability = Math::exp(gain < 0 ? gain : Real{0});
  const bool accepted = gain >= 0 || fused(Math::unit(numbers.x[2]), Real{0.5}, Real{0.5}) < probability;
  spin = {accepted ? next.x : spin.x, accepted ? next.y : spin.y, accepted ? next.z : spin.z};
  return accepted;
}

/// The key of a lattice and the address of a visit: site x + L y, and how often the site was tried before. A site has
/// the same numbers in every tile, order and precision.
inline Key heisenberg_key(std::uint32_t seed, Stream stream, int L, double beta) {
  constexpr std::uint32_t system = 101;  // above those of the family of models
  return make_key(seed, stream, system_tag(system, static_cast<std::uint32_t>(L), std::bit_cast<std::uint64_t>(beta)));
}
template <class Keys>
PSFLIP_HD Four<std::uint32_t> numbers_of_visit(const Keys& keys, std::uint32_t site, std::uint32_t visit) {
  return numbers_at(keys, site, visit, 0, 0, 0);
}

}  // namespace psflip::laboratory
