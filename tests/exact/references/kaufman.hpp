#pragma once

namespace psflip::exact {

struct Thermal {
  double log_z;          ///< ln Z
  double energy;         ///< e = <H> / N
  double specific_heat;  ///< C = beta^2 (<H^2> - <H>^2) / N
};

/// Square lattice of m x n sites with periodic boundaries and J = 1, exactly: B. Kaufman, Phys. Rev. 76, 1232 (1949);
/// the derivatives as in A. E. Ferdinand, M. E. Fisher, Phys. Rev. 185, 832 (1969).
Thermal kaufman(int m, int n, double beta);

/// Critical point of the infinite lattice: sinh(2 beta_c) = 1, beta_c = ln(1 + sqrt 2) / 2.
inline constexpr double beta_c_square = 0.44068679350977151;

}  // namespace psflip::exact
