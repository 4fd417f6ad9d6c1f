#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/domain.hpp"

/// Single lanes of words and places of single sites, for what is written in canonical order.
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

/// Bit `lane` of a word as a spin, coupling or field: a set bit is -1.
template <class W>
inline std::int8_t sign_of_lane(const W& word, int lane) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&word);
  return (bytes[lane / 8] >> (lane % 8)) & 1u ? std::int8_t{-1} : std::int8_t{1};
}

/// Sets or clears bit `lane` of a word.
template <class W>
inline void set_lane(W& word, int lane, bool value) {
  auto& byte = reinterpret_cast<unsigned char*>(&word)[lane / 8];
  const auto bit = static_cast<unsigned char>(1u << (lane % 8));
  byte = static_cast<unsigned char>(value ? byte | bit : byte & ~bit);
}

/// Place in memory of site number s of a domain, counted in canonical order from its first stored plane: parities one
/// after the other, within one the sites by compact index.
template <int D>
inline std::size_t checkerboard_place(const Domain<D>& domain, std::size_t s) {
  const std::size_t x = s % domain.L, row = s / domain.L, plane = s / domain.sites_in_plane();
  const std::size_t y = D == 3 ? row % domain.L : 0;
  return ((x + y + plane + domain.first + domain.ghosts) & 1u) * domain.stored_per_parity() + s / 2;
}
template <int D>
inline std::size_t checkerboard_place(const Lattice<D>& lattice, std::size_t s) {
  return checkerboard_place(Domain<D>(lattice), s);
}

/// The site in canonical order of which a domain has a spin at number s of its memory (see checkerboard_place).
template <int D>
inline std::size_t site_of(const Domain<D>& domain, std::size_t s) {
  const std::size_t plane = domain.sites_in_plane();
  return domain.plane(static_cast<std::uint32_t>(s / plane)) * plane + s % plane;
}

}  // namespace psflip::cpu
