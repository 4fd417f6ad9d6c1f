#pragma once
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// How much sharing random numbers within packs of 32 samples costs: the variance of the mean of all samples, estimated
/// from the scatter of the packs, divided by its value for independent samples. 1 means no cost; k means
/// that n samples are worth n / k. With pack sums S_p over n_p samples and a the mean of all n samples:
///   sum_p (S_p - n_p a)^2 / (s^2 (n - sum_p n_p^2 / n)),   s^2 = variance of single samples,
/// whose expectation is 1 for independent samples, whatever the n_p. The value is this closed form. Error by jackknife
/// over packs, each replicate with its own number of samples; unknown below three packs, because the form needs two.
statistics::Estimate design_effect(const Ensemble& ensemble, const std::string& quantity, std::size_t moment);

/// The same for numbers derived from means (observables), with jackknife blocks as the groups: the square of the
/// jackknife error over the variance that the scatter of single samples gives to first order. Error from the number of
/// blocks, as if their sums were Gaussian.
std::vector<statistics::Estimate> derived_design_effects(const Ensemble& ensemble,
                                                         const std::vector<std::string>& observables,
                                                         std::size_t moment);

/// The quantities whose design effect the ensemble can give.
std::vector<std::string> design_quantities(const Ensemble& ensemble);

}  // namespace psflip::analysis
