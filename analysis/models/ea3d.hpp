#pragma once
#include <Eigen/Core>

/// Primary quantities of ea3d, one value a sample, means over replicas r or pairs of replicas: e and m2 = N m^2 per
/// site, q2 = q^2 and q4 = q^4, chi_k the Fourier component of the overlap per site as chi. q2_q2 = q_ab^2 q_cd^2 over
/// pairs without a common replica. With one replica only the first two, with four or more all.
namespace psflip::analysis::ea3d {

enum Primary : Eigen::Index { e, m2, q2, chi_k, q4, q2_q2 };

}  // namespace psflip::analysis::ea3d
