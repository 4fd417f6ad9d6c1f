#include <cmath>

#include "analysis/models/observables.hpp"
#include "analysis/models/rfim3d.hpp"

namespace psflip::analysis {
namespace {

using Means = Eigen::VectorXd;

/// A number and its derivative in temperature.
struct Sloped {
  double value, slope;
};

Sloped binder(const Sloped& m2, const Sloped& m4) {
  const double u4 = m4.value / (m2.value * m2.value);
  return {u4, u4 * (m4.slope / m4.value - 2 * m2.slope / m2.value)};
}

/// xi / L = sqrt(r - 1) / (2 L sin(pi / L)), r = chi / chi_k.
Sloped correlation_length_over_L(const Sloped& chi, const Sloped& chi_k, int L) {
  const double xi_over_L = correlation_length(chi.value, chi_k.value, L) / L;
  const double r = chi.value / chi_k.value, r_slope = r * (chi.slope / chi.value - chi_k.slope / chi_k.value);
  return {xi_over_L, xi_over_L * r_slope / (2 * (r - 1))};
}

std::int64_t sweeps_of_last_bin(const Ensemble& ensemble) {
  const std::vector<std::int64_t>& last = ensemble.moments;  // last sweep of each bin
  return last.empty() ? 0 : last.back() - (last.size() > 1 ? last[last.size() - 2] : 0);
}

}  // namespace

Observables rfim3d_observables(const Ensemble& ensemble) {
  const int L = ensemble.L();
  const double N = ensemble.sites(), beta = ensemble.beta;
  const double half_bin = 0.5 * static_cast<double>(sweeps_of_last_bin(ensemble));
  Observables result;
  result.names = {"e",
                  "C",
                  "m",
                  "m_abs",
                  "m2",
                  "m4",
                  "U4",
                  "g",
                  "chi",
                  "chi_con",
                  "chi_dis",
                  "chi_k",
                  "xi",
                  "xi_over_L",
                  "xi_con_over_L",
                  "xi_dis_over_L",
                  "q",
                  "q2",
                  "q4",
                  "U4_slope",
                  "xi_over_L_slope",
                  "tau_int_e",
                  "tau_int_m",
                  "tau_int_m2",
                  "exchange_rate",
                  "round_trip_time"};
  result.evaluate = [=, count = std::ssize(result.names)](const Means& mean) {
    using namespace rfim3d;
    const auto sloped = [&](Primary a, Primary with_e, Primary apart, double factor) {
      return Sloped{factor * mean[a], factor * beta * beta * N * (mean[with_e] - mean[apart])};
    };
    const Sloped u4 = binder(sloped(m2, e_m2, e_x_m2, 1), sloped(m4, e_m4, e_x_m4, 1));
    const Sloped xi = correlation_length_over_L(sloped(m2, e_m2, e_x_m2, N), sloped(chi_k, e_chi_k, e_x_chi_k, 1), L);
    const double chi_con = N * (mean[m2] - mean[m_m]), chi_dis = N * mean[m_m];
    Eigen::VectorXd out(count);
    out << mean[e], beta * beta * N * (mean[e_2] - mean[e_x_e]), mean[m], mean[m_abs], mean[m2], mean[m4], u4.value,
        (3 - u4.value) / 2, N * mean[m2], chi_con, chi_dis, mean[chi_k], L * xi.value, xi.value,
        correlation_length(chi_con, mean[chi_k] - mean[chi_k_dis], L) / L,
        correlation_length(chi_dis, mean[chi_k_dis], L) / L, mean[q], mean[q2], mean[q4], u4.slope, xi.slope,
        half_bin * rfim3d::relaxation_e(mean), half_bin * rfim3d::relaxation_m(mean),
        half_bin * rfim3d::relaxation_m2(mean), mean[exchange_rate], 1 / mean[round_trip_rate];
    return out;
  };
  return result;
}

}  // namespace psflip::analysis
