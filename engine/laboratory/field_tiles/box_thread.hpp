#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/laboratory/field_tiles/field_site.hpp"
#include "engine/laboratory/field_tiles/tile_box.hpp"
#include "engine/random/address.hpp"

/// What one thread of a block does to its box: the parts between barriers, and its random numbers. A kernel is a loop
/// around them; tests run all threads of a block one after the other.
namespace psflip::laboratory {

/// Tries one site of a box and returns the change of the sums. `copy` has the spins of the box and
/// its boundary, `fields` those of the box in the order x + side.x (y + side.y z).
PSFLIP_HD FieldSums try_site(const TileBox& box, std::int8_t* copy, const std::int8_t* fields, IntTriple at,
                             const FieldThresholds& thresholds, std::uint32_t number) {
  const IntTriple c = box.copied(), b = box.boundary();
  std::int8_t* spin = copy + box.in_copy(at);
  // Without a boundary the neighbour of the last site is the first one.
  const auto pair = [&](int x, int side, int stride, int has_boundary) {
    const int after = has_boundary != 0 || x + 1 < side ? stride : -(side - 1) * stride;
    const int before = has_boundary != 0 || x > 0 ? -stride : (side - 1) * stride;
    return spin[after] + spin[before];
  };
  const int sum =
      pair(at.x, box.side.x, 1, b.x) + pair(at.y, box.side.y, c.x, b.y) + pair(at.z, box.side.z, c.x * c.y, b.z);
  const std::int8_t field = fields[at.x + box.side.x * (at.y + box.side.y * at.z)], old = *spin;
  if (!flips(old, sum, field, thresholds, number)) return {};
  *spin = static_cast<std::int8_t>(-old);
  return {-2 * old * sum, -2 * old * field};
}

/// The copy of a box in the memory of its block.
struct BoxCopy {
  std::int8_t* spins;   ///< TileBox::copied_sites()
  std::int8_t* fields;  ///< of the box, without a boundary
};

/// This thread's part of the copy, every `threads`-th entry.
PSFLIP_HD void load_part(const TileBox& box, IntTriple tile, const std::int8_t* spins, const std::int8_t* fields,
                         const BoxCopy& copy, int thread) {
  const int threads = box.threads(), sites = box.copied_sites();
  for (int i = thread; i < sites; i += threads) copy.spins[i] = spins[box.in_lattice(tile, box.of_copy(i))];
  for (int i = thread; i < 2 * threads; i += threads) copy.fields[i] = fields[box.in_lattice(tile, box.of_box(i))];
}

/// The two sites of this thread.
PSFLIP_HD void store_part(const TileBox& box, IntTriple tile, const BoxCopy& copy, std::int8_t* spins, int thread) {
  for (int parity = 0; parity < 2; ++parity) {
    const IntTriple at = box.site_of(thread, parity);
    spins[box.in_lattice(tile, at)] = copy.spins[box.in_copy(at)];
  }
}

/// SkippingLcg<std::uint64_t> with its states in an array of the device.
struct LcgStates {
  using State = std::uint64_t;
  State* states;
  std::uint64_t a, c;  ///< of a step over all threads

  PSFLIP_HD State load(std::size_t thread) const { return states[thread]; }
  PSFLIP_HD std::uint32_t next(State& x, std::size_t /*thread*/) const {
    x = a * x + c;
    return static_cast<std::uint32_t>(x >> 32);
  }
  PSFLIP_HD void store(std::size_t thread, State x) const { states[thread] = x; }
};

/// PhiloxOfThread with the index of the next number as state. A call has four numbers, of which the last three are
/// computed again: the state stays small.
struct PhiloxStates {
  using State = std::uint32_t;
  State* states;
  Key key;

  PSFLIP_HD State load(std::size_t thread) const { return states[thread]; }
  PSFLIP_HD std::uint32_t next(State& n, std::size_t thread) const {
    const Four<std::uint32_t> four = numbers_at(key, static_cast<std::uint32_t>(thread), n / 4, 0, 0, 0);
    const std::uint32_t index = n++ % 4;
    return index == 0 ? four.x[0] : index == 1 ? four.x[1] : index == 2 ? four.x[2] : four.x[3];
  }
  PSFLIP_HD void store(std::size_t thread, State n) const { states[thread] = n; }
};

}  // namespace psflip::laboratory
