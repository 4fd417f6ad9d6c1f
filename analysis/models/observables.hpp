#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

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
/// rfim3d: e, C, moments, U4, g, susceptibilities, correlation lengths, overlaps of the two sets, slopes dU4/dT and
/// d(xi/L)/dT from covariances with the energy, tau_int_e, tau_int_m, tau_int_m2, exchange_rate and round_trip_time
/// (in sweeps); formulas in docs/analysis.md.
Observables rfim3d_observables(const Ensemble& ensemble);
Observables observables(const Ensemble& ensemble);

/// Second-moment correlation length sqrt(chi / chi_k - 1) / (2 sin(pi / L)); NaN where chi < chi_k.
double correlation_length(double chi, double chi_k, int L);

/// Sums for the jackknife at moment `m`: [block][primary quantity].
statistics::Blocks blocks_at(const Ensemble& ensemble, std::size_t m);
/// The same at several moments side by side: [block][moment x primary quantity].
statistics::Blocks blocks_at(const Ensemble& ensemble, const std::vector<std::size_t>& moments);
/// Sums for the jackknife over the second half of a run: for rfim3d the last bin, for ising2d half of the bins. A block
/// is a block of samples, or, with fewer than 16 of these in ising2d, one bin of one of them.
statistics::Blocks equilibrium_blocks(const Ensemble& ensemble);

/// Verdict on ising2d: on the first half of the bins, true when energy and m^2 have no drift over the last three
/// logarithmic windows; nothing with fewer than 8 bins.
std::optional<bool> ising2d_equilibrated(const Ensemble& ensemble);

/// Verdict on a slot of rfim3d, see docs/analysis.md.
struct TemperingVerdict {
  bool even;     ///< on energies and even moments of m
  bool sectors;  ///< on what depends on how often m is positive and how often negative
};
/// Nothing with fewer than three bins or 16 blocks, or after an ordered start.
std::optional<TemperingVerdict> rfim3d_verdict(const Ensemble& ensemble);
/// Whether an observable of rfim3d has first powers of m in it: m, chi_con, chi_dis, their lengths, q.
bool depends_on_sectors(const std::string& observable);

/// The verdict on every observable in equilibrium, of either model; nothing where it is open.
using Verdicts = std::function<std::optional<bool>(const std::string& observable)>;
Verdicts verdicts(const Ensemble& ensemble);

inline constexpr Eigen::Index fewest_sample_blocks = 16;

}  // namespace psflip::analysis
