#include "analysis/models/quantities/order_parameter.hpp"
#include "analysis/models/quantities/slice.hpp"
#include "analysis/models/quantities/tables.hpp"

// One value a sample at each time: means over replicas, or over pairs of replicas.
namespace psflip::analysis {
namespace {

using namespace primary;

Members magnetizations(const Slice& slice) { return slice.members("magnetization", slice.sites()); }
Members overlaps(const Slice& slice) { return slice.members("overlap", slice.sites()); }

Eigen::ArrayXd overlap_wave(const Slice& slice) { return mean_over(slice.members("overlap_k2"), slice.wave_unit()); }

Eigen::ArrayXd mean_q2(const Slice& slice) { return mean_over(overlaps(slice).square()); }
Eigen::ArrayXd mean_q4(const Slice& slice) { return mean_over(overlaps(slice).square().square()); }

Quantity energy() {
  return measured(e, "$e$", [](const Slice& slice) { return slice.mean_energy(); });
}

}  // namespace

std::vector<Quantity> relaxation_of_overlaps() {
  return {
      energy(),
      measured(m2, "$N[m^2]$",
               [](const Slice& slice) { return mean_over(slice.members("magnetization").square(), slice.sites()); }),
      measured(q2, "$[q^2]$", mean_q2),
      measured("q_link", R"($[q_\mathrm{link}]$)",
               [](const Slice& slice) { return mean_over(slice.members("link_overlap", slice.bonds())); }),
      chi<Overlap>(),
      measured(chi_k, R"($\chi(k)$)", overlap_wave),
      xi<Overlap>(),
      xi_over_L<Overlap>(),
      U4<Overlap>(),
      g<Overlap>(),
      U22(),
      hidden(q4, mean_q4),
      hidden(q2_q2, [](const Slice& slice) { return disjoint_product(overlaps(slice).square()); })};
}

std::vector<Quantity> relaxation_of_magnetization(bool disorder) {
  std::vector<Quantity> table = {
      energy(),
      measured(m, "$[m]$", [](const Slice& slice) { return mean_over(magnetizations(slice)); }),
      measured(m_abs, "$[|m|]$", [](const Slice& slice) { return mean_over(magnetizations(slice).abs()); }),
      measured(m2, "$[m^2]$", [](const Slice& slice) { return mean_over(magnetizations(slice).square()); }),
      measured(m4, "$[m^4]$", [](const Slice& slice) { return mean_over(magnetizations(slice).square().square()); }),
      U4<Magnetization>(),
      g<Magnetization>(),
      hidden(m_m, [](const Slice& slice) { return replica_product(magnetizations(slice)); }),
      chi<Magnetization>(),
      chi_con(),
      chi_dis(),
      measured(chi_k, R"($\chi(k)$)",
               [](const Slice& slice) { return mean_over(slice.members("magnetization_k2"), slice.wave_unit()); }),
      xi<Magnetization>(),
      xi_over_L<Magnetization>()};
  if (!disorder) return table;
  append(table, {measured(q, "$[q]$", [](const Slice& slice) { return mean_over(overlaps(slice)); }),
                 measured(q2, "$[q^2]$", mean_q2), measured(q4, "$[q^4]$", mean_q4)});
  append(table, lengths_of_second_overlap(overlap_wave));
  return table;
}

}  // namespace psflip::analysis
