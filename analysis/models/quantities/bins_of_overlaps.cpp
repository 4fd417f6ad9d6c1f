#include <utility>

#include "analysis/models/quantities/bins.hpp"
#include "analysis/models/quantities/tables.hpp"

namespace psflip::analysis {
namespace {

using namespace primary;

/// An observable of the overlap.
Quantity governed_by_q2(const Quantity& quantity) { return quantity.governed_by("tau_int_q2"); }

Members overlap_squares(const Slice& slice) { return per_site(slice, "overlap_2", 2); }

/// Gap between the overlaps of pairs without a common replica, which are independent.
Eigen::ArrayXd overlap_gap(const Slice& slice) { return disjoint_gap(overlap_squares(slice)); }

/// Energies of the pairs of replicas together times a dataset of pairs, over the sites.
Eigen::ArrayXd with_energy(const Slice& slice, const std::string& dataset, double unit) {
  return mean_over(slice.energies(dataset, unit));
}

/// Energy of two replicas times a of a pair without them, from replicas that are not of the pair.
Eigen::ArrayXd apart_from_energy(const Slice& slice, const std::string& dataset, double unit) {
  return 2 * third_replica_product(slice.energies(), slice.members(dataset, unit));
}

std::vector<Quantity> slopes_of_overlaps() {
  return {hidden(e_q2, [](const Slice& s) { return with_energy(s, "overlap_2", std::pow(s.sites(), 2)); }),
          hidden(e_q4, [](const Slice& s) { return with_energy(s, "overlap_4", std::pow(s.sites(), 4)); }),
          hidden(e_chi_k, [](const Slice& s) { return with_energy(s, "overlap_k2", s.wave_unit()); }),
          hidden(e_x_q2, [](const Slice& s) { return apart_from_energy(s, "overlap_2", std::pow(s.sites(), 2)); }),
          hidden(e_x_q4, [](const Slice& s) { return apart_from_energy(s, "overlap_4", std::pow(s.sites(), 4)); }),
          hidden(e_x_chi_k, [](const Slice& s) { return apart_from_energy(s, "overlap_k2", s.wave_unit()); }),
          governed_by_q2(U4_slope<Overlap, Slopes<e_q2, e_x_q2, e_q4, e_x_q4>>()),
          governed_by_q2(xi_over_L_slope<Overlap, Slopes<e_q2, e_x_q2, e_q4, e_x_q4>>())};
}

double xi_m(const Means& mean) { return correlation_length(mean[m2], mean[chi_m_k], mean.L); }

Members squares_of_m(const Slice& slice) { return per_site(slice, "magnetization_2", 2); }

/// An observable of the magnetization.
Quantity of_m(const Quantity& quantity) { return quantity.governed_by("tau_int_m2"); }

/// Moments and length of the magnetization, m2 being its susceptibility: for ferromagnetic order at small p.
std::vector<Quantity> of_magnetization() {
  return {
      of_m(measured(m_abs, R"($[\langle|m|\rangle]$)", bin_m_abs)),
      hidden(m4, bin_m4),
      hidden(m2_x_m2, [](const Slice& s) { return replica_product(squares_of_m(s)); }),
      hidden(long_gap_m2, lengthened<gap_of<squares_of_m>>),
      hidden(chi_m_k, [](const Slice& s) { return mean_over(magnetization_waves(s)); }),
      of_m(derived("U4_m", "$U_4^m$", [](const Means& mean) { return binder_ratio(mean[m2] / mean.sites, mean[m4]); })),
      of_m(derived("xi_m", R"($\xi_m$)", xi_m)),
      of_m(derived("xi_m_over_L", R"($\xi_m/L$)", [](const Means& mean) { return xi_m(mean) / mean.L; })),
      of_m(derived("tau_int_m2", R"($\tau_{m^2}$)", tau_of_replicas<long_gap_m2, m4, m2_x_m2>))};
}

template <std::size_t bin>
Eigen::ArrayXd density(const Slice& slice) {
  return slice.overlap_density(bin);
}

constexpr std::size_t most_overlap_bins = 63;  ///< of a file: docs/files/tempering.md

/// P(q) in each bin of the histogram of a file.
std::vector<Quantity> densities() {
  std::vector<Quantity> table;
  const auto add = [&]<std::size_t... bin>(std::index_sequence<bin...>) {
    (table.push_back(governed_by_q2(measured("P_q_" + std::to_string(bin), "$P(q)$", density<bin>))), ...);
  };
  add(std::make_index_sequence<most_overlap_bins>());
  return table;
}

}  // namespace

std::vector<Quantity> bins_of_overlaps(Method method) {
  std::vector<Quantity> table = energies_of_replicas();
  append(table, {measured(m2, R"($N[\langle m^2\rangle]$)",
                          [](const Slice& s) { return mean_over(s.members("magnetization_2", s.sites())); }),
                 governed_by_q2(measured(q_abs, R"($[\langle|q|\rangle]$)", bin_q_abs)),
                 governed_by_q2(measured(q2, R"($[\langle q^2\rangle]$)", bin_q2)), governed_by_q2(chi<Overlap>()),
                 governed_by_q2(measured(chi_k, R"($\chi(k)$)", bin_overlap_wave)), governed_by_q2(xi<Overlap>()),
                 governed_by_q2(xi_over_L<Overlap>()), governed_by_q2(U4<Overlap>()), governed_by_q2(g<Overlap>()),
                 governed_by_q2(U22()),
                 method == Method::tempering ? governed_by_q2(measured(q4, R"($[\langle q^4\rangle]$)", bin_q4))
                                             : hidden(q4, bin_q4),
                 hidden(q2_q2, [](const Slice& s) { return disjoint_product(overlap_squares(s)); })});
  append(table, {hidden(gap_e, gap_of<bin_energies>), hidden(gap_q2, overlap_gap),
                 hidden(long_gap_e, lengthened<gap_of<bin_energies>>), hidden(long_gap_q2, lengthened<overlap_gap>),
                 governed_by_q2(tau_int_e()),
                 governed_by_q2(derived("tau_int_q2", R"($\tau_{q^2}$)", tau_of_replicas<long_gap_q2, q4, q2_q2>))});
  if (method != Method::tempering) return table;
  append(table, {measured(q, R"($[\langle q\rangle]$)", [](const Slice& s) { return mean_per_site<1>(s, "overlap"); }),
                 governed_by_q2(measured("q_link", R"($[\langle q_\mathrm{link}\rangle]$)", [](const Slice& s) {
                   return mean_over(s.members("link_overlap", s.bonds()));
                 }))});
  append(table, of_magnetization());
  append(table, slopes_of_overlaps());
  append(table, densities());
  for (const Quantity& one : exchanges()) append(table, {governed_by_q2(one)});
  return table;
}

}  // namespace psflip::analysis
