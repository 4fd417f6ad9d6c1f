#include "analysis/models/design_effect.hpp"

#include <cmath>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

statistics::Estimate design_effect(const Ensemble& ensemble, const std::string& quantity, std::size_t moment) {
  const Grouping& packs = ensemble.packs;
  if (packs.size() < 2) return {};
  const auto row = static_cast<Eigen::Index>(moment);
  const Eigen::VectorXd sums = packs[quantity].row(row).transpose();
  const Eigen::VectorXd& sizes = packs.samples;
  statistics::Blocks blocks{Eigen::MatrixXd(packs.size(), 5), sizes};
  blocks.sums << sums, packs[quantity + "_2"].row(row).transpose(), sums.cwiseAbs2(), sums.cwiseProduct(sizes),
      sizes.cwiseAbs2();
  const statistics::Jackknife jackknife(blocks, [](const Eigen::VectorXd& mean, double n) {
    const double a = mean[0], variance = (mean[1] - a * a) * n / (n - 1);
    const double scatter = mean[2] - 2 * a * mean[3] + a * a * mean[4];
    return Eigen::VectorXd::Constant(1, scatter / (variance * (1 - mean[4] / n)));
  });
  return {jackknife.plain()[0], packs.size() < 3 ? statistics::unknown : jackknife.error()[0]};
}

namespace {

/// Covariance of the primary quantities of single samples.
Eigen::MatrixXd sample_covariance(const Ensemble& ensemble, const Eigen::VectorXd& mean, std::size_t moment) {
  const double n = ensemble.products.samples[0];
  Eigen::MatrixXd covariance(mean.size(), mean.size());
  std::size_t q = 0;
  for (Eigen::Index i = 0; i < mean.size(); ++i)
    for (Eigen::Index j = i; j < mean.size(); ++j) {
      const double product = ensemble.products.sums[q++](static_cast<Eigen::Index>(moment), 0) / n;
      covariance(i, j) = covariance(j, i) = (product - mean[i] * mean[j]) * n / (n - 1);
    }
  return covariance;
}

/// Derivatives [observable][primary quantity], by central differences of one error of the mean.
Eigen::MatrixXd derivatives(const statistics::Function& evaluate, const Eigen::VectorXd& mean,
                            const Eigen::VectorXd& errors) {
  Eigen::MatrixXd columns(evaluate(mean).size(), mean.size());
  for (Eigen::Index i = 0; i < mean.size(); ++i) {
    const Eigen::VectorXd step = errors[i] * Eigen::VectorXd::Unit(mean.size(), i);
    if (errors[i] > 0)
      columns.col(i) = (evaluate(mean + step) - evaluate(mean - step)) / (2 * errors[i]);
    else
      columns.col(i).setZero();
  }
  return columns;
}

}  // namespace

std::vector<statistics::Estimate> derived_design_effects(const Ensemble& ensemble,
                                                         const std::vector<std::string>& observables,
                                                         std::size_t moment) {
  const Observables all = analysis::observables(ensemble, observables);
  const statistics::Blocks blocks = blocks_at(ensemble, moment);
  const Eigen::VectorXd mean = blocks.means();
  const Eigen::MatrixXd covariance = sample_covariance(ensemble, mean, moment) / ensemble.products.samples[0];
  const Eigen::MatrixXd slopes = derivatives(all.evaluate, mean, covariance.diagonal().cwiseMax(0).cwiseSqrt());
  const Eigen::VectorXd errors = statistics::Jackknife(blocks, all.evaluate).error();
  std::vector<statistics::Estimate> effects;
  for (Eigen::Index i = 0; i < std::ssize(all.names); ++i) {
    const double effect = errors[i] * errors[i] / (slopes.row(i) * covariance * slopes.row(i).transpose()).value();
    const bool known = std::isfinite(effect);
    effects.push_back(
        {known ? effect : statistics::unknown,
         known ? effect * std::sqrt(2.0 / static_cast<double>(blocks.sums.rows() - 1)) : statistics::unknown});
  }
  return effects;
}

std::vector<std::string> design_quantities(const Ensemble& ensemble) {
  std::vector<std::string> result;
  for (const std::string& name : ensemble.packs.names)
    if (!name.ends_with("_2")) result.push_back(name);
  return result;
}

}  // namespace psflip::analysis
