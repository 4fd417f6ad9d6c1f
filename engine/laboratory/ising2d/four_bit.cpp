#include "engine/laboratory/ising2d/four_bit.hpp"

#include "engine/laboratory/ising2d/cpu_variants.hpp"
#include "engine/laboratory/ising2d/storage.hpp"

namespace psflip::laboratory {
namespace {

template <class Numbers>
class FourBit : public Variant {
 public:
  FourBit(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L),
        thresholds_(square_thresholds(square.beta)),
        numbers_(numbers),
        words_(words_of_spins(square.spins, square.L)) {}

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_) update(half_sweep_ % 2);
  }

  std::vector<std::int8_t> spins() const override { return spins_of_words(words_, L_); }

  double bytes() const override { return 2.0 * sizeof(WordPair) * static_cast<double>(words_[0].size()); }

 private:
  void update(std::size_t parity) {
    const int pairs = L_ / (2 * spins_of_pair);
    const auto other =
        full_slab(words_[1 - parity].data(), static_cast<std::size_t>(pairs), static_cast<std::size_t>(L_));
    for (int y = 0; y < L_; ++y)
      for (int c = 0; c < pairs; ++c)
        update_pair(words_[parity].data() + row_index(y, 0, pairs), rows_around(other, y, L_, pairs),
                    static_cast<int>(parity), y, c, L_, half_sweep_, numbers_, thresholds_);
  }

  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::array<Words, 2> words_;
  std::uint64_t half_sweep_ = 0;
};

}  // namespace

std::unique_ptr<Variant> make_four_bit(const IsingSquare& square, const SequenceNumbers& numbers) {
  return std::make_unique<FourBit<SequenceNumbers>>(square, numbers);
}
std::unique_ptr<Variant> make_four_bit(const IsingSquare& square, const AddressedSquareNumbers& numbers) {
  return std::make_unique<FourBit<AddressedSquareNumbers>>(square, numbers);
}

}  // namespace psflip::laboratory
