#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/laboratory/field_tiles/box_thread.hpp"
#include "engine/laboratory/field_tiles/field_site.hpp"
#include "engine/laboratory/field_tiles/tile_box.hpp"
#include "engine/laboratory/multi_hit/tiles.hpp"

/// The double checkerboard of one realization on a CPU. A box is copied with its boundary, its sites are tried several
/// times, and it is copied back (multi-hit).
namespace psflip::laboratory {

/// H = -J sum s s - h sum h_i s_i. Every visit takes a number of its thread (multi_hit/thread_numbers.hpp).
class FieldTiles {
 public:
  FieldTiles(FieldLattice lattice, IntTriple side)
      : lattice_(std::move(lattice)), box_{lattice_.L, side}, sums_(counted_sums(lattice_)) {}

  /// Tries all sites of the boxes of one parity `hits` times, by so many threads of the CPU. Numbers and spins do not
  /// depend on their number.
  template <class Numbers>
  void update(int parity, int hits, const FieldThresholds& thresholds, Numbers& numbers, int threads = 1) {
    const int blocks = box_.blocks(parity);
    std::int64_t bonds = 0, fields = 0;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : bonds, fields)
    {
      std::vector<std::int8_t> copy(static_cast<std::size_t>(box_.copied_sites())),
          of_box(static_cast<std::size_t>(2 * box_.threads()));
#pragma omp for schedule(static)
      for (int block = 0; block < blocks; ++block) {
        const FieldSums change = update_tile({block, parity, hits}, thresholds, numbers, copy.data(), of_box.data());
        bonds += change.bonds;
        fields += change.fields;
      }
    }
    sums_.bonds += bonds;
    sums_.fields += fields;
  }
  template <class Numbers>
  void sweep(int hits, const FieldThresholds& thresholds, Numbers& numbers, int threads = 1) {
    for (const int parity : {0, 1}) update(parity, hits, thresholds, numbers, threads);
  }

  /// From each flip.
  const FieldSums& sums() const { return sums_; }
  const FieldLattice& lattice() const { return lattice_; }
  /// Exchanges the spins of two configurations of one realization, byte by byte.
  void swap_spins(FieldTiles& other) {
    std::swap_ranges(lattice_.spins.begin(), lattice_.spins.end(), other.lattice_.spins.begin());
    std::swap(sums_, other.sums_);
  }
  const TileBox& box() const { return box_; }
  /// Threads of all blocks of a parity, as the generators count them.
  std::size_t threads() const { return blocks() * static_cast<std::size_t>(box_.threads()); }
  std::size_t blocks() const { return static_cast<std::size_t>(box_.blocks(0)); }

 private:
  struct Task {
    int block, parity, hits;
  };

  template <class Numbers>
  FieldSums update_tile(Task task, const FieldThresholds& thresholds, Numbers& numbers, std::int8_t* copy,
                        std::int8_t* fields) {
    const IntTriple tile = box_.tile_of(task.block, task.parity);
    load(tile, copy, fields);
    FieldSums change;
    for (int hit = 0; hit < task.hits; ++hit)
      for (const int site_parity : {0, 1}) {
        Visit visit{static_cast<std::size_t>(task.block),
                    static_cast<std::size_t>(task.block) * static_cast<std::size_t>(box_.threads())};
        for (int z = 0; z < box_.side.z; ++z)
          for (int y = 0; y < box_.side.y; ++y)
            for (int x = (y + z + site_parity) % 2; x < box_.side.x; x += 2, ++visit.thread) {
              const FieldSums one = try_site(box_, copy, fields, {x, y, z}, thresholds, numbers(visit));
              change.bonds += one.bonds;
              change.fields += one.fields;
            }
      }
    store(tile, copy);
    return change;
  }

  /// Row by row; a row begins at the first site of the box.
  void load(IntTriple tile, std::int8_t* copy, std::int8_t* fields) const {
    const IntTriple side = box_.side, b = box_.boundary();
    const int last = box_.in_lattice(tile, {-1, 0, 0}) - box_.in_lattice(tile, {0, 0, 0});
    const int next = box_.in_lattice(tile, {side.x, 0, 0}) - box_.in_lattice(tile, {0, 0, 0});
    for (int z = -b.z; z < side.z + b.z; ++z)
      for (int y = -b.y; y < side.y + b.y; ++y) {
        const std::int8_t* row = lattice_.spins.data() + box_.in_lattice(tile, {0, y, z});
        std::int8_t* to = copy + box_.in_copy({0, y, z});
        std::copy(row, row + side.x, to);
        if (b.x == 0) continue;
        to[-1] = row[last];
        to[side.x] = row[next];
      }
    for (int z = 0; z < side.z; ++z)
      for (int y = 0; y < side.y; ++y) {
        const std::int8_t* row = lattice_.fields.data() + box_.in_lattice(tile, {0, y, z});
        std::copy(row, row + side.x, fields + side.x * (y + side.y * z));
      }
  }
  void store(IntTriple tile, const std::int8_t* copy) {
    for (int z = 0; z < box_.side.z; ++z)
      for (int y = 0; y < box_.side.y; ++y) {
        const std::int8_t* row = copy + box_.in_copy({0, y, z});
        std::copy(row, row + box_.side.x, lattice_.spins.data() + box_.in_lattice(tile, {0, y, z}));
      }
  }

  FieldLattice lattice_;
  TileBox box_;
  FieldSums sums_;
};

}  // namespace psflip::laboratory
