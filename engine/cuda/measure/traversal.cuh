#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/core/domain.hpp"

/// How threads walk through a lattice to count its spins.
namespace psflip::cuda {

/// A thread walks along one axis: `steps` places, each the two sites (one of each parity, x = 2 c and 2 c + 1) with the
/// same compact index. Traversals begin at lines x columns; columns are x / 2 = c and lie side by side in memory.
struct Traversal {
  static constexpr std::uint32_t longest = 248;  ///< steps that a byte can count, in eights

  std::uint32_t lines, line_stride, columns, steps, step_stride;
  int line_axis;                    ///< all sites of a line have this coordinate; -1: there is but one line
  bool columns_are_planes;          ///< the walks of a column have the same two values of x
  bool closed = true;               ///< behind the last step comes the first, else a ghost
  std::uint32_t origin = 0;         ///< parity of the first site at even x of line 0
  std::uint32_t segments, segment;  ///< long walks are cut; steps of all segments but the last, a multiple of 8

  Traversal(std::uint32_t lines_, std::uint32_t line_stride_, std::uint32_t columns_, std::uint32_t steps_,
            std::uint32_t step_stride_, int line_axis_, bool columns_are_planes_)
      : lines(lines_),
        line_stride(line_stride_),
        columns(columns_),
        steps(steps_),
        step_stride(step_stride_),
        line_axis(line_axis_),
        columns_are_planes(columns_are_planes_) {
    const std::uint32_t count = (steps + longest - 1) / longest;
    segment = ((steps + count - 1) / count + 7) / 8 * 8;
    segments = (steps + segment - 1) / segment;
  }

  __host__ __device__ std::uint32_t width() const { return columns < 32 ? columns : 32; }
  __host__ __device__ std::uint32_t column_groups() const { return (columns + 31) / 32; }
  __host__ __device__ std::uint32_t lines_per_warp() const { return 32 / width(); }
  /// Tiles: what a warp walks at a time.
  __host__ __device__ std::uint32_t warp_traversals() const {
    return (lines + lines_per_warp() - 1) / lines_per_warp() * column_groups() * segments;
  }
};

/// The walks of one warp: thread l * width + c walks from line first_line + l, column first_column + c.
struct WarpTraversal {
  std::uint32_t first_line, lines, first_column, columns, width, begin, end;  ///< begin, end: steps

  __device__ WarpTraversal(const Traversal& traversal, std::uint32_t number) : width(traversal.width()) {
    begin = number % traversal.segments * traversal.segment;
    end = min(begin + traversal.segment, traversal.steps);
    number /= traversal.segments;
    first_column = number % traversal.column_groups() * 32;
    columns = min(width, traversal.columns - first_column);
    first_line = number / traversal.column_groups() * traversal.lines_per_warp();
    lines = min(traversal.lines_per_warp(), traversal.lines - first_line);
  }
};

/// Where one thread walks. Threads of a warp that no line or column is left for make no step.
struct Path {
  std::uint32_t line, column, index, begin, end;  ///< place: compact index at step 0

  __device__ Path(const Traversal& traversal, const WarpTraversal& warp, std::uint32_t thread)
      : begin(warp.begin), end(warp.end) {
    const std::uint32_t l = thread / warp.width, c = thread - l * warp.width;
    line = warp.first_line + l;
    column = warp.first_column + c;
    index = line * traversal.line_stride + column;
    if (l >= warp.lines || c >= warp.columns) end = begin;
  }
};

/// The walks that see every plane of a lattice: along y with the planes of x (and of z in three dimensions), and one
/// with the planes of y. In all of them even x at step k belongs to parity (origin + line + k) mod 2 or does not
/// matter.
template <int D>
struct Traversals {
  Traversal first, second;

  explicit Traversals(std::uint32_t L) : Traversals(L, {0, L}) {}

  /// Some planes perpendicular to the last axis, of which the first lies at place 0. If they are not all, the plane
  /// behind the last lies behind it in memory.
  Traversals(std::uint32_t L, const Planes& planes)
      : first(D == 3 ? Traversal(planes.count, L * (L / 2), L / 2, L, L / 2, 2, true)
                     : Traversal(1, 0, L / 2, planes.count, L / 2, -1, true)),
        second(D == 3 ? Traversal(L, L / 2, L / 2, planes.count, L * (L / 2), 1, false)
                      : Traversal(planes.count, L / 2, 1, L / 2, 1, 1, false)) {
    first.origin = second.origin = planes.first & 1u;
    (D == 3 ? second : first).closed = planes.count == L;
  }

  /// The one along the last axis.
  __host__ __device__ const Traversal& last() const { return D == 3 ? second : first; }
};

}  // namespace psflip::cuda
