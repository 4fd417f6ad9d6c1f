#include "engine/laboratory/bands/zero_temperature.hpp"

#include "engine/core/update.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/models/model.hpp"
#include "engine/random/address.hpp"

namespace psflip::laboratory {

namespace {

/// No beta has the bits of this NaN, so no job of psflip has these random numbers.
constexpr std::uint64_t bits_of_zero_temperature = ~std::uint64_t{0};

Key key_of(std::uint32_t seed, Stream stream, int L) {
  const auto model = static_cast<std::uint32_t>(Model::ising2d);
  return make_key(seed, stream, system_tag(model, static_cast<std::uint32_t>(L), bits_of_zero_temperature));
}

std::uint64_t bits_of(const Four<std::uint32_t>& four, std::size_t c) {
  return c % 2 == 0 ? four.x[0] | std::uint64_t{four.x[1]} << 32 : four.x[2] | std::uint64_t{four.x[3]} << 32;
}

Four<std::uint32_t> numbers_of(const Key& key, std::size_t c, std::uint32_t half_sweep, std::uint64_t word) {
  return numbers_at(key, static_cast<std::uint32_t>(c / 2), half_sweep, word, 0, 0);
}

}  // namespace

ZeroTemperature::ZeroTemperature(int L, std::uint64_t word, std::uint32_t seed)
    : L_(L), word_(word), updates_(key_of(seed, Stream::metropolis, L)) {
  const Key start = key_of(seed, Stream::initial_spins, L);
  for (std::uint32_t parity : {0u, 1u}) {
    spins_[parity].resize(static_cast<std::size_t>(L) * static_cast<std::size_t>(L) / 2);
    for (std::size_t c = 0; c < spins_[parity].size(); ++c)
      spins_[parity][c] = bits_of(numbers_of(start, c, parity, word), c);
  }
}

template <class F>
void ZeroTemperature::for_each_count(int parity, F f) const {
  const std::vector<std::uint64_t>&mine = spins_[parity], &other = spins_[1 - parity];
  const int columns = L_ / 2;
  const auto at = [columns](int y, int j) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j);
  };
  for (int y = 0; y < L_; ++y) {
    const int up = neighbour_row(y, -1, L_), down = neighbour_row(y, 1, L_);
    for (int j = 0; j < columns; ++j) {
      const std::uint64_t spin = mine[at(y, j)];
      const std::uint64_t bonds[4] = {spin ^ other[at(up, j)], spin ^ other[at(down, j)], spin ^ other[at(y, j)],
                                      spin ^ other[at(y, side_column(y, j, parity, L_))]};
      f(at(y, j), count_unsatisfied(bonds));
    }
  }
}

void ZeroTemperature::advance(std::uint64_t sweeps) {
  for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep)
    for (const int parity : {0, 1}) {
      half_sweep(parity);
      ++half_sweep_;
    }
}

void ZeroTemperature::half_sweep(int parity) {
  std::vector<std::uint64_t>& mine = spins_[parity];
  Four<std::uint32_t> numbers{};
  std::size_t drawn = mine.size();  // c / 2 of these numbers
  for_each_count(parity, [&](std::size_t c, const BondCount<std::uint64_t>& n) {
    // Late after the quench most sites cost energy in all lattices, and need no number.
    const std::uint64_t free = n.twos & ~n.ones;
    std::uint64_t flips = n.fours | (n.twos & n.ones);
    if (free != 0) {
      if (c / 2 != drawn) numbers = numbers_of(updates_, c, half_sweep_, word_);
      drawn = c / 2;
      flips |= free & bits_of(numbers, c);
    }
    mine[c] ^= flips;
  });
}

std::uint64_t ZeroTemperature::moving() const {
  std::uint64_t moving = 0;
  for (const int parity : {0, 1})
    for_each_count(parity, [&](std::size_t, const BondCount<std::uint64_t>& n) { moving |= n.fours | n.twos; });
  return moving;
}

std::vector<std::int8_t> ZeroTemperature::spins(int lattice) const {
  std::vector<std::int8_t> all(2 * spins_[0].size());
  for_each_site(L_, [&](int parity, int y, int j, int x) {
    const std::size_t c = static_cast<std::size_t>(y) * static_cast<std::size_t>(L_ / 2) + static_cast<std::size_t>(j);
    all[site_index(x, y, L_)] = (spins_[parity][c] >> lattice & 1) != 0 ? -1 : 1;
  });
  return all;
}

}  // namespace psflip::laboratory
