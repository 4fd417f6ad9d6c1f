#include "analysis/models/definitions.hpp"

#include <cmath>
#include <numbers>

namespace psflip::analysis {

double susceptibility(double sites, double square) { return sites * square; }

double correlation_length(double chi, double chi_k, int L) {
  return std::sqrt(chi / chi_k - 1) / (2 * std::sin(std::numbers::pi / L));
}

double autocorrelation_time(double length, double variance_of_bin_mean, double variance) {
  return 0.5 * length * variance_of_bin_mean / variance;
}

double binder_ratio(double square, double fourth) { return fourth / (square * square); }

double specific_heat(double beta, double sites, double square, double square_of_mean) {
  return beta * beta * sites * (square - square_of_mean);
}

const std::map<std::string, std::string>& definitions() {
  static const std::map<std::string, std::string> texts = {
      {"definition_chi",
       "N <a^2>, nothing subtracted; a: overlap per site of two replicas (ea3d), else magnetization per site"},
      {"definition_xi",
       "sqrt(chi / chi_k - 1) / (2 sin(pi / L)); chi_k: mean over axes of N <abs(a(k))^2>, k = 2 pi / L"},
      {"definition_tau_int",
       "1/2 + sum of rho(t) over t = 1, 2, ..., in sweeps; from bins of n sweeps (n / 2) Var(bin mean) / Var(single)"}};
  return texts;
}

}  // namespace psflip::analysis
