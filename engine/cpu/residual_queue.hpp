#pragma once
#include <bit>
#include <cstdint>
#include <memory>

#include "engine/core/address.hpp"
#include "engine/cpu/numbers.hpp"

namespace psflip::cpu {

/// The entry of `table` at the index with these bits: selects instead of a load, so that loops stay vectors.
template <int BITS>
PSFLIP_INLINE std::uint32_t entry_at(const std::uint32_t* table, std::uint32_t index) {
  if constexpr (BITS == 0) {
    return table[0];
  } else {
    constexpr std::uint32_t half = 1u << (BITS - 1);
    const std::uint32_t low = entry_at<BITS - 1>(table, index), high = entry_at<BITS - 1>(table + half, index);
    return index & half ? high : low;
  }
}

/// Lanes whose eight random planes equal the eight upper bits of their threshold, 2^-8 of all. They are collected
/// over rows, then given their residual numbers many at a time. Deferring is exact: the sites of one parity do not
/// see each other, and the residual of a lane has an address of its own. BITS words say which of 2^BITS thresholds a
/// lane has.
template <class W, int BITS = 2>
class ResidualQueue {
 public:
  /// Counter words and replica of a queued chunk.
  struct Where {
    std::uint32_t c0, c2, c3_high, replica;
  };

  /// Room for the words of one row, should every chunk of it hold undecided lanes, beyond what waits from earlier rows.
  explicit ResidualQueue(std::size_t words_in_row) {
    for (auto& column : columns_) column = std::make_unique<std::uint32_t[]>(enough + (words_in_row + 2) * W::packs);
  }

  /// Appends the chunks of a word that hold undecided lanes (`equal`). `address` is the position of the word's first
  /// chunk in the configuration, `tag` what the caller needs to find the number's address again.
  PSFLIP_INLINE void push(W equal, const W (&threshold)[BITS], std::uint32_t address, std::uint32_t tag) {
    const std::uint32_t mask = nonzero_chunks(equal);
    append(mask, size_, equal, threshold, chunk_sequence(equal, address), W::splat32(tag));
    size_ += static_cast<std::size_t>(std::popcount(mask));
  }

  /// True when so many lanes wait that few places of the last batch would stay empty; ask after each row.
  bool wants_resolving() const { return size_ > enough; }

  /// Decides all queued lanes and flips the accepted ones in `chunks`; locate(address, tag) gives Where.
  template <class Locate>
  void resolve(std::uint32_t* chunks, const std::uint32_t (&thresholds)[1 << BITS], Key key, std::uint32_t half_sweep,
               Locate locate) {
    while (size_ > 0) {
      std::size_t left = 0;
      for (std::size_t first = 0; first < size_; first += W::packs) {
        const std::size_t count = size_ - first < W::packs ? size_ - first : W::packs;
        left += resolve_batch(first, count, left, chunks, thresholds, key, half_sweep, locate);
      }
      size_ = left;  // chunks with a second undecided lane go round again
    }
  }

 private:
  PSFLIP_INLINE void append(std::uint32_t mask, std::size_t place, W equal, const W (&threshold)[BITS], W address,
                            W tag) {
    compress(mask, equal).store(&columns_[0][place]);
    compress(mask, address).store(&columns_[1][place]);
    compress(mask, tag).store(&columns_[2][place]);
    for (int b = 0; b < BITS; ++b) compress(mask, threshold[b]).store(&columns_[3 + b][place]);
  }

  /// Plain loops over the chunks of a word, which the compiler turns into vector instructions.
  template <class Locate>
  std::size_t resolve_batch(std::size_t first, std::size_t count, std::size_t left, std::uint32_t* chunks,
                            const std::uint32_t (&thresholds)[1 << BITS], Key key, std::uint32_t half_sweep,
                            Locate locate) {
    constexpr int packs = W::packs;
    alignas(64) std::uint32_t equal[packs], address[packs], tag[packs], index[BITS][packs];
    alignas(64) std::uint32_t c0[packs], c2[packs], c3[packs], limit[packs], bit[packs], component[packs];
    W::load(&columns_[0][first]).store(equal);
    W::load(&columns_[1][first]).store(address);
    W::load(&columns_[2][first]).store(tag);
    W threshold[BITS];
    for (int b = 0; b < BITS; ++b) {
      threshold[b] = W::load(&columns_[3 + b][first]);
      threshold[b].store(index[b]);
    }
    std::uint32_t lower_bits[1 << BITS];
    for (int k = 0; k < 1 << BITS; ++k) lower_bits[k] = thresholds[k] << plane_count;
#pragma omp simd
    for (int i = 0; i < packs; ++i) {
      const std::uint32_t lowest = equal[i] & (0u - equal[i]);
      const auto lane = static_cast<std::uint32_t>(__builtin_popcount(lowest - 1));
      const Where where = locate(address[i], tag[i]);
      c0[i] = where.c0;
      c2[i] = where.c2;
      c3[i] = counter_3(where.replica >> 2, 0, residual_draw + lane, 0) | where.c3_high;
      component[i] = where.replica & 3u;
      std::uint32_t which = 0;
      for (int b = 0; b < BITS; ++b) which |= index[b][i] & lowest ? 1u << b : 0;
      limit[i] = entry_at<BITS>(lower_bits, which);
      bit[i] = lowest;
    }
    const Four<W> counter[1] = {{{W::load(c0), W::splat32(half_sweep), W::load(c2), W::load(c3)}}};
    Four<W> numbers[1];
    numbers_of_chunks(counter, key, numbers);
    alignas(64) std::uint32_t u[4][packs];
    for (int k = 0; k < 4; ++k) numbers[0].x[k].store(u[k]);
#pragma omp simd
    for (int i = 0; i < packs; ++i) {
      const std::uint32_t low = component[i] & 1u ? u[1][i] : u[0][i], high = component[i] & 1u ? u[3][i] : u[2][i];
      const std::uint32_t number = component[i] & 2u ? high : low;
      equal[i] ^= bit[i];
      bit[i] = number < limit[i] ? bit[i] : 0;
    }
    for (std::size_t i = 0; i < count; ++i) chunks[address[i]] ^= bit[i];
    const std::uint32_t valid = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    const std::uint32_t mask = nonzero_chunks(W::load(equal)) & valid;
    append(mask, left, W::load(equal), threshold, W::load(address), W::load(tag));
    return static_cast<std::size_t>(std::popcount(mask));
  }

  static constexpr std::size_t enough = 256;
  std::size_t size_ = 0;
  std::unique_ptr<std::uint32_t[]> columns_[3 + BITS];  // equal, address, tag, bits of the threshold's number
};

}  // namespace psflip::cpu
