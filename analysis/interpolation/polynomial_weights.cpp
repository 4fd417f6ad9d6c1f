#include "analysis/interpolation/polynomial_weights.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace psflip::analysis {

Eigen::VectorXd polynomial_weights(const std::vector<Node>& nodes, double x, int derivative) {
  const Eigen::Index count = std::ssize(nodes);
  double scale = 0;  // brings all nodes to -1 ... 1 around x, so that the powers have one size
  for (const Node& node : nodes) scale = std::max(scale, std::abs(node.x - x));
  if (scale == 0) scale = 1;
  Eigen::MatrixXd conditions(count, count);  // [power][node]
  for (Eigen::Index j = 0; j < count; ++j) {
    const Node& node = nodes[static_cast<std::size_t>(j)];
    const double t = (node.x - x) / scale;
    for (Eigen::Index power = 0; power < count; ++power)
      if (node.derivative == 0)
        conditions(power, j) = std::pow(t, power);
      else
        conditions(power, j) = power == 0 ? 0 : static_cast<double>(power) * std::pow(t, power - 1);
  }
  Eigen::VectorXd weights = conditions.fullPivLu().solve(Eigen::VectorXd::Unit(count, derivative));
  for (Eigen::Index j = 0; j < count; ++j)
    weights[j] *= std::pow(scale, nodes[static_cast<std::size_t>(j)].derivative - derivative);
  return weights;
}

Eigen::VectorXd polynomial_weights(const Eigen::VectorXd& places, double x, int derivative) {
  std::vector<Node> nodes;
  for (const double place : places) nodes.push_back({place});
  return polynomial_weights(nodes, x, derivative);
}

}  // namespace psflip::analysis
