#include <algorithm>
#include <array>

#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/cpu_variants.hpp"
#include "engine/laboratory/ising2d/storage.hpp"

/// Neighbour sums by matrix products, section 3.2 of Romero et al.: the products, then the neighbours in other blocks
/// and the update. The plain products of the CPU are the reference of those of tensor cores.
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
      k[row_index(i, j, block_side)] = static_cast<float>(transposed ? kernel_matrix(j, i) : kernel_matrix(i, j));
  return k;
}

template <class Numbers>
class Tensor : public Variant {
 public:
  Tensor(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L),
        thresholds_(square_thresholds(square.beta)),
        numbers_(numbers),
        matrices_(matrices_of_spins<float>(square.spins, square.L)) {
    for (auto& sums : sums_) sums.resize(square.spins.size() / 4);
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_) {
      const int parity = static_cast<int>(half_sweep_ % 2);
      for (int r = 0; r < 2; ++r) {
        const int matrix = 2 * r + (r + parity) % 2;
        std::vector<float>& sums = sums_[static_cast<std::size_t>(r)];
        multiply(matrix, sums);
        update(matrix, sums);
      }
    }
  }

  std::vector<std::int8_t> spins() const override { return spins_of_matrices(matrices_, L_); }

  double bytes() const override { return 6.0 * sizeof(float) * static_cast<double>(matrices_[0].size()); }

 private:
  void multiply(int matrix, std::vector<float>& sums) const {
    const Products products = products_of(matrix);
    const Block first = kernel(products.first_is_transposed), second = kernel(products.second_is_transposed);
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (std::size_t block = 0; block < sums.size(); block += block_size) {
      add_product(&matrices_[static_cast<std::size_t>(products.in_rows)][block], first.data(), &sums[block]);
      add_product(second.data(), &matrices_[static_cast<std::size_t>(products.in_columns)][block], &sums[block]);
    }
  }

  void update(int matrix, std::vector<float>& sums) {
    const std::size_t line = block_row_size(L_), lines = matrices_[0].size() / line;
    std::array<float*, 4> own{};
    std::array<Slab<float>, 4> slabs{};
    for (std::size_t m = 0; m < 4; ++m) {
      own[m] = matrices_[m].data();
      slabs[m] = full_slab<float>(own[m], line, lines);
    }
    const MatrixView<float> view = view_of(own, slabs, sums.data(), matrix, {L_, 0, L_});
    for (std::size_t i = 0; i < sums.size() / 4; ++i) update_four(view, i, half_sweep_, numbers_, thresholds_);
  }

  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::array<std::vector<float>, 4> matrices_;
  std::array<std::vector<float>, 2> sums_;  ///< of both matrices of a parity
  std::uint64_t half_sweep_ = 0;
};

}  // namespace

std::unique_ptr<Variant> make_tensor(const IsingSquare& square, const SequenceNumbers& numbers) {
  return std::make_unique<Tensor<SequenceNumbers>>(square, numbers);
}
std::unique_ptr<Variant> make_tensor(const IsingSquare& square, const AddressedSquareNumbers& numbers) {
  return std::make_unique<Tensor<AddressedSquareNumbers>>(square, numbers);
}

}  // namespace psflip::laboratory
