#include "analysis/models/definitions.hpp"
#include "analysis/models/ea3d.hpp"
#include "analysis/models/observables.hpp"

namespace psflip::analysis {
namespace {

using namespace ea3d;

double chi(const Means& mean) { return susceptibility(mean.sites, mean[q2]); }
double xi(const Means& mean) { return correlation_length(chi(mean), mean[chi_k], mean.L); }
double U4(const Means& mean) { return binder_ratio(mean[q2], mean[q4]); }

}  // namespace

const std::vector<Observable>& ea3d_observables() {
  static const std::vector<Observable> table = {
      {"e", "$e$", [](const Means& mean) { return mean[e]; }},
      {"m2", "$N[m^2]$", [](const Means& mean) { return mean[m2]; }},
      {"q2", "$[q^2]$", [](const Means& mean) { return mean[q2]; }, "", 2},
      {"chi", R"($\chi$)", chi, "", 2},
      {"chi_k", R"($\chi(k)$)", [](const Means& mean) { return mean[chi_k]; }, "", 2},
      {"xi", R"($\xi$)", xi, "", 2},
      {"xi_over_L", R"($\xi/L$)", [](const Means& mean) { return xi(mean) / mean.L; }, "", 2},
      {"U4", "$U_4$", U4, "", 2},
      {"g", "$g=(3-U_4)/2$", [](const Means& mean) { return (3 - U4(mean)) / 2; }, "", 2},
      {"U22", "$U_{22}$", [](const Means& mean) { return mean[q2_q2] / (mean[q2] * mean[q2]) - 1; }, "", 4}};
  return table;
}

}  // namespace psflip::analysis
