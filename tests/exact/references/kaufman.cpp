#include "kaufman.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace psflip::exact {
namespace {

/// gamma_l and its first two derivatives with respect to K = beta.
struct Gamma {
  double value, first, second;
};

/// A product Z_i as exp(log_scale) (value, first derivative, second derivative).
struct Term {
  double log_scale, value, first, second;
};

Gamma gamma_at(int l, int n, double K) {
  const double s = std::sinh(2 * K), c = std::cosh(2 * K);
  if (l == 0) return {2 * K + std::log(std::tanh(K)), 2 + 2 / s, -4 * c / (s * s)};  // signed: negative above T_c
  const double first = 2 * c * (1 - 1 / (s * s));
  const double second = 4 * s - 4 / s + 8 * c * c / (s * s * s);
  // cosh(gamma) - 1, written so that nothing cancels near beta_c.
  const double sine = std::sin(std::numbers::pi * l / (2.0 * n));
  const double excess = (s - 1) * (s - 1) / s + 2 * sine * sine;
  const double sinh_squared = excess * (excess + 2), sinh_gamma = std::sqrt(sinh_squared);
  return {std::log1p(excess + sinh_gamma), first / sinh_gamma,
          second / sinh_gamma - (1 + excess) * first * first / (sinh_squared * sinh_gamma)};
}

/// Product over r of 2 cosh(m gamma / 2) or 2 sinh(m gamma / 2) with l = 2 r + offset, without l = 0 when sinh.
Term product(int m, int n, double K, int offset, bool hyperbolic_sine) {
  double log_value = 0, slope = 0, curvature = 0;  // of the logarithm
  for (int l = offset; l < 2 * n; l += 2) {
    if (hyperbolic_sine && l == 0) continue;
    const Gamma gamma = gamma_at(l, n, K);
    const double x = 0.5 * m * gamma.value, dx = 0.5 * m * gamma.first, ddx = 0.5 * m * gamma.second;
    const double sign = hyperbolic_sine ? -1 : 1;
    log_value += std::abs(x) + std::log1p(sign * std::exp(-2 * std::abs(x)));
    const double ratio = hyperbolic_sine ? 1 / std::tanh(x) : std::tanh(x);
    slope += dx * ratio;
    curvature += ddx * ratio + dx * dx * (1 - ratio * ratio);
  }
  return {log_value, 1, slope, curvature + slope * slope};
}

/// The factor 2 sinh(m gamma_0 / 2) vanishes at beta_c, where its logarithm has no derivative: it is multiplied in by
/// hand.
Term times_sine_at_zero(const Term& rest, int m, int n, double K) {
  const Gamma gamma = gamma_at(0, n, K);
  const double x = 0.5 * m * gamma.value, dx = 0.5 * m * gamma.first, ddx = 0.5 * m * gamma.second;
  const double scale = std::abs(x);
  const double sine = std::copysign(-std::expm1(-2 * scale), x), cosine = 1 + std::exp(-2 * scale);
  const double first = dx * cosine, second = ddx * cosine + dx * dx * sine;
  return {rest.log_scale + scale, sine, first + sine * rest.first,
          second + 2 * first * rest.first + sine * rest.second};
}

}  // namespace

Thermal kaufman(int m, int n, double beta) {
  const std::array<Term, 4> terms = {product(m, n, beta, 1, false), product(m, n, beta, 1, true),
                                     product(m, n, beta, 0, false),
                                     times_sine_at_zero(product(m, n, beta, 0, true), m, n, beta)};
  double top = terms[0].log_scale;
  for (const Term& term : terms) top = std::max(top, term.log_scale);
  double z = 0, first = 0, second = 0;
  for (const Term& term : terms) {
    const double weight = std::exp(term.log_scale - top);
    z += weight * term.value;
    first += weight * term.first;
    second += weight * term.second;
  }
  const double sites = static_cast<double>(m) * n, s = std::sinh(2 * beta), c = std::cosh(2 * beta);
  const double d1 = sites * c / s + first / z;
  const double d2 = -2 * sites / (s * s) + second / z - (first / z) * (first / z);
  return {0.5 * sites * std::log(2 * s) - std::numbers::ln2 + top + std::log(z), -d1 / sites, beta * beta * d2 / sites};
}

}  // namespace psflip::exact
