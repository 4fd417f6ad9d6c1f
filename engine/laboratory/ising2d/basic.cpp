#include "engine/laboratory/ising2d/basic.hpp"

#include "engine/laboratory/ising2d/cpu_variants.hpp"
#include "engine/laboratory/ising2d/storage.hpp"

namespace psflip::laboratory {
namespace {

template <class Numbers>
class Basic : public Variant {
 public:
  Basic(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L),
        thresholds_(square_thresholds(square.beta)),
        numbers_(numbers),
        spins_(bytes_of_spins(square.spins, square.L)),
        random_(square.spins.size() / 2) {}

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_) {
      for (int y = 0; y < L_; ++y)
        for (int j = 0; j < L_ / 2; j += 4)
          fill_four(random_.data() + row_index(y, 0, L_ / 2), y, j, half_sweep_, L_, numbers_);
      update(half_sweep_ % 2);
    }
  }

  std::vector<std::int8_t> spins() const override { return spins_of_bytes(spins_, L_); }

  double bytes() const override { return static_cast<double>(random_.size()) * (2 + sizeof(std::uint32_t)); }

 private:
  void update(std::size_t parity) {
    std::int8_t* mine = spins_[parity].data();
    const auto other =
        full_slab(spins_[1 - parity].data(), static_cast<std::size_t>(L_ / 2), static_cast<std::size_t>(L_));
    for (int y = 0; y < L_; ++y) {
      const ThreeRows<std::int8_t> rows = rows_around(other, y, L_, L_ / 2);
      for (int j = 0; j < L_ / 2; ++j) {
        const std::size_t at = row_index(y, j, L_ / 2);
        mine[at] = updated_spin(mine[at], rows, random_[at], static_cast<int>(parity), y, j, L_, thresholds_);
      }
    }
  }

  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::array<Spins, 2> spins_;
  std::vector<std::uint32_t> random_;
  std::uint64_t half_sweep_ = 0;
};

}  // namespace

std::unique_ptr<Variant> make_basic(const IsingSquare& square, const SequenceNumbers& numbers) {
  return std::make_unique<Basic<SequenceNumbers>>(square, numbers);
}
std::unique_ptr<Variant> make_basic(const IsingSquare& square, const AddressedSquareNumbers& numbers) {
  return std::make_unique<Basic<AddressedSquareNumbers>>(square, numbers);
}

}  // namespace psflip::laboratory
