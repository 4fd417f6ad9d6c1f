#include "analysis/models/quantities/bins.hpp"
#include "analysis/models/quantities/tables.hpp"

namespace psflip::analysis {
namespace {

using namespace primary;

/// An observable of the overlap.
Quantity governed(const Quantity& quantity) { return quantity.governed_by("tau_int_q2"); }

Members bin_squares(const Slice& slice) { return per_site(slice, "overlap_2", 2); }

/// Gap between the overlaps of pairs without a common replica, which are independent.
Eigen::ArrayXd overlap_gap(const Slice& slice) { return disjoint_gap(bin_squares(slice)); }

}  // namespace

std::vector<Quantity> bins_of_overlaps(Method method) {
  std::vector<Quantity> table = energies_of_replicas();
  append(table, {measured(m2, R"($N[\langle m^2\rangle]$)",
                          [](const Slice& s) { return mean_over(s.members("magnetization_2", s.sites())); }),
                 governed(measured(q_abs, R"($[\langle|q|\rangle]$)", bin_q_abs)),
                 governed(measured(q2, R"($[\langle q^2\rangle]$)", bin_q2)), governed(chi<Overlap>()),
                 governed(measured(chi_k, R"($\chi(k)$)", bin_overlap_wave)), governed(xi<Overlap>()),
                 governed(xi_over_L<Overlap>()), governed(U4<Overlap>()), governed(g<Overlap>()), governed(U22()),
                 hidden(q4, bin_q4), hidden(q2_q2, [](const Slice& s) { return disjoint_product(bin_squares(s)); })});
  append(table, {hidden(gap_e, gap_of<bin_energies>), hidden(gap_q2, overlap_gap),
                 hidden(long_gap_e, lengthened<gap_of<bin_energies>>), hidden(long_gap_q2, lengthened<overlap_gap>),
                 governed(tau_int_e()),
                 governed(derived("tau_int_q2", R"($\tau_{q^2}$)", tau_of_replicas<long_gap_q2, q4, q2_q2>))});
  if (method == Method::tempering)
    for (const Quantity& one : exchanges()) append(table, {governed(one)});
  return table;
}

}  // namespace psflip::analysis
