#pragma once
#include <cstdint>
#include <vector>

#include "disorder.hpp"

namespace psflip::exact {

/// Means over the distribution of states, totals of the lattice.
struct StateMeans {
  double B, B_2, F, abs_M, M_2, BF, F_2;
};

/// The same of two independent configurations: overlap Q, link overlap Q_l, B of both together.
struct PairMeans {
  double Q_2, abs_Q, Q_4, Q_l, B_Q_2, B_Q_4, B_Q_l;
  std::vector<double> Q_shares;  ///< probability of Q = -16, -14, ... 16
  std::vector<double> Q_l_of_Q;  ///< mean of Q_l where Q has these values, and 0 elsewhere
};

/// Metropolis on 4 x 4 sites of a given sample, exactly: the probabilities of all 2^16 states evolve by half sweeps.
/// This holds at every time and needs no ergodicity: on this lattice some states in which all local fields vanish flip
/// as a whole forever.
class Square4 {
 public:
  Square4(const Disorder& disorder, double J, double h, double beta);

  void set_start(Start start);
  /// Half sweep number `half_sweep` of the run.
  void half_sweep(std::uint64_t half_sweep);
  StateMeans means() const;
  /// The equilibrium distribution instead of that of a run.
  void set_boltzmann();
  /// Means of two independent configurations of the distribution.
  PairMeans pair_means() const;
  /// Q_2 and Q_l of them alone, in a third of the time; the rest is 0.
  PairMeans overlap_means() const;

 private:
  static constexpr unsigned sites = 16;
  static constexpr std::size_t states = std::size_t{1} << sites;
  int bond_sum(std::uint32_t state) const;
  int field_sum(std::uint32_t state) const;

  double J_, h_, beta_;
  std::uint32_t negative_bonds_[2] = {}, negative_fields_ = 0;  ///< bit of each site
  bool has_field_;
  double acceptance_[2][5];  ///< [f][unsatisfied bonds]
  std::vector<double> probability_;
};

}  // namespace psflip::exact
