#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/laboratory/layouts/layouts.hpp"
#include "engine/random/address.hpp"

/// The update of one site of the 3D Edwards-Anderson spin glass in any layout, for host and device: asynchronous
/// multispin coding of Lulli, Bernaschi, Parisi (arXiv:1411.0127), section IV. A word holds one site of the 32 samples
/// of a pack, which share a random number. Four replicas of a sample have the same couplings and a number each.
namespace psflip::laboratory {

inline constexpr std::uint32_t glass_replicas = 4;

/// Arrays of several packs. Even sites are the red ones of the paper. A set bit is -1, as everywhere in psflip.
struct GlassView {
  std::uint32_t* spins[2];         ///< [parity][pack][replica][index]
  const std::uint32_t* couplings;  ///< [direction +x, -x, +y, -y, +z, -z][pack][index of an even site]
  std::uint32_t packs, sites;      ///< sites of one parity

  PSFLIP_HD std::uint32_t* spins_of(int parity, std::uint32_t pack, std::uint32_t replica) const {
    return spins[parity] + (std::size_t{pack} * glass_replicas + replica) * sites;
  }
  PSFLIP_HD std::uint32_t coupling(std::uint32_t direction, std::uint32_t pack, std::uint32_t index) const {
    return couplings[(std::size_t{direction} * packs + pack) * sites + index];
  }
};

/// psflip's addressed numbers (docs/randomness.md, shared): one Philox call serves the four replicas of a site.
struct AddressedNumbers {
  static constexpr const char* name = "philox";
  static constexpr std::uint32_t most = 0xffffffffu;
  Key key;
  std::uint32_t half_sweep;
  std::uint64_t first_pack;

  template <int PARITY, class Layout>
  PSFLIP_HD Four<std::uint32_t> draw(const Layout& layout, std::uint32_t index, std::uint32_t pack) {
    return numbers_at(key, layout.template compact<PARITY>(index), half_sweep, first_pack + pack, 0, 0);
  }
};

/// The next four numbers of a generator with a state.
template <class G>
struct NextNumbers {
  static constexpr const char* name = G::name;
  static constexpr std::uint32_t most = G::most;
  G& generator;

  template <int PARITY, class Layout>
  PSFLIP_HD Four<std::uint32_t> draw(const Layout&, std::uint32_t, std::uint32_t) {
    const std::uint32_t a = generator(), b = generator(), c = generator(), d = generator();
    return {{a, b, c, d}};
  }
};

/// The words of the six bonds of a site: those of an even site, which has the copy, or of its even neighbour.
template <int PARITY>
PSFLIP_HD void couplings_of(const GlassView& glass, std::uint32_t pack, std::uint32_t index, const Six& neighbours,
                            std::uint32_t (&J)[6]) {
  PSFLIP_UNROLL(6)
  for (std::uint32_t k = 0; k < 6; ++k)
    J[k] = PARITY == 0 ? glass.coupling(k, pack, index) : glass.coupling(k ^ 1u, pack, neighbours.of[k]);
}

/// Metropolis for the four replicas of a site. The flip of n < 3 unsatisfied bonds needs a number below threshold[n].
template <int PARITY, class Layout, class Numbers>
PSFLIP_HD void update_site(const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                           std::uint32_t pack, std::uint32_t index, Numbers& numbers) {
  const Six six = layout.template neighbours<PARITY>(index);
  std::uint32_t J[6];
  couplings_of<PARITY>(glass, pack, index, six, J);
  const Four<std::uint32_t> u = numbers.template draw<PARITY>(layout, index, pack);
  PSFLIP_UNROLL(4)
  for (std::uint32_t replica = 0; replica < glass_replicas; ++replica) {
    const std::uint32_t* others = glass.spins_of(1 - PARITY, pack, replica);
    std::uint32_t& spin = glass.spins_of(PARITY, pack, replica)[index];
    std::uint32_t bond[6];
    PSFLIP_UNROLL(6)
    for (int k = 0; k < 6; ++k) bond[k] = xor3(spin, J[k], others[six.of[k]]);
    const std::uint32_t below_0 = 0u - (u.x[replica] < thresholds.by_unsatisfied[0]);
    const std::uint32_t below_1 = 0u - (u.x[replica] < thresholds.by_unsatisfied[1]);
    const std::uint32_t below_2 = 0u - (u.x[replica] < thresholds.by_unsatisfied[2]);
    spin = flip_shared(spin, bond, xor3(below_0, below_1, below_2), below_1);
  }
}

/// The memory access of the update alone, as on the poster of the paper: the spin becomes the xor of all that is read.
template <int PARITY, class Layout>
PSFLIP_HD void stencil_site(const GlassView& glass, const Layout& layout, std::uint32_t pack, std::uint32_t index) {
  const Six six = layout.template neighbours<PARITY>(index);
  std::uint32_t J[6];
  couplings_of<PARITY>(glass, pack, index, six, J);
  PSFLIP_UNROLL(4)
  for (std::uint32_t replica = 0; replica < glass_replicas; ++replica) {
    const std::uint32_t* others = glass.spins_of(1 - PARITY, pack, replica);
    std::uint32_t all = 0;
    PSFLIP_UNROLL(6)
    for (int k = 0; k < 6; ++k) all ^= J[k] ^ others[six.of[k]];
    glass.spins_of(PARITY, pack, replica)[index] = all;
  }
}

}  // namespace psflip::laboratory
