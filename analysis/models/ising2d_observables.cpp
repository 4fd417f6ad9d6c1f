#include "analysis/models/definitions.hpp"
#include "analysis/models/ising2d.hpp"
#include "analysis/models/observables.hpp"

namespace psflip::analysis {
namespace {

using namespace ising2d;

double chi(const Means& mean) { return susceptibility(mean.sites, mean[m2]); }
double xi(const Means& mean) { return correlation_length(chi(mean), mean[chi_k], mean.L); }
double U4(const Means& mean) { return binder_ratio(mean[m2], mean[m4]); }

/// tau_int of a quantity with mean `a`, mean square `a_2` and mean square of its bin means `bin_a_2`.
double tau_int(const Means& mean, Primary a, Primary a_2, Primary bin_a_2) {
  const double square = mean[a] * mean[a];
  return autocorrelation_time(mean.bin_sweeps, mean[bin_a_2] - square, mean[a_2] - square);
}

}  // namespace

const std::vector<Observable>& ising2d_observables() {
  static const std::vector<Observable> table = {
      {"e", "$e$", [](const Means& mean) { return mean[e]; }, "tau_int_e"},
      {"C", "$C$", [](const Means& mean) { return specific_heat(mean.beta, mean.sites, mean[e_2], mean[e] * mean[e]); },
       "tau_int_e"},
      {"m_abs", R"($\langle|m|\rangle$)", [](const Means& mean) { return mean[m_abs]; }, "tau_int_m_abs"},
      {"m2", R"($\langle m^2\rangle$)", [](const Means& mean) { return mean[m2]; }, "tau_int_m2"},
      {"m4", R"($\langle m^4\rangle$)", [](const Means& mean) { return mean[m4]; }, "tau_int_m2"},
      {"U4", "$U_4$", U4, "tau_int_m2"},
      {"binder_U", "$1-U_4/3$", [](const Means& mean) { return 1 - U4(mean) / 3; }, "tau_int_m2"},
      {"chi", R"($\chi$)", chi, "tau_int_m2"},
      {"chi_k", R"($\chi(k)$)", [](const Means& mean) { return mean[chi_k]; }, "tau_int_m2"},
      {"xi", R"($\xi$)", xi, "tau_int_m2"},
      {"xi_over_L", R"($\xi/L$)", [](const Means& mean) { return xi(mean) / mean.L; }, "tau_int_m2"},
      {"tau_int_e", R"($\tau_e$)", [](const Means& mean) { return tau_int(mean, e, e_2, bin_e_2); }, "tau_int_m2"},
      {"tau_int_m_abs", R"($\tau_{|m|}$)", [](const Means& mean) { return tau_int(mean, m_abs, m2, bin_m_abs_2); },
       "tau_int_m2"},
      {"tau_int_m2", R"($\tau_{m^2}$)", [](const Means& mean) { return tau_int(mean, m2, m4, bin_m2_2); },
       "tau_int_m2"}};
  return table;
}

}  // namespace psflip::analysis
