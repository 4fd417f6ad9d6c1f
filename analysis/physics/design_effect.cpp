#include "analysis/physics/design_effect.hpp"

#include "analysis/statistics/jackknife.hpp"

namespace psflip::physics {

statistics::Estimate design_effect(const Ensemble& ensemble, const std::string& quantity, std::size_t moment) {
  const Grouping& packs = ensemble.packs;
  if (packs.size() < 2) return {};
  const auto row = static_cast<Eigen::Index>(moment);
  const Eigen::VectorXd sums = packs[quantity].row(row).transpose();
  const Eigen::VectorXd& sizes = packs.samples;
  statistics::Blocks blocks{Eigen::MatrixXd(packs.size(), 5), sizes};
  blocks.sums << sums, packs[quantity + "_2"].row(row).transpose(), sums.cwiseAbs2(), sums.cwiseProduct(sizes),
      sizes.cwiseAbs2();
  const double n = sizes.sum();
  const statistics::Jackknife jackknife(blocks, [n](const Eigen::VectorXd& mean) {
    const double a = mean[0], variance = (mean[1] - a * a) * n / (n - 1);
    const double scatter = mean[2] - 2 * a * mean[3] + a * a * mean[4];
    return Eigen::VectorXd::Constant(1, scatter / (variance * (1 - mean[4] / n)));
  });
  return jackknife.estimate(0);
}

std::vector<std::string> design_quantities(const Ensemble& ensemble) {
  std::vector<std::string> result;
  for (const std::string& name : ensemble.packs.names)
    if (!name.ends_with("_2")) result.push_back(name);
  return result;
}

}  // namespace psflip::physics
