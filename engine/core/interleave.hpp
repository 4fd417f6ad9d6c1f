#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// Interleaves the bits of two words, and back: the sites of a row from those of its two parities.
namespace psflip {

/// The bits of a word as the even bits of a word of twice its width.
PSFLIP_HD std::uint64_t spread_bits(std::uint32_t word) {
  std::uint64_t x = word;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

PSFLIP_HD std::uint64_t interleave_bits(std::uint32_t even, std::uint32_t odd) {
  return spread_bits(even) | spread_bits(odd) << 1;
}

PSFLIP_HD std::uint32_t even_bits(std::uint64_t x) {
  x &= 0x5555555555555555;
  x = (x | x >> 1) & 0x3333333333333333;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  return static_cast<std::uint32_t>(x | x >> 16);
}

}  // namespace psflip
