#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

/// Primary quantities of rfim3d: means over a bin, one value a sample. e and m are per site, chi_k and chi_k_dis per
/// site as chi. `a_2` is the mean of a square, `e_a` of a product; `a_x_b` is the product of means of different sets,
/// which is free of the bias of a square (m_m, chi_k_dis, q: of products at the same time); `gap_a` is (a^0 - a^1)^2 /
/// 2, whose mean is the variance of the time average of a. exchange_rate belongs to the slot and the next hotter one
/// and is NaN in the hottest; round_trip_rate, round trips a sweep of one configuration, is NaN in all but the coldest.
/// `long_gap_a` is gap_a times the length of the bin of the sample in units of that of most (file-format.md,
/// times_longer).
namespace psflip::analysis::rfim3d {

enum Primary : Eigen::Index {
  e,
  e_2,
  e_x_e,
  m,
  m_abs,
  m2,
  m4,
  m_m,
  m2_x_m2,
  chi_k,
  chi_k_dis,
  q,
  q2,
  q4,
  e_m2,
  e_m4,
  e_chi_k,
  e_x_m2,
  e_x_m4,
  e_x_chi_k,
  gap_e,
  gap_m,
  gap_m2,
  long_gap_e,
  long_gap_m,
  long_gap_m2,
  exchange_rate,
  round_trip_rate,
  primary_count
};

inline std::vector<std::string> primary_names() {
  return {"e",
          "e_2",
          "e_x_e",
          "m",
          "m_abs",
          "m2",
          "m4",
          "m_m",
          "m2_x_m2",
          "chi_k",
          "chi_k_dis",
          "q",
          "q2",
          "q4",
          "e_m2",
          "e_m4",
          "e_chi_k",
          "e_x_m2",
          "e_x_m4",
          "e_x_chi_k",
          "gap_e",
          "gap_m",
          "gap_m2",
          "long_gap_e",
          "long_gap_m",
          "long_gap_m2",
          "exchange_rate",
          "round_trip_rate"};
}

/// Part of the variance of single measurements that is left in the mean over a bin, for e, m and m^2: 2 tau_int / n for
/// long bins of n measurements, 1 where the sets are stuck. `mean`: means of the primary quantities.
inline double remaining_e(const Eigen::VectorXd& mean) { return mean[gap_e] / (mean[e_2] - mean[e_x_e]); }
inline double remaining_m(const Eigen::VectorXd& mean) { return mean[gap_m] / (mean[m2] - mean[m_m]); }
inline double remaining_m2(const Eigen::VectorXd& mean) { return mean[gap_m2] / (mean[m4] - mean[m2_x_m2]); }

}  // namespace psflip::analysis::rfim3d
