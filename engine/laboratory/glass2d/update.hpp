#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/random/address.hpp"

/// The update of one site of the 2D spin glass with bonds +J and -J, for host and device: Weigel, J. Comput. Phys. 231,
/// 3064 (2012), section 5. An element of memory is one spin of one realization in a byte, or one site of 32 or 64
/// realizations in a word (asynchronous multispin coding), which share a random number.
namespace psflip::laboratory {

/// What an element of memory holds.
template <class E>
struct GlassStorage;
template <>
struct GlassStorage<std::int8_t> {
  static constexpr const char* name = "bytes";
  static constexpr std::uint32_t realizations = 1;                                    ///< of a group
  PSFLIP_HD static std::uint64_t pack_of(std::uint64_t group) { return group / 32; }  ///< of psflip: its first
};
template <>
struct GlassStorage<std::uint32_t> {
  static constexpr const char* name = "words32";
  static constexpr std::uint32_t realizations = 32;
  PSFLIP_HD static std::uint64_t pack_of(std::uint64_t group) { return group; }
};
template <>
struct GlassStorage<std::uint64_t> {
  static constexpr const char* name = "words64";
  static constexpr std::uint32_t realizations = 64;
  PSFLIP_HD static std::uint64_t pack_of(std::uint64_t group) { return 2 * group; }
};

/// Calls f.template operator()<E>() for each storage.
template <class F>
void for_each_glass_storage(F f) {
  f.template operator()<std::int8_t>();
  f.template operator()<std::uint32_t>();
  f.template operator()<std::uint64_t>();
}

/// A group of realizations that share elements: one for bytes, 32 or 64 for words. A byte is +1 or -1, a set bit is -1.
/// The site x, y of parity p has the place p L^2 / 2 + (x + L y) / 2.
template <class E>
struct SquareGlassView {
  E* spins;            ///< [place]
  const E* couplings;  ///< [direction +x, +y][place of the site behind]
  std::uint32_t L;
  std::size_t stride;  ///< elements from one place to the next

  PSFLIP_HD std::uint32_t sites() const { return L * L / 2; }  ///< of one parity
  PSFLIP_HD E& spin(int parity, std::uint32_t compact) const {
    return spins[(static_cast<std::uint32_t>(parity) * sites() + compact) * stride];
  }
  PSFLIP_HD E coupling(std::uint32_t direction, int parity, std::uint32_t compact) const {
    return couplings[((2 * direction + static_cast<std::uint32_t>(parity)) * sites() + compact) * stride];
  }
};

/// Compact indices of the neighbours +x, -x, +y, -y of site i of row y.
struct FourSites {
  std::uint32_t of[4];
};
template <int PARITY>
PSFLIP_HD FourSites square_neighbours(std::uint32_t L, std::uint32_t y, std::uint32_t i) {
  const std::uint32_t half = L / 2, row = y * half, shift = (y ^ static_cast<std::uint32_t>(PARITY)) & 1u;
  const std::uint32_t right = i + shift == half ? 0 : i + shift;
  const std::uint32_t left = shift != 0 ? i : (i == 0 ? half : i) - 1;
  const std::uint32_t above = y + 1 == L ? 0 : row + half, below = (y == 0 ? L * half : row) - half;
  return {{row + right, row + left, above + i, below + i}};
}

/// Set where the number of a realization is below the larger threshold, and below both.
template <class W>
struct BelowThresholds {
  W any, both;
};
template <class W>
PSFLIP_HD BelowThresholds<W> below_thresholds(std::uint32_t number, const Thresholds& thresholds) {
  const W none{};
  return {static_cast<W>(none - (number < thresholds.by_unsatisfied[1])),
          static_cast<W>(none - (number < thresholds.by_unsatisfied[0]))};
}

/// psflip's addressed numbers (docs/randomness.md, shared, replica 0) of one half sweep for a group.
struct AddressedGlassNumbers {
  Key key;
  std::uint32_t half_sweep;
  std::uint64_t pack;  ///< of the first realization of the group

