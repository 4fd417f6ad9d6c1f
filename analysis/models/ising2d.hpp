#pragma once
#include <Eigen/Core>

/// Primary quantities of ising2d, one value a sample: means over a bin, then squares of such means, for the
/// autocorrelation times. e and m are per site, chi_k per site as chi.
namespace psflip::analysis::ising2d {

enum Primary : Eigen::Index { e, e_2, m_abs, m2, m4, chi_k, bin_e_2, bin_m_abs_2, bin_m2_2, primary_count };

}  // namespace psflip::analysis::ising2d
