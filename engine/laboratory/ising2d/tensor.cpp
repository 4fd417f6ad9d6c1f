#include <algorithm>
#include <array>

#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/cpu_variants.hpp"

/// Neighbour sums by matrix products, section 3.2 of Romero et al.: the three steps products, borders, update. The
/// plain products of the CPU are the reference of those of tensor cores.
namespace psflip::laboratory {
namespace {

using Block = std::array<float, block_size>;

float entry(const float* matrix, int row, int column) { return matrix[row * block_side + column]; }

/// result += A B.
void add_product(const float* a, const float* b, float* result) {
  for (int i = 0; i < block_side; ++i)
    for (int k = 0; k < block_side; ++k)
      for (int j = 0; j < block_side; ++j) result[i * block_side + j] += entry(a, i, k) * entry(b, k, j);
}

/// K, or K^T.
Block kernel(bool transposed) {
  Block k{};
  for (int i = 0; i < block_side; ++i)
    for (int j = 0; j < block_side; ++j)
      k[static_cast<std::size_t>(i * block_side + j)] =
          static_cast<float>(transposed ? kernel_matrix(j, i) : kernel_matrix(i, j));
  return k;
}

template <class Numbers>
class Tensor : public Variant {
 public:
  Tensor(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L), thresholds_(square_thresholds(square.beta)), numbers_(numbers) {
    const std::size_t quarter = square.spins.size() / 4;
    for (auto& matrix : matrices_) matrix.resize(quarter);
    for (auto& sums : sums_) sums.resize(quarter);
    for_each_site(L_, [&](int parity, int y, int j, int x) {
      matrices_[matrix_of(y, parity)][block_index(y / 2, j, L_)] = square.spins[site_index(x, y, L_)];
    });
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_) {
      const int parity = static_cast<int>(half_sweep_ % 2);
      for (int r = 0; r < 2; ++r) {
        const int matrix = 2 * r + (r + parity) % 2;
        multiply(matrix, sums_[r]);
        add_borders(matrix, sums_[r]);
        update(matrix, sums_[r]);
      }
    }
  }

  std::vector<std::int8_t> spins() const override {
    std::vector<std::int8_t> all(4 * matrices_[0].size());
    for_each_site(L_, [&](int parity, int y, int j, int x) {
      all[site_index(x, y, L_)] = static_cast<std::int8_t>(matrices_[matrix_of(y, parity)][block_index(y / 2, j, L_)]);
    });
    return all;
  }

  double bytes() const override { return 6.0 * sizeof(float) * static_cast<double>(matrices_[0].size()); }

 private:
  void multiply(int matrix, std::vector<float>& sums) const {
    const Products products = products_of(matrix);
    const Block first = kernel(products.first_is_transposed), second = kernel(products.second_is_transposed);
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (std::size_t block = 0; block < sums.size(); block += block_size) {
      add_product(&matrices_[products.in_rows][block], first.data(), &sums[block]);
      add_product(second.data(), &matrices_[products.in_columns][block], &sums[block]);
    }
  }

  void add_borders(int matrix, std::vector<float>& sums) const {
    const Products products = products_of(matrix);
    const int side = L_ / 2;
    for (int a = 0; a < side; ++a)
      for (int b = 0; b < side; ++b) {
        float& sum = sums[block_index(a, b, L_)];
        if (lacks_column(b, products.first_is_transposed)) {
          const int next = around(b, products.first_is_transposed ? 1 : -1, side);
          sum += matrices_[products.in_rows][block_index(a, next, L_)];
        }
        if (lacks_row(a, products.second_is_transposed)) {
          const int next = around(a, products.second_is_transposed ? -1 : 1, side);
          sum += matrices_[products.in_columns][block_index(next, b, L_)];
        }
      }
  }

  void update(int matrix, const std::vector<float>& sums) {
    for (int a = 0; a < L_ / 2; ++a)
      for (int b0 = 0; b0 < L_ / 2; b0 += 4) {
        const Four<std::uint32_t> u = numbers_.four(2 * a + matrix / 2, b0, half_sweep_);
        for (int i = 0; i < 4; ++i) {
          const std::size_t at = block_index(a, b0 + i, L_);
          float& spin = matrices_[matrix][at];
          const int n = unsatisfied_bonds(static_cast<int>(spin), static_cast<int>(sums[at]));
          if (is_accepted(n, u.x[i], thresholds_)) spin = -spin;
        }
      }
  }

  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::vector<float> matrices_[4];
  std::vector<float> sums_[2];  ///< of both matrices of a parity
  std::uint64_t half_sweep_ = 0;
};

}  // namespace

std::unique_ptr<Variant> make_tensor(const IsingSquare& square, const SequenceNumbers& numbers) {
  return std::make_unique<Tensor<SequenceNumbers>>(square, numbers);
}
std::unique_ptr<Variant> make_tensor(const IsingSquare& square, const AddressedNumbers& numbers) {
  return std::make_unique<Tensor<AddressedNumbers>>(square, numbers);
}

}  // namespace psflip::laboratory