  PSFLIP_HD std::uint32_t number(std::uint32_t compact) const {
    return numbers_at(key, compact, half_sweep, pack, 0, 0).x[0];
  }
  template <class W>
  PSFLIP_HD BelowThresholds<W> below(const Thresholds& thresholds, std::uint32_t compact) const {
    const auto low = below_thresholds<std::uint32_t>(number(compact), thresholds);
    if constexpr (sizeof(W) == sizeof(std::uint32_t)) {
      return low;
    } else {
      const std::uint32_t other = numbers_at(key, compact, half_sweep, pack + 1, 0, 0).x[0];
      const auto high = below_thresholds<std::uint32_t>(other, thresholds);
      return {W{high.any} << 32 | low.any, W{high.both} << 32 | low.both};
    }
  }
};

/// A generator with a state: one number for a site of all realizations of a group.
template <class G>
struct GeneratorGlassNumbers {
  G& generator;

  PSFLIP_HD std::uint32_t number(std::uint32_t) const { return generator(); }
  template <class W>
  PSFLIP_HD BelowThresholds<W> below(const Thresholds& thresholds, std::uint32_t) const {
    return below_thresholds<W>(generator(), thresholds);
  }
};

/// Metropolis for one realization. A number is drawn also where the flip costs nothing, so that threads do not diverge.
template <class Numbers>
PSFLIP_HD std::int8_t updated_spin(std::int8_t spin, const std::int8_t (&bond)[4], const Thresholds& thresholds,
                                   std::uint32_t compact, const Numbers& numbers) {
  const int n = (bond[0] < 0) + (bond[1] < 0) + (bond[2] < 0) + (bond[3] < 0);
  const std::uint32_t number = numbers.number(compact);
  return n >= 2 || number < thresholds.by_unsatisfied[n & 1] ? static_cast<std::int8_t>(-spin) : spin;
}
PSFLIP_HD std::int8_t bond_of(std::int8_t spin, std::int8_t coupling, std::int8_t other) {
  return static_cast<std::int8_t>(spin * coupling * other);
}

/// Metropolis for all realizations of a word.
template <PlainWord W, class Numbers>
PSFLIP_HD W updated_spin(W spin, const W (&bond)[4], const Thresholds& thresholds, std::uint32_t compact,
                         const Numbers& numbers) {
  const auto below = numbers.template below<W>(thresholds, compact);
  return flip_shared(spin, bond, below.any, below.both);
}
template <PlainWord W>
PSFLIP_HD W bond_of(W spin, W coupling, W other) {
  return xor3(spin, coupling, other);
}

/// Tries site i of row y.
template <int PARITY, class E, class Numbers>
PSFLIP_HD void update_glass_site(const SquareGlassView<E>& glass, const Thresholds& thresholds, std::uint32_t y,
                                 std::uint32_t i, const Numbers& numbers) {
  const FourSites four = square_neighbours<PARITY>(glass.L, y, i);
  const std::uint32_t compact = y * (glass.L / 2) + i;
  E& spin = glass.spin(PARITY, compact);
  E bond[4];
  PSFLIP_UNROLL(4)
  for (std::uint32_t k = 0; k < 4; ++k) {
    const E J = k % 2 == 0 ? glass.coupling(k / 2, PARITY, compact) : glass.coupling(k / 2, 1 - PARITY, four.of[k]);
    bond[k] = bond_of(spin, J, glass.spin(1 - PARITY, four.of[k]));
  }
  spin = updated_spin(spin, bond, thresholds, compact, numbers);
}

/// Tries every site of one parity, row after row: one thread.
template <int PARITY, class E, class Numbers>
PSFLIP_HD void glass_half_sweep(const SquareGlassView<E>& glass, const Thresholds& thresholds, const Numbers& numbers) {
  for (std::uint32_t y = 0; y < glass.L; ++y)
    for (std::uint32_t i = 0; i < glass.L / 2; ++i) update_glass_site<PARITY>(glass, thresholds, y, i, numbers);
}

}  // namespace psflip::laboratory
