#pragma once
#include <array>
#include <cstdint>

/// Single lanes of words.
namespace psflip::cpu {

/// The packs of a word, which have the same upper bits.
template <class W>
struct WordPacks {
  std::array<std::uint32_t, W::packs> lower;  ///< [chunk], lower halves of the numbers of the packs
  std::uint64_t upper;                        ///< a number of a pack of which bits 32 to 39 count
};

template <class W>
inline bool lane_of(const W& word, int lane) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&word);
  return (bytes[lane / 8] >> (lane % 8)) & 1u;
}

/// Sets or clears bit `lane` of a word.
template <class W>
inline void set_lane(W& word, int lane, bool value) {
  auto& byte = reinterpret_cast<unsigned char*>(&word)[lane / 8];
  const auto bit = static_cast<unsigned char>(1u << (lane % 8));
  byte = static_cast<unsigned char>(value ? byte | bit : byte & ~bit);
}

}  // namespace psflip::cpu
