#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/laboratory/ising2d/acceptance.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/numbers.hpp"
#include "engine/laboratory/ising2d/slab.hpp"

/// The square lattice in four matrices, cut into blocks of 16 x 16, for neighbour sums by matrix products: figure 1
/// (right) of Romero et al., after Yang et al., arXiv:1903.11714. Matrix (r, c) holds the sites with y mod 2 = r,
/// x mod 2 = c; parity 0 are (0, 0) and (1, 1).
namespace psflip::laboratory {

inline constexpr int block_side = 16;
inline constexpr int block_size = block_side * block_side;

/// K of equation 2: ones on the diagonal and above it.
PSFLIP_HD int kernel_matrix(int row, int column) { return column == row || column == row + 1 ? 1 : 0; }

/// Index of row a, column b of a matrix of (L / 2)^2 entries that is stored block by block.
PSFLIP_HD std::size_t block_index(int a, int b, int L) {
  const int blocks = L / 2 / block_side;
  const int block = a / block_side * blocks + b / block_side;
  return static_cast<std::size_t>(block) * block_size +
         static_cast<std::size_t>(a % block_side * block_side + b % block_side);
}

/// Number of the matrix that holds row y of a parity: 2 r + c.
PSFLIP_HD int matrix_of(int y, int parity) { return 2 * (y & 1) + ((y + parity) & 1); }

/// The sums of matrix (r, c) from its neighbours (r, 1 - c) in its rows and (1 - r, c) in its columns, inside a block:
///   (0, 0): S01 K   + K^T S10      (1, 1): S10 K^T + K S01
///   (0, 1): S00 K^T + K^T S11      (1, 0): S11 K   + K S00
/// The first product has K if c = 0, else K^T; the second K^T if r = 0, else K.
struct Products {
  int in_rows, in_columns;  ///< numbers of the matrices
  bool first_is_transposed, second_is_transposed;
};
PSFLIP_HD Products products_of(int matrix) {
  const int r = matrix / 2, c = matrix % 2;
  return {2 * r + (1 - c), 2 * (1 - r) + c, c == 1, r == 0};
}

/// What the products lack at the border of a block: the row or column of the next block that a site of matrix (r, c)
/// has as its neighbour. K of the block ends there.
PSFLIP_HD bool lacks_column(int b, bool first_is_transposed) {
  return b % block_side == (first_is_transposed ? block_side - 1 : 0);
}
PSFLIP_HD bool lacks_row(int a, bool second_is_transposed) {
  return a % block_side == (second_is_transposed ? 0 : block_side - 1);
}

/// i + step in a ring of n.
PSFLIP_HD int around(int i, int step, int n) {
  const int next = i + step;
  return next < 0 ? n - 1 : next == n ? 0 : next;
}

/// Row and column of entry i of a matrix that is stored block by block: the inverse of block_index().
struct Entry {
  int a, b;
};
PSFLIP_HD Entry entry_of(std::size_t i, int L) {
  const auto blocks = static_cast<std::size_t>(L / 2 / block_side);
  const std::size_t block = i / block_size;
  const int inside = static_cast<int>(i % block_size);
  return {static_cast<int>(block / blocks) * block_side + inside / block_side,
          static_cast<int>(block % blocks) * block_side + inside % block_side};
}

/// Entries of a row of blocks of a matrix: a line of a slab.
inline std::size_t block_row_size(int L) {
  return static_cast<std::size_t>(block_side) * static_cast<std::size_t>(L / 2);
}

/// What the update of one of the four matrices of a slab reads and writes; entries are float on a CPU and half
/// precision on a GPU. The rows of the lattice are a multiple of 2 block_side.
template <class T>
struct MatrixView {
  T* mine;
  const T* in_rows;    ///< the matrix of the neighbours in the same rows
  Slab<T> in_columns;  ///< that of the neighbours in the same columns; a line is a row of blocks
  T* sums;             ///< of the products
  int matrix;
  RowRange rows;
};

/// The view of a matrix from all four of a slab.
template <class T>
MatrixView<T> view_of(const std::array<T*, 4>& own, const std::array<Slab<T>, 4>& slabs, T* sums, int matrix,
                      const RowRange& rows) {
  const Products products = products_of(matrix);
  return {own[static_cast<std::size_t>(matrix)],
          own[static_cast<std::size_t>(products.in_rows)],
          slabs[static_cast<std::size_t>(products.in_columns)],
          sums,
          matrix,
          rows};
}

/// Entry (a, b) of the matrix of the neighbours in the same columns; row a is in the slab or next to it.
template <class T>
PSFLIP_HD float entry_in_columns(const MatrixView<T>& view, int a, int b) {
  const int L = view.rows.L;
  if (a < 0) return static_cast<float>(view.in_columns.above[block_index(block_side - 1, b, L)]);
  if (2 * a == view.rows.count) return static_cast<float>(view.in_columns.below[block_index(0, b, L)]);
  return static_cast<float>(view.in_columns.lines[block_index(a, b, L)]);
}

/// The neighbours of an entry that the products lack, summed.
template <class T>
PSFLIP_HD float missing_neighbours(const MatrixView<T>& view, const Products& products, Entry entry) {
  float sum = 0;
  if (lacks_column(entry.b, products.first_is_transposed)) {
    const int next = around(entry.b, products.first_is_transposed ? 1 : -1, view.rows.L / 2);
    sum += static_cast<float>(view.in_rows[block_index(entry.a, next, view.rows.L)]);
  }
  if (lacks_row(entry.a, products.second_is_transposed))
    sum += entry_in_columns(view, entry.a + (products.second_is_transposed ? -1 : 1), entry.b);
  return sum;
}

/// Updates entries 4 i ... 4 i + 3 of the matrix, which are neighbours in a row.
template <class T, class Numbers>
PSFLIP_HD void update_four(const MatrixView<T>& view, std::size_t i, std::uint64_t half_sweep, const Numbers& numbers,
                           const SquareThresholds& thresholds) {
  const Products products = products_of(view.matrix);
  const Entry first = entry_of(4 * i, view.rows.L);
  const Four<std::uint32_t> u = numbers.four(view.rows.first + 2 * first.a + view.matrix / 2, first.b, half_sweep);
  PSFLIP_UNROLL(4)
  for (int k = 0; k < 4; ++k) {
    const std::size_t at = 4 * i + static_cast<std::size_t>(k);
    const float sum = static_cast<float>(view.sums[at]) + missing_neighbours(view, products, {first.a, first.b + k});
    T& spin = view.mine[at];
    const int n = unsatisfied_bonds(static_cast<int>(static_cast<float>(spin)), static_cast<int>(sum));
    if (is_accepted(n, u.x[k], thresholds)) spin = -spin;
  }
}

}  // namespace psflip::laboratory
