#include "analysis/models/quantities/bins.hpp"
#include "analysis/models/quantities/tables.hpp"

// Means over equal bins, then squares of such means, for the autocorrelation times.
namespace psflip::analysis {
namespace {

using namespace primary;

/// tau_int of a quantity from its mean, mean square and mean square of its bin means.
template <Id a, Id a_2, Id bin_a_2>
double tau_int(const Means& mean) {
  const double square = mean[a] * mean[a];
  return autocorrelation_time(mean.bin_sweeps, mean[bin_a_2] - square, mean[a_2] - square);
}

Quantity governed_by_m2(const Quantity& quantity) { return quantity.governed_by("tau_int_m2"); }

}  // namespace

std::vector<Quantity> equilibrium_without_disorder() {
  std::vector<Quantity> table = energies(
      {}, [](const Means& mean) { return specific_heat(mean.beta, mean.sites, mean[e_2], mean[e] * mean[e]); });
  append(table, {measured(m_abs, R"($\langle|m|\rangle$)", bin_m_abs).governed_by("tau_int_m_abs"),
                 governed_by_m2(measured(m2, R"($\langle m^2\rangle$)", bin_m2)),
                 governed_by_m2(measured(m4, R"($\langle m^4\rangle$)", bin_m4)), governed_by_m2(U4<Magnetization>()),
                 governed_by_m2(derived("binder_U", "$1-U_4/3$", Magnetization::binder_U)),
                 governed_by_m2(chi<Magnetization>()), governed_by_m2(measured(chi_k, R"($\chi(k)$)", bin_chi_k)),
                 governed_by_m2(xi<Magnetization>()), governed_by_m2(xi_over_L<Magnetization>()),
                 hidden(bin_e_2, [](const Slice& slice) { return mean_over(slice.energies().square()); }),
                 hidden(bin_m_abs_2,
                        [](const Slice& slice) { return mean_over(per_site(slice, "abs_magnetization", 1).square()); }),
                 hidden(bin_m2_2,
                        [](const Slice& slice) { return mean_over(per_site(slice, "magnetization_2", 2).square()); }),
                 governed_by_m2(derived("tau_int_e", R"($\tau_e$)", tau_int<e, e_2, bin_e_2>)),
                 governed_by_m2(derived("tau_int_m_abs", R"($\tau_{|m|}$)", tau_int<m_abs, m2, bin_m_abs_2>)),
                 governed_by_m2(derived("tau_int_m2", R"($\tau_{m^2}$)", tau_int<m2, m4, bin_m2_2>))});
  return table;
}

}  // namespace psflip::analysis
