#include "engine/laboratory/ising2d/four_bit.hpp"

#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/cpu_variants.hpp"

namespace psflip::laboratory {
namespace {

template <class Numbers>
class FourBit : public Variant {
 public:
  FourBit(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L),
        words_(square.L / (2 * spins_of_word)),
        thresholds_(square_thresholds(square.beta)),
        numbers_(numbers) {
    for (auto& array : words_of_) array.resize(static_cast<std::size_t>(L_) * static_cast<std::size_t>(words_));
    for_each_site(L_, [&](int parity, int y, int j, int x) {
      const std::uint64_t bit = square.spins[site_index(x, y, L_)] > 0 ? 1 : 0;
      words_of_[parity][place(y, j / spins_of_word)] |= bit << (4 * (j % spins_of_word));
    });
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_)
      update(static_cast<int>(half_sweep_ % 2));
  }

  std::vector<std::int8_t> spins() const override {
    std::vector<std::int8_t> all(static_cast<std::size_t>(L_) * static_cast<std::size_t>(L_));
    for_each_site(L_, [&](int parity, int y, int j, int x) {
      const std::uint64_t word = words_of_[parity][place(y, j / spins_of_word)];
      all[site_index(x, y, L_)] = (word >> (4 * (j % spins_of_word)) & 1) != 0 ? 1 : -1;
    });
    return all;
  }

  double bytes() const override { return 2.0 * sizeof(std::uint64_t) * static_cast<double>(words_of_[0].size()); }

 private:
  std::size_t place(int y, int w) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(words_) + static_cast<std::size_t>(w);
  }

  void update(int parity) {
    std::vector<std::uint64_t>& mine = words_of_[parity];
    const std::vector<std::uint64_t>& other = words_of_[1 - parity];
    for (int y = 0; y < L_; ++y) {
      const int offset = row_offset(y, parity), up = neighbour_row(y, -1, L_), down = neighbour_row(y, 1, L_);
      for (int w = 0; w < words_; ++w) {
        const int side = offset == 1 ? (w + 1 == words_ ? 0 : w + 1) : (w == 0 ? words_ - 1 : w - 1);
        const NeighbourWords words = {other[place(up, w)], other[place(down, w)], other[place(y, w)],
                                      other[place(y, side)]};
        std::uint64_t& target = mine[place(y, w)];
        target = updated_word(target, neighbour_sums(words, offset), numbers_, y, w, half_sweep_, thresholds_);
      }
    }
  }

  int L_, words_;  ///< words_ of a row of one parity
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::vector<std::uint64_t> words_of_[2];
  std::uint64_t half_sweep_ = 0;
};

}  // namespace

std::unique_ptr<Variant> make_four_bit(const IsingSquare& square, const SequenceNumbers& numbers) {
  return std::make_unique<FourBit<SequenceNumbers>>(square, numbers);
}
std::unique_ptr<Variant> make_four_bit(const IsingSquare& square, const AddressedNumbers& numbers) {
  return std::make_unique<FourBit<AddressedNumbers>>(square, numbers);
}

}  // namespace psflip::laboratory
