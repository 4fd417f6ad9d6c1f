#include "engine/laboratory/ising2d/basic.hpp"

#include "engine/laboratory/ising2d/cpu_variants.hpp"

namespace psflip::laboratory {
namespace {

template <class Numbers>
class Basic : public Variant {
 public:
  Basic(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L), thresholds_(square_thresholds(square.beta)), numbers_(numbers) {
    const std::size_t half = square.spins.size() / 2;
    for (auto& array : spins_) array.resize(half);
    random_.resize(half);
    for_each_site(
        L_, [&](int parity, int y, int j, int x) { spins_[parity][place(y, j)] = square.spins[site_index(x, y, L_)]; });
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_) {
      for (int y = 0; y < L_; ++y)
        for (int j = 0; j < L_ / 2; j += 4) fill_four(random_.data(), y, j, half_sweep_, L_, numbers_);
      update(static_cast<int>(half_sweep_ % 2));
    }
  }

  std::vector<std::int8_t> spins() const override {
    std::vector<std::int8_t> all(2 * random_.size());
    for_each_site(L_,
                  [&](int parity, int y, int j, int x) { all[site_index(x, y, L_)] = spins_[parity][place(y, j)]; });
    return all;
  }

  double bytes() const override { return static_cast<double>(random_.size()) * (2 + sizeof(std::uint32_t)); }

 private:
  std::size_t place(int y, int j) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(L_ / 2) + static_cast<std::size_t>(j);
  }

  void update(int parity) {
    std::int8_t* mine = spins_[parity].data();
    const std::int8_t* other = spins_[1 - parity].data();
    for (int y = 0; y < L_; ++y)
      for (int j = 0; j < L_ / 2; ++j)
        mine[place(y, j)] = updated_spin(mine[place(y, j)], other, random_[place(y, j)], parity, y, j, L_, thresholds_);
  }

  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::vector<std::int8_t> spins_[2];
  std::vector<std::uint32_t> random_;
  std::uint64_t half_sweep_ = 0;
};

}  // namespace

std::unique_ptr<Variant> make_basic(const IsingSquare& square, const SequenceNumbers& numbers) {
  return std::make_unique<Basic<SequenceNumbers>>(square, numbers);
}
std::unique_ptr<Variant> make_basic(const IsingSquare& square, const AddressedNumbers& numbers) {
  return std::make_unique<Basic<AddressedNumbers>>(square, numbers);
}

}  // namespace psflip::laboratory
