#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/core/domain.hpp"

/// How threads walk through a lattice to count its spins.
namespace psflip::cuda {

/// A thread walks along one axis: `steps` places, each the two sites (one of each parity, x = 2 c and 2 c + 1) with the
/// same compact index. Walks begin at lines x columns; columns are x / 2 = c and lie side by side in memory.
struct Walk {
  static constexpr std::uint32_t longest = 248;  ///< steps that a byte can count, in eights

  std::uint32_t lines, line_stride, columns, steps, step_stride;
  int line_axis;                    ///< all sites of a line have this coordinate; -1: there is but one line
  bool columns_are_planes;          ///< the walks of a column have the same two values of x
  bool closed = true;               ///< behind the last step comes the first, else a ghost
  std::uint32_t origin = 0;         ///< parity of the first site at even x of line 0
  std::uint32_t segments, segment;  ///< long walks are cut; steps of all segments but the last, a multiple of 8

  Walk(std::uint32_t lines_, std::uint32_t line_stride_, std::uint32_t columns_, std::uint32_t steps_,
       std::uint32_t step_stride_, int line_axis_, bool columns_are_planes_)
      : lines(lines_),
        line_stride(line_stride_),
        columns(columns_),
        steps(steps_),
        step_stride(step_stride_),
        line_axis(line_axis_),
        columns_are_planes(columns_are_planes_) {
    const std::uint32_t pieces = (steps + longest - 1) / longest;
    segment = ((steps + pieces - 1) / pieces + 7) / 8 * 8;
    segments = (steps + segment - 1) / segment;
  }

  __host__ __device__ std::uint32_t width() const { return columns < 32 ? columns : 32; }
  __host__ __device__ std::uint32_t column_groups() const { return (columns + 31) / 32; }
  __host__ __device__ std::uint32_t lines_per_warp() const { return 32 / width(); }
  /// Tiles: what a warp walks at a time.
  __host__ __device__ std::uint32_t tiles() const {
    return (lines + lines_per_warp() - 1) / lines_per_warp() * column_groups() * segments;
  }
};

/// The walks of one warp: thread l * width + c walks from line first_line + l, column first_column + c.
struct Tile {
  std::uint32_t first_line, lines, first_column, columns, width, begin, end;  ///< begin, end: steps

  __device__ Tile(const Walk& walk, std::uint32_t number) : width(walk.width()) {
    begin = number % walk.segments * walk.segment;
    end = min(begin + walk.segment, walk.steps);
    number /= walk.segments;
    first_column = number % walk.column_groups() * 32;
    columns = min(width, walk.columns - first_column);
    first_line = number / walk.column_groups() * walk.lines_per_warp();
    lines = min(walk.lines_per_warp(), walk.lines - first_line);
  }
};

/// Where one thread walks. Threads of a warp that no line or column is left for make no step.
struct Path {
  std::uint32_t line, column, place, begin, end;  ///< place: compact index at step 0

  __device__ Path(const Walk& walk, const Tile& tile, std::uint32_t thread) : begin(tile.begin), end(tile.end) {
    const std::uint32_t l = thread / tile.width, c = thread - l * tile.width;
    line = tile.first_line + l;
    column = tile.first_column + c;
    place = line * walk.line_stride + column;
    if (l >= tile.lines || c >= tile.columns) end = begin;
  }
};

/// The walks that see every plane of a lattice: along y with the planes of x (and of z in three dimensions), and one
/// with the planes of y. In all of them even x at step k belongs to parity (origin + line + k) mod 2 or does not
/// matter.
template <int D>
struct Walks {
  Walk first, second;

  explicit Walks(std::uint32_t L) : Walks(L, {0, L}) {}

  /// Some planes perpendicular to the last axis, of which the first lies at place 0. If they are not all, the plane
  /// behind the last lies behind it in memory.
  Walks(std::uint32_t L, const Planes& part)
      : first(D == 3 ? Walk(part.count, L * (L / 2), L / 2, L, L / 2, 2, true)
                     : Walk(1, 0, L / 2, part.count, L / 2, -1, true)),
        second(D == 3 ? Walk(L, L / 2, L / 2, part.count, L * (L / 2), 1, false)
                      : Walk(part.count, L / 2, 1, L / 2, 1, 1, false)) {
    first.origin = second.origin = part.first & 1u;
    (D == 3 ? second : first).closed = part.count == L;
  }

  /// The one along the last axis.
  __host__ __device__ const Walk& last() const { return D == 3 ? second : first; }
};

}  // namespace psflip::cuda
