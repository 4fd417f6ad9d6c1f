#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "engine/laboratory/ising2d/basic.hpp"
#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/four_bit.hpp"
#include "engine/laboratory/ising2d/slab.hpp"
#include "engine/laboratory/ising2d/storage.hpp"
#include "engine/laboratory/ising2d/variant.hpp"

// One lattice in slabs of rows, each in memory of its own: the updates that GPUs make, by one thread of the CPU. The
// products of the variant tensor are left to its matrix kernel, so plain sums stand in for them here.
namespace psflip::laboratory {
namespace {

constexpr double beta = 0.4406867935097715;

/// An array in slabs.
template <class T>
class Cut {
 public:
  Cut(const std::vector<T>& all, int count, std::size_t line) : line_(line) {
    const std::size_t size = all.size() / static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * size);
      slabs_.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    for (auto& slab : slabs_) begins_.push_back(slab.data());
  }
  T* own(int i) { return begins_[static_cast<std::size_t>(i)]; }
  Slab<T> slab(int i) const { return slab_of(begins_, static_cast<std::size_t>(i), line_, slabs_[0].size() / line_); }
  std::vector<T> joined() const {
    std::vector<T> all;
    for (const auto& slab : slabs_) all.insert(all.end(), slab.begin(), slab.end());
    return all;
  }

 private:
  std::size_t line_;
  std::vector<std::vector<T>> slabs_;
  std::vector<T*> begins_;
};

struct Sweeps {
  int L, rows, slabs;
  SequenceNumbers numbers;
  SquareThresholds thresholds = square_thresholds(beta);

