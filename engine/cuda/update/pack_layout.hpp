#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Memory of lattices whose samples share words: spins[pack][parity][replica][site], couplings[pack][parity][direction]
/// [site], fields[pack][parity][site].
namespace psflip::cuda {

/// The arrays of one pack and of some of its replicas, in global or in shared memory. Parities are offsets instead of
/// an array of pointers: if a pointer were selected at run time, the compiler could not tell shared from global memory.
struct PackView {
  std::uint32_t* first_spin;
  const std::uint32_t* first_coupling;
  std::uint32_t sites;            ///< of one parity; also from one replica or direction to the next
  std::uint32_t spins_of_parity;  ///< words from the spins of one parity to those of the other
  std::uint32_t bonds_of_parity;

  PSFLIP_HD std::uint32_t* spins(std::uint32_t parity) const { return first_spin + parity * spins_of_parity; }
  PSFLIP_HD const std::uint32_t* couplings(std::uint32_t parity) const {
    return first_coupling + parity * bonds_of_parity;
  }
};

struct Layout {
  std::uint32_t L, sites, replicas;  ///< sites of one parity
  std::uint64_t first_pack;

  template <int D>
  PSFLIP_HD PackView view(std::uint32_t* spins, const std::uint32_t* couplings, std::uint32_t pack,
                          std::uint32_t first_replica) const {
    const std::uint32_t per_parity = replicas * sites, bonds = D * sites;
    return {spins + std::size_t{2} * per_parity * pack + static_cast<std::size_t>(first_replica) * sites,
            couplings + std::size_t{2} * bonds * pack, sites, per_parity, bonds};
  }
  /// The fields of one parity of a pack.
  PSFLIP_HD const std::uint32_t* fields(const std::uint32_t* all, std::uint32_t pack, std::uint32_t parity) const {
    return all + (std::size_t{2} * pack + parity) * sites;
  }
};

/// Compact index in the full lattice of the site at an index in memory. Random numbers are addressed by it. Memory
/// holds the full lattice or some of its planes; the first site of the lattice follows the last one.
struct Addresses {
  std::uint32_t first, sites;  ///< of index 0; of one parity of the full lattice

  PSFLIP_HD std::uint32_t operator()(std::uint32_t index) const {
    return static_cast<std::uint32_t>((std::uint64_t{first} + index) % sites);
  }
};

}  // namespace psflip::cuda
