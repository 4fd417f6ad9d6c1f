#include "analysis/models/quantities/bins.hpp"
#include "analysis/models/quantities/tables.hpp"

namespace psflip::analysis {
namespace {

using namespace primary;

/// An observable of even powers of m, or of none.
Quantity even(const Quantity& quantity) { return quantity.governed_by("tau_int_m2"); }

/// One with odd powers of m.
Quantity odd(const Quantity& quantity) {
  Quantity result = quantity.governed_by("tau_int_m");
  result.odd_powers_of_m = true;
  return result;
}

Members bin_m(const Slice& slice) { return per_site(slice, "magnetization", 1); }
Members magnetization_squares(const Slice& slice) { return per_site(slice, "magnetization_2", 2); }
Members bin_fourths(const Slice& slice) { return per_site(slice, "magnetization_4", 4); }

/// Product of m of two replicas at the same time where the file has it, else of their means.
Eigen::ArrayXd product_of_m(const Slice& slice) {
  if (slice.has("magnetization_product")) return mean_per_site<2>(slice, "magnetization_product");
  return replica_product(bin_m(slice));
}

double xi_con_over_L(const Means& mean) {
  return correlation_length(connected_chi(mean), mean[chi_k] - mean[chi_k_dis], mean.L) / mean.L;
}

double xi_dis_over_L(const Means& mean) {
  return correlation_length(disconnected_chi(mean), mean[chi_k_dis], mean.L) / mean.L;
}

std::vector<Quantity> moments() {
  return {odd(measured(m, R"($[\langle m\rangle]$)", [](const Slice& slice) { return mean_over(bin_m(slice)); })),
          even(measured(m_abs, R"($[\langle|m|\rangle]$)", bin_m_abs)),
          even(measured(m2, R"($[\langle m^2\rangle]$)", bin_m2)),
          even(measured(m4, R"($[\langle m^4\rangle]$)", bin_m4)),
          even(U4<Magnetization>()),
          even(g<Magnetization>()),
          hidden(m_m, product_of_m),
          hidden(m2_x_m2, [](const Slice& slice) { return replica_product(magnetization_squares(slice)); }),
          even(chi<Magnetization>()),
          odd(chi_con()),
          odd(chi_dis()),
          even(measured(chi_k, R"($\chi(k)$)", bin_chi_k)),
          even(xi<Magnetization>()),
          even(xi_over_L<Magnetization>())};
}

/// The correlation lengths of both parts of the correlator.
std::vector<Quantity> parts_of_xi() {
  return {
      hidden(chi_k_dis,
             [](const Slice& slice) { return mean_over(slice.members("magnetization_k_product", slice.wave_unit())); }),
      odd(derived("xi_con_over_L", R"($\xi_\mathrm{con}/L$)", xi_con_over_L)),
      odd(derived("xi_dis_over_L", R"($\xi_\mathrm{dis}/L$)", xi_dis_over_L))};
}

std::vector<Quantity> overlaps() {
  return {odd(measured(q, "$[q]$", [](const Slice& slice) { return mean_per_site<1>(slice, "overlap"); })),
          even(measured(q2, "$[q^2]$", bin_q2)), even(measured(q4, "$[q^4]$", bin_q4))};
}

std::vector<Quantity> slopes_of_magnetization() {
  return {hidden(e_m2, [](const Slice& s) { return mean_over(s.energies("magnetization_2", std::pow(s.sites(), 2))); }),
          hidden(e_m4, [](const Slice& s) { return mean_over(s.energies("magnetization_4", std::pow(s.sites(), 4))); }),
          hidden(e_chi_k, [](const Slice& s) { return mean_over(s.energies("magnetization_k2", s.wave_unit())); }),
          hidden(e_x_m2, [](const Slice& s) { return replica_crossed(s.energies(), magnetization_squares(s)); }),
          hidden(e_x_m4, [](const Slice& s) { return replica_crossed(s.energies(), bin_fourths(s)); }),
          hidden(e_x_chi_k, [](const Slice& s) { return replica_crossed(s.energies(), magnetization_waves(s)); }),
          even(U4_slope<Magnetization, Slopes<e_m2, e_x_m2, e_m4, e_x_m4>>()),
          even(xi_over_L_slope<Magnetization, Slopes<e_m2, e_x_m2, e_m4, e_x_m4>>())};
}

std::vector<Quantity> autocorrelation_times() {
  return {hidden(gap_e, gap_of<bin_energies>),
          hidden(gap_m, gap_of<bin_m>),
          hidden(gap_m2, gap_of<magnetization_squares>),
          hidden(long_gap_e, lengthened<gap_of<bin_energies>>),
          hidden(long_gap_m, lengthened<gap_of<bin_m>>),
          hidden(long_gap_m2, lengthened<gap_of<magnetization_squares>>),
          even(tau_int_e()),
          odd(derived("tau_int_m", R"($\tau_m$)", tau_of_replicas<long_gap_m, m2, m_m>)),
          even(derived("tau_int_m2", R"($\tau_{m^2}$)", tau_of_replicas<long_gap_m2, m4, m2_x_m2>))};
}

}  // namespace

std::vector<Quantity> bins_of_magnetization(Method method) {
  const bool tempering = method == Method::tempering;
  std::vector<Quantity> table = energies_of_replicas();
  append(table, moments());
  if (tempering) append(table, parts_of_xi());
  append(table, overlaps());
  if (tempering) append(table, slopes_of_magnetization());
  if (!tempering) {
    append(table, {even(measured(q_abs, R"($[\langle|q|\rangle]$)", bin_q_abs))});
    for (const Quantity& one : lengths_of_second_overlap(bin_overlap_wave)) append(table, {even(one)});
  }
  append(table, autocorrelation_times());
  if (tempering)
    for (const Quantity& one : exchanges()) append(table, {even(one)});
  return table;
}

}  // namespace psflip::analysis
