#pragma once
#include <cstdint>

#include "engine/core/philox.hpp"
#include "engine/random/address.hpp"

/// Random numbers of the 2D Ising model in the laboratory: 32-bit integers u for the sites of one parity in one half
/// sweep. A source gives those of four neighbouring columns j0 ... j0 + 3 at once; j0 is a multiple of 4, and numbers
/// of columns beyond the row are not used.
namespace psflip::laboratory {

/// Those of Romero et al., Comput. Phys. Commun. 256, 107473 (2020), section 3.2: cuRAND's Philox4x32-10 by seed,
/// sequence and offset. The sequence is that of a thread, which owns 64 sites of each parity: 32 columns in rows 2 r
/// and 2 r + 1. The offset is the count of numbers that the thread drew before, 64 in a half sweep.
struct SequenceNumbers {
  Key key;      ///< lower and upper half of the seed
  int threads;  ///< in a pair of rows: (L / 2 + 31) / 32

  PSFLIP_HD Four<std::uint32_t> four(int y, int j0, std::uint64_t half_sweep) const {
    const std::uint64_t sequence =
        static_cast<std::uint64_t>(y / 2) * static_cast<std::uint64_t>(threads) + static_cast<std::uint64_t>(j0 / 32);
    const std::uint64_t offset =
        64 * half_sweep + static_cast<std::uint64_t>(32 * (y & 1)) + static_cast<std::uint64_t>(j0 & 31);
    return at(sequence, offset);
  }

  /// Numbers `offset` to offset + 3 of a sequence as cuRAND defines them; offset is a multiple of 4.
  PSFLIP_HD Four<std::uint32_t> at(std::uint64_t sequence, std::uint64_t offset) const {
    const std::uint64_t block = offset / 4;
    return philox(
        Four<std::uint32_t>{{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                             static_cast<std::uint32_t>(sequence), static_cast<std::uint32_t>(sequence >> 32)}},
        key);
  }
};

/// Those of psflip (docs/randomness.md), independent, replica 0: of a sample of a pack, or with packed sites.
struct AddressedSquareNumbers {
  Key key;
  int L;
  std::uint64_t sample;
  bool packed_sites;

  PSFLIP_HD Four<std::uint32_t> four(int y, int j0, std::uint64_t half_sweep) const {
    Four<std::uint32_t> numbers{};
    for (int i = 0; i < 4; ++i)
      if (j0 + i < L / 2) numbers.x[i] = one(y, j0 + i, static_cast<std::uint32_t>(half_sweep));
    return numbers;
  }

  PSFLIP_HD std::uint32_t one(int y, int j, std::uint32_t half_sweep) const {
    // Sites of a row are numbered in pairs, so the compact index of column j is that of its pair.
    const auto site = static_cast<std::uint32_t>(packed_sites ? y * (L / 64) + j / 32 : y * (L / 2) + j);
    const auto lane = static_cast<std::uint32_t>(packed_sites ? static_cast<std::uint64_t>(j) % 32 : sample % 32);
    const std::uint64_t pack = packed_sites ? sample : sample / 32;
    std::uint32_t u = 0;
    for (std::uint32_t draw = 0; draw < 2; ++draw) {
      const Four<std::uint32_t> plane = numbers_at(key, site, half_sweep, pack, 0, draw);
      for (int k = 0; k < 4; ++k) u = u << 1 | (plane.x[k] >> lane & 1u);
    }
    return u << 24 | numbers_at(key, site, half_sweep, pack, 0, residual_draw + lane).x[0] >> 8;
  }
};

}  // namespace psflip::laboratory
