#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

/// Single lanes of words.
namespace psflip::cpu {

/// First packs of the words that hold the samples first ... first + count - 1. All packs of a word have the same upper
/// bits: one that would straddle a multiple of 2^32 begins earlier, with samples that are simulated twice or for
/// nothing.
template <class W>
std::vector<std::uint64_t> first_packs(std::uint64_t first, std::uint64_t count) {
  constexpr std::uint64_t packs = W::packs;
  std::vector<std::uint64_t> all;
  const std::uint64_t end = (first + count + 31) / 32;
  for (std::uint64_t pack = first / 32; pack < end;) {
    const std::uint64_t boundary = ((pack >> 32) + 1) << 32;
    all.push_back(pack + packs > boundary ? boundary - packs : pack);
    pack = all.back() + packs;
  }
  return all;
}

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
