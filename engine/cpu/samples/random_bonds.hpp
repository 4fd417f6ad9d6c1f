#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/cpu/words/residual_queue.hpp"

namespace psflip::cpu {

/// Bonds of `sites` sites of one parity that are -1 with probability p other than 1/2: bonds[site][direction]. A bond
/// is -1 when its number is below `threshold` (docs/randomness.md); the threshold is 2^32 for p = 1. address_of(site)
/// is the compact index in the full lattice.
template <int D, class W, class Address>
void draw_random_bonds(const WordPacks<W>& packs, Key key, std::uint32_t parity, std::uint64_t threshold,
                       std::size_t sites, W* bonds, Address address_of) {
  if (threshold >> 32 != 0) {
    std::fill_n(bonds, sites * D, W::ones());
    return;
  }
  const PackNumbers<W> numbers(key, parity, packs, 0);
  const PackResiduals<W> residuals(key, parity, packs, 0);
  const auto limit = static_cast<std::uint32_t>(threshold);
  const std::uint32_t limits[2] = {limit, limit};  // the queue selects one of several; here there is one
  const W index[1] = {W::zero()};
  ResidualQueue<W> queue(D);
  const auto resolve = [&] { queue.resolve(reinterpret_cast<std::uint32_t*>(bonds), limits, residuals); };
  for (std::uint32_t i = 0; i < sites; ++i) {
    const std::uint32_t address = address_of(i);
    for (std::uint32_t mu = 0; mu < D; ++mu) {
      W plane[plane_count], less = W::zero(), equal = W::ones();
      numbers.planes(address, mu, plane);
      for (int j = plane_count - 1; j >= 0; --j) {
        const W bit = (limit >> (31 - j)) & 1u ? W::ones() : W::zero();
        less = less_step(plane[j], bit, less);
        equal = equal_step(equal, plane[j], bit);
      }
      const std::uint32_t word = i * D + mu;
      bonds[word] = less;
      queue.push(equal, index, word * W::packs, address * 8 + mu);
    }
    if (queue.wants_resolving()) resolve();
  }
  resolve();
}

}  // namespace psflip::cpu
