// Messages between the slots of two processes of Tempering; included at the end of tempering.hpp.
#pragma once
#include <cstring>

namespace psflip::cpu {

/// Calls f(data, count) for every array of a unit that an exchange swaps. Slab may be const.
template <class Slab, class F>
void for_each_swapped(Slab& slab, std::size_t u, F f) {
  f(slab.spins[u].data(), slab.spins[u].size());
  f(slab.bonds[u].data(), slab.bonds[u].size());
  f(slab.field_sums[u].data(), slab.field_sums[u].size());
  f(&slab.from_cold[u], std::size_t{1});
  f(&slab.from_hot[u], std::size_t{1});
}

template <class W>
std::size_t Tempering<W>::message_bytes() const {
  std::size_t bytes = 0;
  for_each_swapped(slabs_[0], 0, [&](const auto* data, std::size_t count) { bytes += sets * count * sizeof(*data); });
  return bytes;
}

template <class W>
void Tempering<W>::pack(std::size_t part, std::size_t slot, std::byte* message) const {
  for (std::size_t set = 0; set < sets; ++set)
    for_each_swapped(slabs_[part], unit(slot, set), [&](const auto* data, std::size_t count) {
      std::memcpy(message, data, count * sizeof(*data));
      message += count * sizeof(*data);
    });
}

template <class W>
void Tempering<W>::unpack(std::size_t part, std::size_t slot, const std::byte* message) {
  for (std::size_t set = 0; set < sets; ++set)
    for_each_swapped(slabs_[part], unit(slot, set), [&](auto* data, std::size_t count) {
      std::memcpy(data, message, count * sizeof(*data));
      message += count * sizeof(*data);
    });
}

}  // namespace psflip::cpu
