#pragma once
#include "disorder.hpp"

namespace psflip::exact {

/// Means of one sample of 4 x 4 x 4 sites in equilibrium, totals; Q_2 and Q_l are of two independent configurations.
struct PairSums {
  double E, M_2, Q_2, Q_l;
};

/// By transfer matrix over the 2^16 states of a layer: for every state of one layer the weights of the states of the
/// other three, which give all <s_i s_j>. Then M_2 = sum <s_i s_j>, Q_2 = sum <s_i s_j>^2 over all i and j, and Q_l the
/// sum of <s_i s_j>^2 over bonds. In float with sums in double: relative errors of 10^-6.
PairSums cube4_pairs(const Disorder& disorder, double J, double h, double beta);

}  // namespace psflip::exact
