#pragma once
#include <Eigen/Core>
#include <vector>

namespace psflip::analysis {

/// A place where a function, or its first derivative, is known.
struct Node {
  double x;
  int derivative = 0;  ///< 0 or 1
};

/// Weights w with f^(derivative)(x) = sum_j w_j f^(d_j)(x_j), exact for every polynomial of a degree below the number
/// of nodes. `derivative` is 0 or 1. The nodes have to determine such a polynomial.
Eigen::VectorXd polynomial_weights(const std::vector<Node>& nodes, double x, int derivative = 0);

/// The same for values at some places.
Eigen::VectorXd polynomial_weights(const Eigen::VectorXd& places, double x, int derivative = 0);

}  // namespace psflip::analysis
