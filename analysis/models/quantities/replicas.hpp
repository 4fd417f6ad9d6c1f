#pragma once
#include <Eigen/Core>

/// Means over the replicas or pairs of replicas of each sample. Where a function needs more replicas than there are it
/// throws NotMeasured.
namespace psflip::analysis {

/// One value for each replica, or pair of replicas, of each sample: [sample][member]. Pairs are in the order (0,1),
/// (0,2), ..., (1,2), ...
using Members = Eigen::ArrayXXd;

/// Mean over the members in units of `unit`: the sum of a / (unit * members).
Eigen::ArrayXd mean_over(const Members& members, double unit = 1);

/// Mean of a_r a_s over the pairs of replicas.
Eigen::ArrayXd replica_product(const Members& a);
/// Mean of (a_r - a_s)^2 / 2 over the pairs of replicas.
Eigen::ArrayXd replica_gap(const Members& a);
/// Mean of a_r b_s over replicas r != s.
Eigen::ArrayXd replica_crossed(const Members& a, const Members& b);

/// Mean of a_t b_p over pairs p and replicas t that are not of the pair.
Eigen::ArrayXd third_replica_product(const Members& a, const Members& b);

/// Mean of a_p a_p' over pairs p and p' without a common replica: only such products estimate the square of the thermal
/// mean of a without bias.
Eigen::ArrayXd disjoint_product(const Members& a);
/// Mean of (a_p - a_p')^2 / 2 over the same.
Eigen::ArrayXd disjoint_gap(const Members& a);

}  // namespace psflip::analysis
