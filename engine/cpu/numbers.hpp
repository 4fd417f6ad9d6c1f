#pragma once
#include <cstdint>

#include "engine/core/address.hpp"

/// Philox for whole words: one call per chunk (32 lanes), all chunks of a word at once.
namespace psflip::cpu {

/// Numbers at counters that differ from chunk to chunk: chunk i of out.x[k] is component k at counter (c0_i, ..., c3_i).
template <class W>
inline Four<W> numbers_of_chunks(const Four<W>& counter, Key key) {
  Four<W> odd_counter;
  for (int k = 0; k < 4; ++k) odd_counter.x[k] = odd_chunks(counter.x[k]);
  const Four<W> even = philox(counter, key), odd = philox(odd_counter, key);
  Four<W> out;
  for (int k = 0; k < 4; ++k) out.x[k] = interleave(even.x[k], odd.x[k]);
  return out;
}

/// Numbers for the consecutive packs of a word during one half sweep. Of the counter only site and draw change from
/// call to call and both are the same in all lanes, so the first two of the ten rounds are done once or in scalars.
template <class W>
class PackNumbers {
 public:
  PackNumbers(Key key, std::uint32_t half_sweep, std::uint64_t first_pack) : key_(key), first_pack_(first_pack) {
    alignas(64) std::uint32_t pack[W::packs];
    for (int i = 0; i < W::packs; ++i) pack[i] = static_cast<std::uint32_t>(first_pack + i);
    const W packs = W::load(pack);
    half_[0] = first_round(packs, half_sweep);
    half_[1] = first_round(odd_chunks(packs), half_sweep);
  }

  Four<W> operator()(std::uint32_t compact_site, std::uint32_t replica_field, std::uint32_t draw) const {
    const Product<std::uint32_t> a = psflip::multiply_wide(compact_site, philox_multiplier_0);
    const std::uint32_t x2 = a.high ^ counter_3(replica_field, 0, draw, first_pack_) ^ key_.k1;
    const Product<std::uint32_t> b = psflip::multiply_wide(x2, philox_multiplier_1);
    const std::uint32_t from_b = b.high ^ (key_.k0 + philox_weyl_0), from_a = a.low ^ (key_.k1 + philox_weyl_1);
    Four<W> out[2];
    for (int h = 0; h < 2; ++h) {
      const Four<W> second{{W::splat64(from_b) ^ half_[h].b_low, W::splat64(b.low),
                            W::splat64(from_a) ^ half_[h].product.high, half_[h].product.low}};
      out[h] = philox<W, 2>(second, key_);
    }
    Four<W> mixed;
    for (int k = 0; k < 4; ++k) mixed.x[k] = interleave(out[0].x[k], out[1].x[k]);
    return mixed;
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
  Half half_[2];
};

}  // namespace psflip::cpu
