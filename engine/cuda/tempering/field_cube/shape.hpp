#pragma once
#include "engine/cuda/tempering/shape.hpp"

namespace psflip::cuda {

/// Memory of the kernels for two sets of a random field on a cubic lattice. A unit has the number 2 slot + set; its
/// words are consecutive: spins[pack][unit][parity][site].
struct FieldCubeShape : TemperingShape {
  static constexpr std::uint32_t sets_of_slot = 2;

  PSFLIP_HD std::size_t unit_spins(std::uint32_t pack, std::uint32_t unit) const {
    return (static_cast<std::size_t>(pack) * units() + unit) * 2 * sites;
  }

  /// Rows of 32 integers, one for each sample of the pack: of each unit the -1 spins of the planes of each axis, the
  /// unsatisfied bonds and the spins against their field; of each slot the sites where the sets differ.
  PSFLIP_HD std::uint32_t unit_rows() const { return 3 * L + 2; }
  PSFLIP_HD std::size_t count_rows() const { return static_cast<std::size_t>(units()) * unit_rows() + slots; }
  PSFLIP_HD std::size_t planes(std::uint32_t pack, std::uint32_t unit) const {
    return 32 * (pack * count_rows() + static_cast<std::size_t>(unit) * unit_rows());
  }
  PSFLIP_HD std::size_t bonds(std::uint32_t pack, std::uint32_t unit) const {
    return planes(pack, unit) + std::size_t{32} * 3 * L;
  }
  PSFLIP_HD std::size_t against(std::uint32_t pack, std::uint32_t unit) const { return bonds(pack, unit) + 32; }
  PSFLIP_HD std::size_t differing(std::uint32_t pack, std::uint32_t slot) const {
    return planes(pack, units()) + std::size_t{32} * slot;
  }
  EnergyCounts energies(int* counts) const {
    const std::size_t row = 32, unit = row * unit_rows();
    return {counts, row * count_rows(), 2 * unit, unit, row * 3 * L, row * (3 * L + 1)};
  }
};

}  // namespace psflip::cuda
