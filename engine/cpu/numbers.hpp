#pragma once
#include <cstdint>

#include "engine/core/address.hpp"

/// Philox for whole words: one call per chunk (32 lanes), all chunks of a word at once. The even and the odd chunks of
/// a word are two calls of their own; calls go in lock step (philox_rounds).
namespace psflip::cpu {

/// Interleaves calls 2 n (even chunks) and 2 n + 1 (odd chunks) to words.
template <class W, int N>
PSFLIP_INLINE void join_chunks(const Four<W> (&halves)[2 * N], Four<W> (&out)[N]) {
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < 4; ++k) out[n].x[k] = interleave(halves[2 * n].x[k], halves[2 * n + 1].x[k]);
}

/// Numbers at counters that differ from chunk to chunk: chunk i of out[n].x[k] is component k at the counter made of
/// the chunks i of counter[n].
template <class W, int N>
PSFLIP_INLINE void numbers_of_chunks(const Four<W> (&counter)[N], Key key, Four<W> (&out)[N]) {
  Four<W> halves[2 * N];
  for (int n = 0; n < N; ++n) {
    halves[2 * n] = counter[n];
    for (int k = 0; k < 4; ++k) halves[2 * n + 1].x[k] = odd_chunks(counter[n].x[k]);
  }
  philox_rounds<0>(halves, key);
  join_chunks(halves, out);
}

/// Numbers for the packs of a word, consecutive ones or any that have the same upper bits, during one half sweep of one
/// temperature slot. Of the counter only site and draw change from call to call and both are the same in all lanes, so
/// the first two of the ten rounds are done once or in scalars.
template <class W>
class PackNumbers {
 public:
  PackNumbers(Key key, std::uint32_t half_sweep, std::uint64_t first_pack)
      : PackNumbers(key, half_sweep, chunk_sequence(W{}, static_cast<std::uint32_t>(first_pack)), first_pack, 0) {}
  /// The chunks of `packs` are the lower halves of the numbers of the packs.
  PackNumbers(Key key, std::uint32_t half_sweep, const W& packs, std::uint64_t first_pack, std::uint32_t slot)
      : key_(key), first_pack_(first_pack), slot_(slot) {
    half_[0] = first_round(packs, half_sweep);
    half_[1] = first_round(odd_chunks(packs), half_sweep);
  }

  /// out[n] are the numbers at site[n], replica field field[n] and draw draw[n].
  template <int N>
  PSFLIP_INLINE void draw(const std::uint32_t (&site)[N], const std::uint32_t (&field)[N],
                          const std::uint32_t (&draw_number)[N], Four<W> (&out)[N]) const {
    Four<W> halves[2 * N];
    for (int n = 0; n < N; ++n) {
      const Product<std::uint32_t> a = psflip::multiply_wide(site[n], philox_multiplier_0);
      const std::uint32_t x2 = a.high ^ counter_3(field[n], slot_, draw_number[n], first_pack_) ^ key_.k1;
      const Product<std::uint32_t> b = psflip::multiply_wide(x2, philox_multiplier_1);
      const W from_a = W::splat64(a.low ^ (key_.k1 + philox_weyl_1));
      const W from_b = W::splat64(b.high ^ (key_.k0 + philox_weyl_0)), b_low = W::splat64(b.low);
      for (int h = 0; h < 2; ++h) {
        halves[2 * n + h] = {{from_b ^ half_[h].b_low, b_low, from_a ^ half_[h].product.high, half_[h].product.low}};
      }
    }
    philox_rounds<2>(halves, key_);
    join_chunks(halves, out);
  }

  /// The numbers at one site, replica field and draw 0.
  PSFLIP_INLINE Four<W> draw(std::uint32_t site, std::uint32_t field) const {
    Four<W> out[1];
    draw<1>({site}, {field}, {0}, out);
    return out[0];
  }

 private:
  /// What the packs contribute to the state after the first round, and its product in the second.
  struct Half {
    W b_low;
    Product<W> product;
  };
  Half first_round(W packs, std::uint32_t half_sweep) const {
    const Product<W> b = multiply_wide(packs, philox_multiplier_1);
    const W x0 = xor3(b.high, W::splat64(half_sweep), W::splat64(key_.k0));
    return {b.low, multiply_wide(x0, philox_multiplier_0)};
  }

  Key key_;
  std::uint64_t first_pack_;
  std::uint32_t slot_;
  Half half_[2];
};

/// Numbers for words of sites of one lattice during one half sweep: only the word's place in the lattice (c0) differs
/// between lanes, so half of the first two rounds is done once in scalars, and the draws share the rest of the first.
template <class W>
class SiteNumbers {
 public:
  SiteNumbers(Key key, std::uint32_t half_sweep, std::uint64_t sample) : key_(key), sample_(sample) {
    const Product<std::uint32_t> b = psflip::multiply_wide(static_cast<std::uint32_t>(sample), philox_multiplier_1);
    b_low_ = b.low;
    a_ = psflip::multiply_wide(b.high ^ half_sweep ^ key.k0, philox_multiplier_0);
  }

  /// out[n] are the numbers at draw n for the chunks `first_chunk`, `first_chunk` + 1, ... of the lattice.
  template <int N>
  PSFLIP_INLINE void draw(std::uint32_t first_chunk, Four<W> (&out)[N]) const {
    const W places = chunk_sequence(W{}, first_chunk);
    const Product<W> a[2] = {multiply_wide(places, philox_multiplier_0),
                             multiply_wide(odd_chunks(places), philox_multiplier_0)};
    const W from_a = W::splat64(a_.high ^ (key_.k1 + philox_weyl_1)), a_low = W::splat64(a_.low);
    const W from_b = W::splat64(b_low_ ^ (key_.k0 + philox_weyl_0));
    Four<W> halves[2 * N];
    for (int n = 0; n < N; ++n) {
      const W c3 = W::splat64(counter_3(0, 0, static_cast<std::uint32_t>(n), sample_) ^ key_.k1);
      for (int h = 0; h < 2; ++h) {
        const Product<W> b = multiply_wide(a[h].high ^ c3, philox_multiplier_1);
        halves[2 * n + h] = {{b.high ^ from_b, b.low, a[h].low ^ from_a, a_low}};
      }
    }
    philox_rounds<2>(halves, key_);
    join_chunks(halves, out);
  }

 private:
  Key key_;
  std::uint64_t sample_;
  std::uint32_t b_low_;
  Product<std::uint32_t> a_;
};

}  // namespace psflip::cpu
