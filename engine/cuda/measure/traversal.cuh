#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/core/domain.hpp"

/// Traversal of a lattice by threads that count its spins.
namespace psflip::cuda {

/// A thread traverses one axis in `steps` steps. Each step covers the two sites (one of each parity, x = 2 c and 2 c +
/// 1) with the same compact index. Traversals begin at lines x columns; columns are x / 2 = c and adjacent in memory.
struct Traversal {
  static constexpr std::uint32_t longest = 248;  ///< steps that a byte can count, a multiple of eight

  std::uint32_t lines, line_stride, columns, steps, step_stride;
  int line_axis;             ///< axis along which all sites of a line have the same coordinate; -1: one line only
  bool columns_are_planes;   ///< the traversals of a column have the same two values of x
  bool closed = true;        ///< periodic: the first step follows the last; false: a ghost follows
  std::uint32_t origin = 0;  ///< parity of the first site at even x of line 0
  std::uint32_t segments, segment;  ///< of a long traversal; steps of all but the last, a multiple of 8

  /// `most_steps`: of a segment, about, from 8 to `longest`.

  Traversal(std::uint32_t lines_, std::uint32_t line_stride_, std::uint32_t columns_, std::uint32_t steps_,
            std::uint32_t step_stride_, int line_axis_, bool columns_are_planes_, std::uint32_t most_steps)
      : lines(lines_),
        line_stride(line_stride_),
        columns(columns_),
        steps(steps_),
        step_stride(step_stride_),
        line_axis(line_axis_),
        columns_are_planes(columns_are_planes_) {
    most_steps = std::clamp(most_steps, 8u, longest);
    const std::uint32_t count = (steps + most_steps - 1) / most_steps;
    segment = ((steps + count - 1) / count + 7) / 8 * 8;
    segments = (steps + segment - 1) / segment;
  }

  __host__ __device__ std::uint32_t width() const { return columns < 32 ? columns : 32; }
  __host__ __device__ std::uint32_t column_groups() const { return (columns + 31) / 32; }
  __host__ __device__ std::uint32_t lines_per_warp() const { return 32 / width(); }
  /// Number of warp traversals: the traversals that one warp makes at a time.
  __host__ __device__ std::uint32_t warp_traversals() const {
    return (lines + lines_per_warp() - 1) / lines_per_warp() * column_groups() * segments;
  }
};

/// The traversals of one warp: thread l * width + c begins at line first_line + l, column first_column + c.
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

/// The path of one thread. Threads of a warp without a line or column make no step.
struct Path {
  std::uint32_t line, column, index, begin, end;  ///< index: compact index at step 0

  __device__ Path(const Traversal& traversal, const WarpTraversal& warp, std::uint32_t thread)
      : begin(warp.begin), end(warp.end) {
    const std::uint32_t l = thread / warp.width, c = thread - l * warp.width;
    line = warp.first_line + l;
    column = warp.first_column + c;
    index = line * traversal.line_stride + column;
    if (l >= warp.lines || c >= warp.columns) end = begin;
  }
};

/// Steps in memory from the sites of a path to their neighbours; 64 bits, to be added to pointers. The neighbour of a
/// site at even x at x + 1 has its own index.
struct StepsToNeighbours {
  std::ptrdiff_t right, up, ahead;  ///< from odd x to x + 1, to y + 1, one step of the traversal

  __device__ StepsToNeighbours(const Traversal& traversal, const Path& path, std::uint32_t L)
      : ahead(traversal.step_stride) {
    const std::ptrdiff_t half = L / 2;
    right = path.column + 1 == half ? 1 - half : 1;
    up = path.line + 1 == L ? half - half * L : half;
  }
};

/// The traversals that count every plane of a lattice: one along y for the planes of x (and of z in three dimensions),
/// and one for the planes of y. In all of them even x at step k belongs to parity (origin + line + k) mod 2, or its
/// parity does not matter.
template <int D>
struct Traversals {
  Traversal first, second;

  explicit Traversals(std::uint32_t L) : Traversals(L, {0, L}) {}

  /// For some planes perpendicular to the last axis, the first of them at index 0. If they are not all planes, a ghost
  /// plane follows the last one in memory. `steps`: of a segment of a traversal, at most.
  Traversals(std::uint32_t L, const Planes& planes, std::uint32_t steps = Traversal::longest)
      : first(D == 3 ? Traversal(planes.count, L * (L / 2), L / 2, L, L / 2, 2, true, steps)
                     : Traversal(1, 0, L / 2, planes.count, L / 2, -1, true, steps)),
        second(D == 3 ? Traversal(L, L / 2, L / 2, planes.count, L * (L / 2), 1, false, steps)
                      : Traversal(planes.count, L / 2, 1, L / 2, 1, 1, false, steps)) {
    first.origin = second.origin = planes.first & 1u;
    (D == 3 ? second : first).closed = planes.count == L;
  }

  /// The traversal along the last axis.
  __host__ __device__ const Traversal& last() const { return D == 3 ? second : first; }
};

}  // namespace psflip::cuda
