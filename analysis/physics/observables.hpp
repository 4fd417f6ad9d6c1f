#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/physics/ensemble.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::physics {

/// Derived numbers as a function of the means of the primary quantities of an ensemble.
struct Observables {
  std::vector<std::string> names;
  statistics::Function evaluate;
};

/// ea3d: e, m2 = N m^2 and, with two replicas or more, q2, chi, chi_k, xi, xi_over_L, U4, U22 (four replicas or more),
/// g.
Observables ea3d_observables(const Ensemble& ensemble);
/// ising2d: e, C, m_abs, m2, m4, U4, binder_U, chi, chi_k, xi, xi_over_L, tau_int_e, tau_int_m_abs, tau_int_m2 (in
/// sweeps).
Observables ising2d_observables(const Ensemble& ensemble);
Observables observables(const Ensemble& ensemble);

/// Second-moment correlation length sqrt(chi / chi_k - 1) / (2 sin(pi / L)); NaN where chi < chi_k.
double correlation_length(double chi, double chi_k, int L);

/// Sums for the jackknife at moment `m` of ea3d: [block][primary quantity].
statistics::Blocks blocks_at(const Ensemble& ensemble, std::size_t m);
/// Sums for the jackknife over the second half of the bins of ising2d. A block is a block of samples, or, with fewer
/// than 16 of these, one bin of one of them.
statistics::Blocks equilibrium_blocks(const Ensemble& ensemble);

/// Verdict on the first half of the bins of ising2d: true when energy and m^2 have no drift over the last three
/// logarithmic windows; nothing with fewer than 8 bins.
std::optional<bool> equilibrated(const Ensemble& ensemble);

inline constexpr Eigen::Index fewest_sample_blocks = 16;

}  // namespace psflip::physics
