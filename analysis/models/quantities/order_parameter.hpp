#pragma once
#include "analysis/models/definitions.hpp"
#include "analysis/models/quantities/quantity.hpp"

/// Observables of an order parameter, each written once.
namespace psflip::analysis {

/// Formulas from the means of the square and fourth power of an order parameter per site and of its Fourier component.
template <primary::Id square, primary::Id fourth, primary::Id wave>
struct OrderParameter {
  static constexpr primary::Id square_id = square, fourth_id = fourth;
  static double chi(const Means& mean) { return susceptibility(mean.sites, mean[square]); }
  static double xi(const Means& mean) { return correlation_length(chi(mean), mean[wave], mean.L); }
  static double xi_over_L(const Means& mean) { return xi(mean) / mean.L; }
  static double U4(const Means& mean) { return binder_ratio(mean[square], mean[fourth]); }
  static double g(const Means& mean) { return (3 - U4(mean)) / 2; }
  static double binder_U(const Means& mean) { return 1 - U4(mean) / 3; }
};

using Magnetization = OrderParameter<primary::m2, primary::m4, primary::chi_k>;
using Overlap = OrderParameter<primary::q2, primary::q4, primary::chi_k>;
/// The overlap where the magnetization is the order parameter.
using SecondOverlap = OrderParameter<primary::q2, primary::q4, primary::chi_q_k>;

template <class Order>
Quantity chi() {
  return derived("chi", R"($\chi$)", Order::chi);
}

template <class Order>
Quantity xi() {
  return derived("xi", R"($\xi$)", Order::xi);
}

template <class Order>
Quantity xi_over_L() {
  return derived("xi_over_L", R"($\xi/L$)", Order::xi_over_L);
}

template <class Order>
Quantity U4() {
  return derived("U4", "$U_4$", Order::U4);
}

template <class Order>
Quantity g() {
  return derived("g", "$g=(3-U_4)/2$", Order::g);
}

/// Products over pairs without a common replica.
inline Quantity U22() {
  return derived("U22", "$U_{22}$",
                 [](const Means& mean) { return mean[primary::q2_q2] / (mean[primary::q2] * mean[primary::q2]) - 1; });
}

/// Connected and disconnected susceptibility of the magnetization, from products of two replicas.
inline double connected_chi(const Means& mean) {
  return susceptibility(mean.sites, mean[primary::m2] - mean[primary::m_m]);
}
inline double disconnected_chi(const Means& mean) { return susceptibility(mean.sites, mean[primary::m_m]); }

inline Quantity chi_con() { return derived("chi_con", R"($\chi_\mathrm{con}$)", connected_chi); }
inline Quantity chi_dis() { return derived("chi_dis", R"($\chi_\mathrm{dis}$)", disconnected_chi); }

/// chi, xi and xi / L of the overlap where the magnetization is the order parameter.
inline std::vector<Quantity> lengths_of_second_overlap(Measurement wave) {
  return {derived("chi_q", R"($\chi_q$)", SecondOverlap::chi), measured(primary::chi_q_k, R"($\chi_q(k)$)", wave),
          derived("xi_q", R"($\xi_q$)", SecondOverlap::xi),
          derived("xi_q_over_L", R"($\xi_q/L$)", SecondOverlap::xi_over_L)};
}

}  // namespace psflip::analysis
