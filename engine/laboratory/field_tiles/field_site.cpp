#include "engine/laboratory/field_tiles/field_site.hpp"

#include <random>

namespace psflip::laboratory {

FieldSums counted_sums(const FieldLattice& lattice) {
  const int L = lattice.L;
  const auto spin = [&](int x, int y, int z) -> int {
    const int site = x % L + L * (y % L + L * (z % L));
    return lattice.spins[static_cast<std::size_t>(site)];
  };
  FieldSums sums;
  std::size_t site = 0;
  for (int z = 0; z < L; ++z)
    for (int y = 0; y < L; ++y)
      for (int x = 0; x < L; ++x, ++site) {
        sums.bonds += spin(x, y, z) * (spin(x + 1, y, z) + spin(x, y + 1, z) + spin(x, y, z + 1));
        sums.fields += spin(x, y, z) * lattice.fields[site];
      }
  return sums;
}

FieldLattice random_field_lattice(int L, std::uint32_t seed) {
  const auto side = static_cast<std::size_t>(L);
  FieldLattice lattice{L, std::vector<std::int8_t>(side * side * side), {}};
  lattice.fields = lattice.spins;
  std::mt19937 numbers(seed);
  for (auto* signs : {&lattice.fields, &lattice.spins})
    for (std::int8_t& sign : *signs) sign = static_cast<std::int8_t>(numbers() >> 31 != 0 ? -1 : 1);
  return lattice;
}

}  // namespace psflip::laboratory
