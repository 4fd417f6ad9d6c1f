#pragma once
#include <bit>
#include <cstdint>
#include <memory>

#include "engine/cpu/words/numbers.hpp"

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
/// read each other, and the residual of a lane has an address of its own. BITS words say which of 2^BITS thresholds a
/// lane has; between two pushes with different BITS the queue is empty.
template <class W>
class ResidualQueue {
 public:
  static constexpr int most_bits = 3;

  /// Space for the words of one row, should every chunk of it hold undecided lanes, beyond those of earlier rows.
  explicit ResidualQueue(std::size_t words_in_row) {
    for (auto& column : columns_) column = std::make_unique<std::uint32_t[]>(length(words_in_row));
  }
  static std::size_t bytes(std::size_t words_in_row) {
    return std::size(decltype(columns_){}) * length(words_in_row) * sizeof(std::uint32_t);
  }

  /// Appends the chunks of a word that hold undecided lanes (`equal`). `address` is the index of the word's first
  /// chunk in the configuration, `tag` identifies the number's address for the caller.
  template <int BITS>
  PSFLIP_INLINE void push(W equal, const W (&threshold)[BITS], std::uint32_t address, std::uint32_t tag) {
    static_assert(BITS <= most_bits);
    const std::uint32_t mask = nonzero_chunks(equal);
    append(mask, size_, equal, threshold, chunk_sequence(equal, address), W::splat32(tag));
    size_ += static_cast<std::size_t>(std::popcount(mask));
  }

  /// True when so many lanes wait that few lanes of the last batch would stay empty; ask after each row.
  bool wants_resolving() const { return size_ > enough; }

  /// Decides all queued lanes and flips the accepted ones in `chunks`.
  template <int ENTRIES, LaneGenerator<residual_lanes<W>> Numbers>
  void resolve(std::uint32_t* chunks, const std::uint32_t (&thresholds)[ENTRIES], const Numbers& numbers) {
    while (size_ > 0) {
      std::size_t left = 0;
      for (std::size_t first = 0; first < size_; first += batch) {
        const std::size_t count = size_ - first < batch ? size_ - first : batch;
        left = resolve_batch<std::countr_zero(unsigned{ENTRIES})>(first, count, left, chunks, thresholds, numbers);
      }
      size_ = left;  // chunks with a second undecided lane go round again
    }
  }

 private:
  template <int BITS>
  PSFLIP_INLINE void append(std::uint32_t mask, std::size_t place, W equal, const W (&threshold)[BITS], W address,
                            W tag) {
    compress(mask, equal).store(&columns_[0][place]);
    compress(mask, address).store(&columns_[1][place]);
    compress(mask, tag).store(&columns_[2][place]);
#pragma GCC unroll 3
    for (int b = 0; b < BITS; ++b) compress(mask, threshold[b]).store(&columns_[3 + b][place]);
  }

  /// Plain loops over the chunks of a word, which the compiler turns into vector instructions.
  template <int BITS, class Numbers>
  std::size_t resolve_batch(std::size_t first, std::size_t count, std::size_t left, std::uint32_t* chunks,
                            const std::uint32_t (&thresholds)[1 << BITS], const Numbers& numbers) {
    alignas(64) std::uint32_t equal[batch], address[batch], tag[batch], index[BITS][batch];
    alignas(64) std::uint32_t lanes[batch], limit[batch], bit[batch], number[batch];
    for (std::size_t i = 0; i < batch; ++i) {
      equal[i] = columns_[0][first + i];
      address[i] = columns_[1][first + i];
      tag[i] = columns_[2][first + i];
      for (int b = 0; b < BITS; ++b) index[b][i] = columns_[3 + b][first + i];
    }
    std::uint32_t lower_bits[1 << BITS];
    for (int k = 0; k < 1 << BITS; ++k) lower_bits[k] = thresholds[k] << plane_count;
#pragma omp simd
    for (std::size_t i = 0; i < batch; ++i) {
      const std::uint32_t lowest = equal[i] & (0u - equal[i]);
      lanes[i] = static_cast<std::uint32_t>(__builtin_popcount(lowest - 1));
      std::uint32_t which = 0;
      for (int b = 0; b < BITS; ++b) which |= index[b][i] & lowest ? 1u << b : 0;
      limit[i] = entry_at<BITS>(lower_bits, which);
      bit[i] = lowest;
    }
    numbers.residuals(address, tag, lanes, number);
#pragma omp simd
    for (std::size_t i = 0; i < batch; ++i) {
      equal[i] ^= bit[i];
      bit[i] = number[i] < limit[i] ? bit[i] : 0;
    }
    for (std::size_t i = 0; i < count; ++i) chunks[address[i]] ^= bit[i];
    for (std::size_t i = 0; i < count; i += W::packs) {
      const std::size_t valid = count - i < W::packs ? count - i : W::packs;
      const std::uint32_t mask =
          nonzero_chunks(W::load(equal + i)) & static_cast<std::uint32_t>((std::uint64_t{1} << valid) - 1);
      W threshold[BITS];
      for (int b = 0; b < BITS; ++b) threshold[b] = W::load(index[b] + i);
      append(mask, left, W::load(equal + i), threshold, W::load(address + i), W::load(tag + i));
      left += static_cast<std::size_t>(std::popcount(mask));
    }
    return left;
  }

  static constexpr std::size_t batch = residual_lanes<W>;
  static constexpr std::size_t enough = 256;
  static std::size_t length(std::size_t words_in_row) { return enough + (words_in_row + 3) * W::packs; }

  std::size_t size_ = 0;
  std::unique_ptr<std::uint32_t[]> columns_[3 + most_bits];  ///< equal, address, tag, bits of the index
};

}  // namespace psflip::cpu