  RowRange range(int slab) const { return rows_of_slab(L, rows, slab, slabs); }
};

Spins basic_in_slabs(const Sweeps& sweeps, const Spins& start, int half_sweeps) {
  const int L = sweeps.L, columns = L / 2;
  const auto arrays = bytes_of_spins(start, L);
  const auto line = static_cast<std::size_t>(columns);
  std::array<Cut<std::int8_t>, 2> spins = {Cut(arrays[0], sweeps.slabs, line), Cut(arrays[1], sweeps.slabs, line)};
  std::vector<std::uint32_t> random(line);
  for (int h = 0; h < half_sweeps; ++h)
    for (int i = 0; i < sweeps.slabs; ++i) {
      const RowRange range = sweeps.range(i);
      const auto parity = static_cast<std::size_t>(h % 2);
      const Slab<std::int8_t> other = spins[1 - parity].slab(i);
      for (int row = 0; row < range.count; ++row) {
        const int y = range.first + row;
        const auto h64 = static_cast<std::uint64_t>(h);
        for (int j = 0; j < columns; j += 4) fill_four(random.data(), y, j, h64, L, sweeps.numbers);
        std::int8_t* mine = spins[parity].own(i) + row_index(row, 0, columns);
        for (int j = 0; j < columns; ++j)
          mine[j] = updated_spin(mine[j], rows_around(other, row, range.count, columns),
                                 random[static_cast<std::size_t>(j)], h % 2, y, j, L, sweeps.thresholds);
      }
    }
  return spins_of_bytes({spins[0].joined(), spins[1].joined()}, L);
}

Spins four_bit_in_slabs(const Sweeps& sweeps, const Spins& start, int half_sweeps) {
  const int L = sweeps.L, pairs = L / (2 * spins_of_pair);
  const auto arrays = words_of_spins(start, L);
  const auto line = static_cast<std::size_t>(pairs);
  std::array<Cut<WordPair>, 2> words = {Cut(arrays[0], sweeps.slabs, line), Cut(arrays[1], sweeps.slabs, line)};
  for (int h = 0; h < half_sweeps; ++h)
    for (int i = 0; i < sweeps.slabs; ++i) {
      const RowRange range = sweeps.range(i);
      const auto parity = static_cast<std::size_t>(h % 2);
      const Slab<WordPair> other = words[1 - parity].slab(i);
      for (int row = 0; row < range.count; ++row)
        for (int c = 0; c < pairs; ++c)
          update_pair(words[parity].own(i) + row_index(row, 0, pairs), rows_around(other, row, range.count, pairs),
                      h % 2, range.first + row, c, L, static_cast<std::uint64_t>(h), sweeps.numbers, sweeps.thresholds);
    }
  return spins_of_words({words[0].joined(), words[1].joined()}, L);
}

/// Sums of the neighbours inside the block of each entry.
void sum_in_blocks(const MatrixView<float>& view) {
  const Products products = products_of(view.matrix);
  const int L = view.rows.L, column_step = products.first_is_transposed ? 1 : -1,
            row_step = products.second_is_transposed ? -1 : 1;
  for (int a = 0; a < view.rows.count / 2; ++a)
    for (int b = 0; b < L / 2; ++b) {
      float sum = view.in_rows[block_index(a, b, L)] + entry_in_columns(view, a, b);
      if (!lacks_column(b, products.first_is_transposed)) sum += view.in_rows[block_index(a, b + column_step, L)];
      if (!lacks_row(a, products.second_is_transposed)) sum += entry_in_columns(view, a + row_step, b);
      view.sums[block_index(a, b, L)] = sum;
    }
}

Spins tensor_in_slabs(const Sweeps& sweeps, const Spins& start, int half_sweeps) {
  const int L = sweeps.L;
  const auto arrays = matrices_of_spins<float>(start, L);
  std::vector<Cut<float>> matrices;
  matrices.reserve(4);
  for (const auto& matrix : arrays) matrices.emplace_back(matrix, sweeps.slabs, block_row_size(L));
  std::vector<float> sums(start.size() / 4 / static_cast<std::size_t>(sweeps.slabs));
  for (int h = 0; h < half_sweeps; ++h)
    for (int i = 0; i < sweeps.slabs; ++i) {
      std::array<float*, 4> own{};
      std::array<Slab<float>, 4> slabs{};
      for (std::size_t m = 0; m < 4; ++m) {
        own[m] = matrices[m].own(i);
        slabs[m] = matrices[m].slab(i);
      }
      for (int r = 0; r < 2; ++r) {
        const auto view = view_of(own, slabs, sums.data(), matrix_of(r, h % 2), sweeps.range(i));
        sum_in_blocks(view);
        for (std::size_t group = 0; group < sums.size() / 4; ++group)
          update_four(view, group, static_cast<std::uint64_t>(h), sweeps.numbers, sweeps.thresholds);
      }
    }
  std::array<std::vector<float>, 4> all;
  for (std::size_t m = 0; m < 4; ++m) all[m] = matrices[m].joined();
  return spins_of_matrices(all, L);
}

Spins in_slabs(const std::string& variant, const Sweeps& sweeps, const Spins& start, int half_sweeps) {
  if (variant == "basic") return basic_in_slabs(sweeps, start, half_sweeps);
  if (variant == "four_bit") return four_bit_in_slabs(sweeps, start, half_sweeps);
  return tensor_in_slabs(sweeps, start, half_sweeps);
}

TEST(SquareSlabs, have_the_spins_of_one_lattice) {
  constexpr int L = 192, half_sweeps = 9;
  const SequenceNumbers numbers = sequence_numbers(5, L);
  const Spins start = random_square(L, 3);
  for (const std::string& variant : variant_names()) {
    const auto one = make_variant(variant, {L, beta, start}, numbers);
    one->advance(half_sweeps);
    for (const int slabs : {1, 2, 3, 6})
      EXPECT_EQ(in_slabs(variant, {L, L, slabs, numbers}, start, half_sweeps), one->spins())
          << variant << " in " << slabs << " slabs";
  }
}

TEST(SquareSlabs, of_a_rectangle_have_the_spins_of_one_slab) {
  constexpr int L = 64, rows = 4 * L, half_sweeps = 7;
  const SequenceNumbers numbers = sequence_numbers(5, L);
  Spins start = random_square(2 * L, 3);  // as many spins
  Spins first;
  for (const std::string& variant : variant_names())
    for (const int slabs : {1, 2, 4, 8}) {
      const Spins end = in_slabs(variant, {L, rows, slabs, numbers}, start, half_sweeps);
      if (first.empty()) first = end;
      EXPECT_EQ(end, first) << variant << " in " << slabs << " slabs";
    }
  EXPECT_NE(first, start);
}

TEST(SquareSlabs, are_their_own_neighbours_if_there_is_one) {
  std::vector<int> memory = {0, 1, 2, 3, 4, 5};
  const std::vector<int*> begins = {memory.data()};
  const Slab<int> one = slab_of(begins, 0, 2, 3), full = full_slab<int>(memory.data(), 2, 3);
  EXPECT_EQ(one.above, memory.data() + 4);
  EXPECT_EQ(one.below, memory.data());
  EXPECT_EQ(one.lines, full.lines);
  EXPECT_EQ(one.above, full.above);
  EXPECT_EQ(one.below, full.below);
}

TEST(SquareSlabs, have_rows_that_fit_the_variant) {
  EXPECT_EQ(rows_unit("basic"), 2);
  EXPECT_EQ(rows_unit("four_bit"), 2);
  EXPECT_EQ(rows_unit("tensor"), 32);
  const RowRange last = rows_of_slab(64, 96, 2, 3);
  EXPECT_EQ(last.L, 64);
  EXPECT_EQ(last.first, 64);
  EXPECT_EQ(last.count, 32);
}

}  // namespace
}  // namespace psflip::laboratory
