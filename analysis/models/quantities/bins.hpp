#pragma once
#include <cmath>

#include "analysis/models/quantities/order_parameter.hpp"
#include "analysis/models/quantities/slice.hpp"

/// Means over a bin, one value for each replica of each sample, and the functions of them that several tables use.
namespace psflip::analysis {

/// a per site^power from the dataset of the sums of the power.
inline Members per_site(const Slice& slice, const std::string& dataset, int power) {
  return slice.members(dataset, std::pow(slice.sites(), power));
}

/// The same, mean over replicas or pairs.
template <int power>
Eigen::ArrayXd mean_per_site(const Slice& slice, const std::string& dataset) {
  return mean_over(per_site(slice, dataset, power));
}

inline Eigen::ArrayXd bin_energy(const Slice& slice) { return mean_over(slice.energies()); }
inline Eigen::ArrayXd bin_m_abs(const Slice& slice) { return mean_per_site<1>(slice, "abs_magnetization"); }
inline Eigen::ArrayXd bin_m2(const Slice& slice) { return mean_per_site<2>(slice, "magnetization_2"); }
inline Eigen::ArrayXd bin_m4(const Slice& slice) { return mean_per_site<4>(slice, "magnetization_4"); }
inline Eigen::ArrayXd bin_q_abs(const Slice& slice) { return mean_per_site<1>(slice, "abs_overlap"); }
inline Eigen::ArrayXd bin_q2(const Slice& slice) { return mean_per_site<2>(slice, "overlap_2"); }
inline Eigen::ArrayXd bin_q4(const Slice& slice) { return mean_per_site<4>(slice, "overlap_4"); }

inline Members magnetization_waves(const Slice& slice) { return slice.members("magnetization_k2", slice.wave_unit()); }
inline Eigen::ArrayXd bin_chi_k(const Slice& slice) { return mean_over(magnetization_waves(slice)); }
inline Eigen::ArrayXd bin_overlap_wave(const Slice& slice) {
  return mean_over(slice.members("overlap_k2", slice.wave_unit()));
}

inline Members bin_energies(const Slice& slice) { return slice.energies(); }

/// Gap of a between replicas, for a function that gives the bin means of a.
template <auto bin_means>
Eigen::ArrayXd gap_of(const Slice& slice) {
  return replica_gap(bin_means(slice));
}

/// A gap counted with the length of the bin of the sample.
template <auto gap>
Eigen::ArrayXd lengthened(const Slice& slice) {
  return gap(slice) * slice.times_longer();
}

/// Derivative in temperature of [<a>], from d[<a>]/dT = beta^2 N [<a e> - <a><e>].
inline double slope(const Means& mean, primary::Id with_e, primary::Id apart) {
  return mean.beta * mean.beta * mean.sites * (mean[with_e] - mean[apart]);
}

/// Relative slopes of the square and fourth power of an order parameter.
template <primary::Id e_square, primary::Id e_x_square, primary::Id e_fourth, primary::Id e_x_fourth>
struct Slopes {
  static double of_square(const Means& mean, double value) { return slope(mean, e_square, e_x_square) / value; }
  static double of_fourth(const Means& mean, double value) { return slope(mean, e_fourth, e_x_fourth) / value; }
};

template <class Order, class S>
Quantity U4_slope() {
  return derived("U4_slope", R"($\mathrm{d}U_4/\mathrm{d}T$)", [](const Means& mean) {
    return Order::U4(mean) *
           (S::of_fourth(mean, mean[Order::fourth_id]) - 2 * S::of_square(mean, mean[Order::square_id]));
  });
}

/// xi / L = sqrt(r - 1) / (2 L sin(pi / L)), r = chi / chi_k.
template <class Order, class S>
Quantity xi_over_L_slope() {
  return derived("xi_over_L_slope", R"($\mathrm{d}(\xi/L)/\mathrm{d}T$)", [](const Means& mean) {
    using namespace primary;
    const double r = Order::chi(mean) / mean[chi_k];
    const double r_slope =
        r * (S::of_square(mean, mean[Order::square_id]) - slope(mean, e_chi_k, e_x_chi_k) / mean[chi_k]);
    return Order::xi_over_L(mean) * r_slope / (2 * (r - 1));
  });
}

/// Energy, `products` of energies and the specific heat, with which every table of bins begins.
inline std::vector<Quantity> energies(const std::vector<Quantity>& products, Formula heat) {
  using namespace primary;
  std::vector<Quantity> table = {measured(e, "$e$", bin_energy).governed_by("tau_int_e"),
                                 hidden(e_2, [](const Slice& slice) { return slice.mean_square_energy(); })};
  append(table, products);
  append(table, {derived("C", "$C$", heat).governed_by("tau_int_e")});
  return table;
}

inline std::vector<Quantity> energies_of_replicas() {
  using namespace primary;
  return energies({hidden(e_x_e, [](const Slice& slice) { return replica_product(slice.energies()); })},
                  [](const Means& mean) { return specific_heat(mean.beta, mean.sites, mean[e_2], mean[e_x_e]); });
}

/// Autocorrelation time of a quantity from the gap between replicas and its thermal variance.
template <primary::Id long_gap_of, primary::Id square, primary::Id product>
double tau_of_replicas(const Means& mean) {
  return autocorrelation_time(mean.bin_sweeps, mean[long_gap_of], mean[square] - mean[product]);
}

inline Quantity tau_int_e() {
  return derived("tau_int_e", R"($\tau_e$)", tau_of_replicas<primary::long_gap_e, primary::e_2, primary::e_x_e>);
}

/// Part of the configurations at a slot that visited the coldest slot last, of those that visited an end of the grid:
/// f of Katzgraber, Trebst, Huse and Troyer, J. Stat. Mech. (2006) P03018.
inline double flow_fraction(const Means& mean) {
  return mean[primary::flow_cold] / (mean[primary::flow_cold] + mean[primary::flow_hot]);
}

/// Exchanges, round trips and replica flow of tempering.
inline std::vector<Quantity> exchanges() {
  using namespace primary;
  return {measured(exchange_rate, "exchange rate", [](const Slice& slice) { return slice.exchange_rate(); }),
          hidden(round_trip_rate, [](const Slice& slice) { return slice.round_trip_rate(); }),
          derived("round_trip_time", "round-trip time", [](const Means& mean) { return 1 / mean[round_trip_rate]; }),
          hidden(flow_cold, [](const Slice& slice) { return mean_over(slice.members("flow_cold")); }),
          hidden(flow_hot, [](const Slice& slice) { return mean_over(slice.members("flow_hot")); }),
          derived("flow_fraction", "replica-flow fraction $f$", flow_fraction)};
}

}  // namespace psflip::analysis
