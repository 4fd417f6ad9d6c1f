#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace psflip::oracle {

/// Periodic square or cubic lattice as plain tables; site = x + L (y + L z).
class Lattice {
 public:
  Lattice(int L, int dimension);

  int L() const { return L_; }
  int dimension() const { return dimension_; }
  std::size_t sites() const { return parity_.size(); }
  int coordinate(std::size_t site, int direction) const { return coordinates_[site][direction]; }
  int parity(std::size_t site) const { return parity_[site]; }
  std::size_t forward(std::size_t site, int direction) const { return forward_[site][direction]; }
  std::size_t backward(std::size_t site, int direction) const { return backward_[site][direction]; }

 private:
  int L_, dimension_;
  std::vector<std::array<int, 3>> coordinates_;
  std::vector<std::array<std::uint32_t, 3>> forward_, backward_;
  std::vector<int> parity_;
};

}  // namespace psflip::oracle
