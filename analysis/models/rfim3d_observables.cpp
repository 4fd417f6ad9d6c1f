#include "analysis/models/definitions.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/rfim3d.hpp"

namespace psflip::analysis {
namespace {

using namespace rfim3d;

/// Derivative in temperature of [<a>], from d[<a>]/dT = beta^2 N [<a e> - <a><e>].
double slope(const Means& mean, Primary with_e, Primary apart) {
  return mean.beta * mean.beta * mean.sites * (mean[with_e] - mean[apart]);
}

double chi(const Means& mean) { return susceptibility(mean.sites, mean[m2]); }
double chi_con(const Means& mean) { return susceptibility(mean.sites, mean[m2] - mean[m_m]); }
double chi_dis(const Means& mean) { return susceptibility(mean.sites, mean[m_m]); }
double C(const Means& mean) { return specific_heat(mean.beta, mean.sites, mean[e_2], mean[e_x_e]); }
double U4(const Means& mean) { return binder_ratio(mean[m2], mean[m4]); }
double xi(const Means& mean) { return correlation_length(chi(mean), mean[chi_k], mean.L); }
double xi_over_L(const Means& mean) { return xi(mean) / mean.L; }

double xi_con_over_L(const Means& mean) {
  return correlation_length(chi_con(mean), mean[chi_k] - mean[chi_k_dis], mean.L) / mean.L;
}

double xi_dis_over_L(const Means& mean) { return correlation_length(chi_dis(mean), mean[chi_k_dis], mean.L) / mean.L; }

double U4_slope(const Means& mean) {
  return U4(mean) * (slope(mean, e_m4, e_x_m4) / mean[m4] - 2 * slope(mean, e_m2, e_x_m2) / mean[m2]);
}

/// xi / L = sqrt(r - 1) / (2 L sin(pi / L)), r = chi / chi_k.
double xi_over_L_slope(const Means& mean) {
  const double r = chi(mean) / mean[chi_k];
  const double r_slope = r * (slope(mean, e_m2, e_x_m2) / mean[m2] - slope(mean, e_chi_k, e_x_chi_k) / mean[chi_k]);
  return xi_over_L(mean) * r_slope / (2 * (r - 1));
}

double tau_int_e(const Means& mean) {
  return autocorrelation_time(mean.bin_sweeps, mean[long_gap_e], mean[e_2] - mean[e_x_e]);
}

double tau_int_m(const Means& mean) {
  return autocorrelation_time(mean.bin_sweeps, mean[long_gap_m], mean[m2] - mean[m_m]);
}

double tau_int_m2(const Means& mean) {
  return autocorrelation_time(mean.bin_sweeps, mean[long_gap_m2], mean[m4] - mean[m2_x_m2]);
}

double round_trip_time(const Means& mean) { return 1 / mean[round_trip_rate]; }

/// An observable of even powers of m, or of none.
Observable even(const char* name, const char* label, double (*formula)(const Means&)) {
  return {name, label, formula, "tau_int_m2"};
}

/// One with odd powers of m.
Observable odd(const char* name, const char* label, double (*formula)(const Means&)) {
  return {name, label, formula, "tau_int_m", 1, true};
}

}  // namespace

const std::vector<Observable>& rfim3d_observables() {
  static const std::vector<Observable> table = {
      {"e", "$e$", [](const Means& mean) { return mean[e]; }, "tau_int_e"},
      {"C", "$C$", C, "tau_int_e"},
      odd("m", R"($[\langle m\rangle]$)", [](const Means& mean) { return mean[m]; }),
      even("m_abs", R"($[\langle|m|\rangle]$)", [](const Means& mean) { return mean[m_abs]; }),
      even("m2", R"($[\langle m^2\rangle]$)", [](const Means& mean) { return mean[m2]; }),
      even("m4", R"($[\langle m^4\rangle]$)", [](const Means& mean) { return mean[m4]; }),
      even("U4", "$U_4$", U4),
      even("g", "$g=(3-U_4)/2$", [](const Means& mean) { return (3 - U4(mean)) / 2; }),
      even("chi", R"($\chi$)", chi),
      odd("chi_con", R"($\chi_\mathrm{con}$)", chi_con),
      odd("chi_dis", R"($\chi_\mathrm{dis}$)", chi_dis),
      even("chi_k", R"($\chi(k)$)", [](const Means& mean) { return mean[chi_k]; }),
      even("xi", R"($\xi$)", xi),
      even("xi_over_L", R"($\xi/L$)", xi_over_L),
      odd("xi_con_over_L", R"($\xi_\mathrm{con}/L$)", xi_con_over_L),
      odd("xi_dis_over_L", R"($\xi_\mathrm{dis}/L$)", xi_dis_over_L),
      odd("q", "$[q]$", [](const Means& mean) { return mean[q]; }),
      even("q2", "$[q^2]$", [](const Means& mean) { return mean[q2]; }),
      even("q4", "$[q^4]$", [](const Means& mean) { return mean[q4]; }),
      even("U4_slope", R"($\mathrm{d}U_4/\mathrm{d}T$)", U4_slope),
      even("xi_over_L_slope", R"($\mathrm{d}(\xi/L)/\mathrm{d}T$)", xi_over_L_slope),
      even("tau_int_e", R"($\tau_e$)", tau_int_e),
      odd("tau_int_m", R"($\tau_m$)", tau_int_m),
      even("tau_int_m2", R"($\tau_{m^2}$)", tau_int_m2),
      even("exchange_rate", "exchange rate", [](const Means& mean) { return mean[exchange_rate]; }),
      even("round_trip_time", "round-trip time", round_trip_time)};
  return table;
}

}  // namespace psflip::analysis
