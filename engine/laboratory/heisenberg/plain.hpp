#pragma once
#include "engine/laboratory/heisenberg/lattice.hpp"

/// The plain scalar reference: one spin after the other in double, in the memory of the lattice, no copies.
namespace psflip::laboratory {

class PlainHeisenberg {
 public:
  /// `tile` and `hits` of the plan mean the order of advance() alone.
  explicit PlainHeisenberg(const HeisenbergPlan& plan);

  /// Every site once, row after row.
  void sweep();
  /// The order of HeisenbergLattice::advance(), with its numbers.
  void advance(std::uint64_t rounds);
  /// As HeisenbergLattice has them.
  std::vector<double> spins() const;
  double energy() const;  ///< -sum s s' over bonds

 private:
  Vector3<double>& at(int x, int y);
  void visit(int x, int y, std::uint32_t number);
  void visit_tile(int x, int y, std::uint32_t number);

  HeisenbergPlan plan_;
  Key key_;
  std::vector<Vector3<double>> spins_;
  std::uint32_t visits_ = 0;
};

}  // namespace psflip::laboratory
