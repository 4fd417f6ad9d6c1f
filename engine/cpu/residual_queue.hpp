#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>

#include "engine/core/address.hpp"
#include "engine/core/update.hpp"
#include "engine/cpu/numbers.hpp"

namespace psflip::cpu {

/// Lanes whose eight random planes equal the eight upper bits of their threshold, 2^-8 of all. They are collected
/// over a row, then given their residual numbers many at a time. Deferring is exact: the sites of one parity do not
/// see each other, and the residual of a lane has an address of its own.
template <class W>
class ResidualQueue {
 public:
  /// Room for the words of one row, should every chunk of it hold undecided lanes, beyond what waits from earlier rows.
  explicit ResidualQueue(std::size_t words_in_row) {
    for (auto& column : columns_)
      column = std::make_unique<std::uint32_t[]>(enough + (words_in_row + 1) * W::packs);
  }

  /// Appends the chunks of a word that hold undecided lanes (`equal`). `address` is the position of the word's first
  /// chunk in the configuration, `tag` what the caller needs to find the number's address again.
  void push(W equal, W ones, W twos, std::uint32_t address, std::uint32_t tag) {
    const std::uint32_t mask = nonzero_chunks(equal);
    compress(mask, equal).store(&columns_[0][size_]);
    compress(mask, ones).store(&columns_[1][size_]);
    compress(mask, twos).store(&columns_[2][size_]);
    compress(mask, chunk_sequence(equal, address)).store(&columns_[3][size_]);
    W::splat32(tag).store(&columns_[4][size_]);
    size_ += static_cast<std::size_t>(std::popcount(mask));
  }

  /// True when so many lanes wait that few places of the last batch would stay empty; ask after each row.
  bool wants_resolving() const { return size_ > enough; }

  /// Decides all queued lanes and flips the accepted ones in `chunks`. `locate(address, tag)` gives the counter words
  /// c0, c2, the upper bits of c3 and the replica of an entry. At most 2^28 chunks: addresses are 32 bits.
  template <class Locate>
  void resolve(std::uint32_t* chunks, const Thresholds& thresholds, Key key, std::uint32_t half_sweep, Locate locate) {
    while (size_ > 0) {
      std::size_t left = 0;
      for (std::size_t first = 0; first < size_; first += W::packs) {
        const std::size_t count = size_ - first < W::packs ? size_ - first : W::packs;
        left = resolve_batch(first, count, left, chunks, thresholds, key, half_sweep, locate);
      }
      size_ = left;  // chunks with a second undecided lane go round again
    }
  }

 private:
  struct Batch {
    alignas(64) std::uint32_t c0[W::packs], c2[W::packs], c3[W::packs];
    alignas(64) std::uint32_t number[4][W::packs];
    std::uint32_t limit[W::packs], bit[W::packs], component[W::packs];
  };

  template <class Locate>
  std::size_t resolve_batch(std::size_t first, std::size_t count, std::size_t left, std::uint32_t* chunks,
                            const Thresholds& thresholds, Key key, std::uint32_t half_sweep, Locate locate) {
    Batch b;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t entry = first + i;
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(columns_[0][entry]));
      const std::uint32_t n = ((columns_[1][entry] >> lane) & 1u) + 2 * ((columns_[2][entry] >> lane) & 1u);
      const auto where = locate(columns_[3][entry], columns_[4][entry]);
      b.c0[i] = where.c0;
      b.c2[i] = where.c2;
      b.c3[i] = counter_3(where.replica >> 2, 0, residual_draw + lane, 0) | where.c3_high;
      b.component[i] = where.replica & 3u;
      b.limit[i] = thresholds.by_unsatisfied[n] << plane_count;
      b.bit[i] = 1u << lane;
    }
    for (std::size_t i = count; i < W::packs; ++i) b.c0[i] = b.c2[i] = b.c3[i] = 0;
    const Four<W> counter{{W::load(b.c0), W::splat32(half_sweep), W::load(b.c2), W::load(b.c3)}};
    const Four<W> numbers = numbers_of_chunks(counter, key);
    for (int k = 0; k < 4; ++k) numbers.x[k].store(b.number[k]);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t accept = b.number[b.component[i]][i] < b.limit[i] ? b.bit[i] : 0;
      chunks[columns_[3][first + i]] ^= accept;
      const std::uint32_t rest = columns_[0][first + i] & (columns_[0][first + i] - 1);
      for (auto& column : columns_) column[left] = column[first + i];
      columns_[0][left] = rest;
      left += rest != 0;
    }
    return left;
  }

  static constexpr std::size_t enough = 256;
  std::size_t size_ = 0;
  std::unique_ptr<std::uint32_t[]> columns_[5];  // equal, ones, twos, address, tag
};

}  // namespace psflip::cpu
