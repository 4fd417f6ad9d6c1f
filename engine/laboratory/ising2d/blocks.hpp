#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

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

}  // namespace psflip::laboratory
