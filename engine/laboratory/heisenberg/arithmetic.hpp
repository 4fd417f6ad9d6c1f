#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "engine/core/platform.hpp"

/// The functions of a site update, for host and device. A policy has the type Real and
///   unit(word)         uniform in (-1, 1), symmetric
///   circle(word, c, s) cosine and sine of a uniform angle
///   exp(y)             for y <= 0
///   sqrt(y)            for y >= 0.
/// Both compilers are told not to join products and sums, so that fused() alone does.
namespace psflip::laboratory {

PSFLIP_HD double fused(double a, double b, double c) { return std::fma(a, b, c); }
PSFLIP_HD float fused(float a, float b, float c) { return std::fma(a, b, c); }

/// A word as an odd multiple of 2^-32 or, of its upper 24 bits, of 2^-24; exact.
template <class Real>
PSFLIP_HD Real unit_of(std::uint32_t word) {
  const auto integer = static_cast<std::int32_t>(word);
  if constexpr (sizeof(Real) == 8) return (static_cast<Real>(integer) + Real{0.5}) * Real{0x1p-31};
  return (static_cast<Real>(integer >> 8) + Real{0.5}) * Real{0x1p-23f};
}

template <int N>
inline constexpr double inverse_factorial = inverse_factorial<N - 1> / N;
template <>
inline constexpr double inverse_factorial<0> = 1;

/// sum of SIGN^n x^n / (STEP n + OFFSET)! for n from N to TERMS - 1, divided by x^N; a Taylor series for N = 0.
template <int SIGN, int STEP, int OFFSET, int TERMS, int N = 0, class Real>
PSFLIP_HD Real taylor(Real x) {
  constexpr auto c = static_cast<Real>((SIGN < 0 && N % 2 == 1 ? -1 : 1) * inverse_factorial<STEP * N + OFFSET>);
  if constexpr (N + 1 == TERMS)
    return c;
  else
    return fused(taylor<SIGN, STEP, OFFSET, TERMS, N + 1>(x), x, c);
}

/// 2^n for normal numbers.
PSFLIP_HD double power_of_two(int n, double) {
  const std::uint64_t bits = static_cast<std::uint64_t>(n + 1023) << 52;
  double result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}
PSFLIP_HD float power_of_two(int n, float) {
  const std::uint32_t bits = static_cast<std::uint32_t>(n + 127) << 23;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// Polynomials: the same bits on every processor, and loops of them become vector instructions.
template <class R>
struct Polynomial {
  using Real = R;
  static constexpr bool is_double = sizeof(Real) == 8;

  PSFLIP_HD static Real unit(std::uint32_t word) { return unit_of<Real>(word); }
  PSFLIP_HD static Real sqrt(Real y) { return std::sqrt(y); }

  /// The angle is in (-pi/4, pi/4) by 30 bits; the upper two bits are the sign of the cosine and an exchange.
  PSFLIP_HD static void circle(std::uint32_t word, Real& c, Real& s) {
    const Real angle = static_cast<Real>(0.78539816339744830962) * unit(word << 2), square = angle * angle;
    const Real sine = angle * taylor < -1, 2, 1, is_double ? 8 : 5 > (square);
    const Real cosine = taylor < -1, 2, 0, is_double ? 9 : 6 > (square);
    const Real turned = (word >> 31) != 0 ? -cosine : cosine;
    const bool exchanged = ((word >> 30) & 1u) != 0;
    c = exchanged ? sine : turned;
    s = exchanged ? turned : sine;
  }

  /// 2^n e^r with y = n ln 2 + r; 0 is replaced by the least normal numbers, which no acceptance distinguishes.
  PSFLIP_HD static Real exp(Real y) {
    constexpr Real lowest = is_double ? Real{-700} : Real{-87},
                   inverse_ln_2 = static_cast<Real>(1.44269504088896340736);
    // ln 2 in two numbers, the first of few bits; adding `rounder` and subtracting it rounds to an integer.
    constexpr Real high = is_double ? static_cast<Real>(0x1.62e42fee00000p-1) : static_cast<Real>(0x1.62ep-1f);
    constexpr Real low = static_cast<Real>(is_double ? 0x1.a39ef35793c76p-33 : 0x1.0bfbe8e7bcd5ep-15);
    constexpr Real rounder = is_double ? static_cast<Real>(0x1.8p52) : static_cast<Real>(0x1.8p23f);
    const Real inside = y > lowest ? y : lowest;
    const Real n = fused(inside, inverse_ln_2, rounder) - rounder;
    const Real r = fused(-n, low, fused(-n, high, inside));
    return taylor < 1, 1, 0, is_double ? 14 : 8 > (r)*power_of_two(static_cast<int>(n), Real{});
  }
};

/// Functions of the C library or of CUDA, whose bits differ between processors.
template <class R>
struct Library {
  using Real = R;

  PSFLIP_HD static Real unit(std::uint32_t word) { return unit_of<Real>(word); }
  PSFLIP_HD static Real sqrt(Real y) { return std::sqrt(y); }
  PSFLIP_HD static void circle(std::uint32_t word, Real& c, Real& s) {
    const Real angle = static_cast<Real>(3.14159265358979323846) * unit(word);
    c = std::cos(angle);
    s = std::sin(angle);
  }
  PSFLIP_HD static Real exp(Real y) { return std::exp(y); }
};

/// The intrinsic functions of a GPU, with about 21 bits; on the host those of the C library.
struct Intrinsics {
  using Real = float;

  PSFLIP_HD static float unit(std::uint32_t word) { return unit_of<float>(word); }
#ifdef __CUDA_ARCH__
  PSFLIP_HD static float sqrt(float y) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(y));
    return root;
  }
  PSFLIP_HD static void circle(std::uint32_t word, float& c, float& s) { __sincosf(3.14159265f * unit(word), &s, &c); }
  PSFLIP_HD static float exp(float y) { return __expf(y); }
#else
  PSFLIP_HD static float sqrt(float y) { return Library<float>::sqrt(y); }
  PSFLIP_HD static void circle(std::uint32_t word, float& c, float& s) { Library<float>::circle(word, c, s); }
  PSFLIP_HD static float exp(float y) { return Library<float>::exp(y); }
#endif
};

}  // namespace psflip::laboratory
