#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// What one measurement adds to the sums of a tempering run (docs/file-format.md), in float64 with every product and
/// every sum rounded once, so that all machines get the same bits.
namespace psflip {

/// Quantities that may be summed for every slot, sample and set; engine/models/sums.hpp says which a system has.
enum SetSum {
  sum_B,
  sum_F,
  sum_B2,
  sum_BF,
  sum_F2,
  sum_M,
  sum_abs_M,
  sum_M2,
  sum_M4,
  sum_K,
  sum_B_M2,
  sum_B_M4,
  sum_B_K,
  sum_F_M2,
  sum_F_M4,
  sum_F_K,
  set_sums
};

/// Quantities that may be summed for every slot, sample and pair of sets. The first five are those of a random field.
enum PairSum {
  sum_Q,
  sum_Q2,
  sum_Q4,
  sum_M_M,
  sum_MK_MK,
  sum_abs_Q,
  sum_QK,
  sum_link,
  sum_B_Q2,
  sum_B_Q4,
  sum_B_QK,
  sum_B_link,
  pair_sums
};
inline constexpr int random_field_pair_sums = sum_MK_MK + 1;

/// a * b and a + b that no compiler fuses. The host is compiled with -ffp-contract=off.
PSFLIP_HD double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}
PSFLIP_HD double rounded_sum(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

/// The values of one configuration: bond sum B, field sum F, magnetization M, squared Fourier component K.
PSFLIP_HD void set_values(std::int64_t bond_sum, std::int64_t field_sum, std::int64_t magnetization, std::int64_t k2,
                          double (&value)[set_sums]) {
  const auto B = static_cast<double>(bond_sum), F = static_cast<double>(field_sum);
  const auto M = static_cast<double>(magnetization), K = static_cast<double>(k2);
  const double M2 = rounded_product(M, M), M4 = rounded_product(M2, M2);
  value[sum_B] = B;
  value[sum_F] = F;
  value[sum_B2] = rounded_product(B, B);
  value[sum_BF] = rounded_product(B, F);
  value[sum_F2] = rounded_product(F, F);
  value[sum_M] = M;
  value[sum_abs_M] = M < 0 ? -M : M;
  value[sum_M2] = M2;
  value[sum_M4] = M4;
  value[sum_K] = K;
  value[sum_B_M2] = rounded_product(B, M2);
  value[sum_B_M4] = rounded_product(B, M4);
  value[sum_B_K] = rounded_product(B, K);
  value[sum_F_M2] = rounded_product(F, M2);
  value[sum_F_M4] = rounded_product(F, M4);
  value[sum_F_K] = rounded_product(F, K);
}

/// What is measured of two configurations of one sample.
struct PairIntegers {
  std::int64_t overlap, magnetization_a, magnetization_b;
  std::int64_t k_product;                ///< product of the Fourier components of s
  std::int64_t overlap_k2;               ///< squared Fourier component of s^a s^b
  std::int64_t link_overlap, bond_sums;  ///< bond_sums: B of both together
};

/// The values of two configurations of one sample: overlap Q, its squared Fourier component K, link overlap.
PSFLIP_HD void pair_values(const PairIntegers& pair, double (&value)[pair_sums]) {
  const auto Q = static_cast<double>(pair.overlap), K = static_cast<double>(pair.overlap_k2);
  const auto link = static_cast<double>(pair.link_overlap), B = static_cast<double>(pair.bond_sums);
  const double Q2 = rounded_product(Q, Q), Q4 = rounded_product(Q2, Q2);
  value[sum_Q] = Q;
  value[sum_Q2] = Q2;
  value[sum_Q4] = Q4;
  value[sum_M_M] =
      rounded_product(static_cast<double>(pair.magnetization_a), static_cast<double>(pair.magnetization_b));
  value[sum_MK_MK] = static_cast<double>(pair.k_product);
  value[sum_abs_Q] = Q < 0 ? -Q : Q;
  value[sum_QK] = K;
  value[sum_link] = link;
  value[sum_B_Q2] = rounded_product(B, Q2);
  value[sum_B_Q4] = rounded_product(B, Q4);
  value[sum_B_QK] = rounded_product(B, K);
  value[sum_B_link] = rounded_product(B, link);
}

}  // namespace psflip
