#include "engine/laboratory/bands/zero_temperature.hpp"

#include <algorithm>

#include "engine/core/update.hpp"
#include "engine/laboratory/ising2d/storage.hpp"
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

ZeroTemperature::ZeroTemperature(int L, std::uint64_t first_word, int words, std::uint32_t seed)
    : L_(L), first_word_(first_word), updates_(key_of(seed, Stream::metropolis, L)) {
  const Key start = key_of(seed, Stream::initial_spins, L);
  for (std::uint32_t parity : {0u, 1u}) {
    spins_[parity].resize(sites_of(L) / 2);
    for (std::size_t c = 0; c < spins_[parity].size(); ++c)
      for (int w = 0; w < words; ++w) {
        const std::uint64_t word = first_word + static_cast<std::uint64_t>(w);
        spins_[parity][c].of[w] = bits_of(numbers_of(start, c, parity, word), c);
      }
  }
}

template <class F>
void ZeroTemperature::for_each_site_of(int parity, F f) const {
  const std::vector<Bits>&mine = spins_[parity], &other = spins_[1 - parity];
  const int columns = L_ / 2;
  for (int y = 0; y < L_; ++y) {
    const int up = neighbour_row(y, -1, L_), down = neighbour_row(y, 1, L_);
    for (int j = 0; j < columns; ++j) {
      const std::size_t c = row_index(y, j, columns);
      const Bits &a = other[row_index(up, j, columns)], &b = other[row_index(down, j, columns)], &d = other[c];
      const Bits &e = other[row_index(y, side_column(y, j, parity, L_), columns)], &spin = mine[c];
      Bits free, gain;
      for (int w = 0; w < most_words; ++w) {
        const std::uint64_t s = spin.of[w], bonds[4] = {s ^ a.of[w], s ^ b.of[w], s ^ d.of[w], s ^ e.of[w]};
        const BondCount<std::uint64_t> n = count_unsatisfied(bonds);
        free.of[w] = n.twos & ~n.ones;
        gain.of[w] = n.fours | (n.twos & n.ones);
      }
      f(c, free, gain);
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
  std::vector<Bits>& mine = spins_[parity];
  Four<std::uint32_t> numbers[most_words] = {};
  std::size_t drawn[most_words];  // c / 2 of these numbers
  std::fill(std::begin(drawn), std::end(drawn), mine.size());
  for_each_site_of(parity, [&](std::size_t c, const Bits& free, const Bits& gain) {
    std::uint64_t any = 0;
    for (int w = 0; w < most_words; ++w) {
      mine[c].of[w] ^= gain.of[w];
      any |= free.of[w];
    }
    // Late after the quench most sites cost energy in all lattices, and need no number.
    for (int w = 0; any != 0 && w < most_words; ++w) {
      if (free.of[w] == 0) continue;
      if (c / 2 != drawn[w])
        numbers[w] = numbers_of(updates_, c, half_sweep_, first_word_ + static_cast<std::uint64_t>(w));
      drawn[w] = c / 2;
      mine[c].of[w] ^= free.of[w] & bits_of(numbers[w], c);
    }
  });
}

ZeroTemperature::Bits ZeroTemperature::moving() const {
  Bits moving;
  for (const int parity : {0, 1})
    for_each_site_of(parity, [&](std::size_t, const Bits& free, const Bits& gain) {
      for (int w = 0; w < most_words; ++w) moving.of[w] |= free.of[w] | gain.of[w];
    });
  return moving;
}

std::vector<std::int8_t> ZeroTemperature::spins(int lattice) const {
  std::vector<std::int8_t> all(sites_of(L_));
  for_each_site(L_, [&](int parity, int y, int j, int x) {
    all[site_index(x, y, L_)] = spins_[parity][row_index(y, j, L_ / 2)].has(lattice) ? -1 : 1;
  });
  return all;
}

}  // namespace psflip::laboratory
