#pragma once
#include <map>
#include <string>

#include "engine/models/model.hpp"

/// Derived numbers that several models share. Each has this definition and no other.
namespace psflip::analysis {

/// chi = N <a^2>; a: order parameter per site, nothing is subtracted. `square`: <a^2>.
double susceptibility(double sites, double square);

/// Second-moment correlation length xi = sqrt(chi / chi_k - 1) / (2 sin(pi / L)) in lattice spacings; NaN where chi <
/// chi_k. chi_k: Fourier component of the correlations at k = 2 pi / L along an axis.
double correlation_length(double chi, double chi_k, int L);

/// Integrated autocorrelation time tau_int = 1/2 + sum of rho(t) from t = 1 on, in the unit of `length`. From the
/// variance of the mean over a bin of that length, which is 2 tau_int / length times the variance of a single value.
double autocorrelation_time(double length, double variance_of_bin_mean, double variance);

/// U4 = <a^4> / <a^2>^2.
double binder_ratio(double square, double fourth);

/// C = beta^2 N (<e^2> - <e>^2), e: energy per site. `square_of_mean`: an estimate of <e>^2.
double specific_heat(double beta, double sites, double square, double square_of_mean);

/// Attributes of reduced files of a model that state the definitions of chi, xi and tau_int: definition_chi, ...
std::map<std::string, std::string> definitions(const Preset& preset);

}  // namespace psflip::analysis
