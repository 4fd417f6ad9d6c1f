#include "analysis/models/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
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

namespace {

/// A model whose order parameter is the overlap: the model of the file if it is one, else the first of the registry.
std::string_view model_with_overlaps(const Preset& preset) {
  if (preset.has_random_bonds()) return preset.name;
  const auto found = std::find_if(std::begin(presets), std::end(presets), std::mem_fn(&Preset::has_random_bonds));
  return found->name;
}

}  // namespace

std::map<std::string, std::string> definitions(const Preset& preset) {
  return {
      {"definition_chi",
       fmt::format("N <a^2>, nothing subtracted; a: overlap per site of two replicas ({}), else magnetization per site",
                   model_with_overlaps(preset))},
      {"definition_xi",
       "sqrt(chi / chi_k - 1) / (2 sin(pi / L)); chi_k: mean over axes of N <abs(a(k))^2>, k = 2 pi / L"},
      {"definition_tau_int",
       "1/2 + sum of rho(t) over t = 1, 2, ..., in sweeps; from bins of n sweeps (n / 2) Var(bin mean) / Var(single)"}};
}

}  // namespace psflip::analysis
