#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/platform.hpp"

/// A square lattice, or a rectangle of L columns, cut into slabs of rows, one for each GPU: section 4 of Romero et al.,
/// Comput. Phys. Commun. 256, 107473 (2020). A slab is updated where it is stored; of its neighbours it only reads the
/// rows next to it. A full lattice is one slab, which is its own neighbour.
namespace psflip::laboratory {

/// The rows that a slab holds: `count` rows from row `first` on, each of L sites.
struct RowRange {
  int L, first, count;
};

/// An array of a slab. The unit of its neighbours is a line: a row, or a row of blocks of the variant tensor.
template <class T>
struct Slab {
  const T* lines;  ///< [line][entry]
  const T* above;  ///< the line before the first one, in the memory of the slab above
  const T* below;  ///< the line after the last one
};

/// Slab `index` of an array whose slabs begin at `begins` and have `lines` lines of `line` entries each.
template <class T>
Slab<T> slab_of(const std::vector<T*>& begins, std::size_t index, std::size_t line, std::size_t lines) {
  const std::size_t count = begins.size();
  return {begins[index], begins[(index + count - 1) % count] + (lines - 1) * line, begins[(index + 1) % count]};
}

/// A full lattice of `lines` lines.
template <class T>
Slab<T> full_slab(const T* all, std::size_t line, std::size_t lines) {
  return {all, all + (lines - 1) * line, all};
}

/// A row and the rows next to it.
template <class T>
struct ThreeRows {
  const T *up, *centre, *down;
};

/// Row `row` of a slab with `count` rows of `columns` entries.
template <class T>
PSFLIP_HD ThreeRows<T> rows_around(const Slab<T>& slab, int row, int count, int columns) {
  const auto step = static_cast<std::size_t>(columns);
  const T* centre = slab.lines + static_cast<std::size_t>(row) * step;
  return {row == 0 ? slab.above : centre - step, centre, row + 1 == count ? slab.below : centre + step};
}

/// The rows of a slab of a variant are a multiple of this number.
int rows_unit(const std::string& variant);

/// The rows of slab `index` of `count` equal slabs.
inline RowRange rows_of_slab(int L, int rows, int index, int count) { return {L, rows / count * index, rows / count}; }

}  // namespace psflip::laboratory
