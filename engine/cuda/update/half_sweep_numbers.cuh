#pragma once
#include <cstdint>

#include "engine/random/address.hpp"

namespace psflip::cuda {

/// Random numbers of one pack (at one temperature slot) in one half sweep. Only site, replica field and draw of a
/// Philox counter change. The contribution of the other words to the first two of the ten rounds is computed once. The
/// keys are kernel parameters in constant memory, which the instructions of a round read at no cost.
class HalfSweepNumbers {
 public:
  __device__ __forceinline__ HalfSweepNumbers(const KeySchedule& keys, std::uint64_t pack, std::uint32_t half_sweep,
                                              std::uint32_t slot = 0)
      : keys_(&keys), c3_(counter_3(0, slot, 0, pack) ^ keys.of_round[0].k1) {
    const Product<std::uint32_t> b = multiply_wide(static_cast<std::uint32_t>(pack), philox_multiplier_1);
    pack_high_ = b.high;
    from_b_ = b.low ^ keys.of_round[1].k0;
    move_to(half_sweep);
  }

  /// The numbers of another half sweep.
  __device__ __forceinline__ void move_to(std::uint32_t half_sweep) {
    const Product<std::uint32_t> a =
        multiply_wide(pack_high_ ^ half_sweep ^ keys_->of_round[0].k0, philox_multiplier_0);
    from_a_ = a.high ^ keys_->of_round[1].k1;
    a_low_ = a.low;
  }

  /// numbers_at(key, site, half_sweep, pack, field[n], draw[n], slot) for n = 0 ... N - 1.
  template <int N>
  __device__ __forceinline__ void draw(std::uint32_t site, const std::uint32_t (&field)[N],
                                       const std::uint32_t (&draw_number)[N], Four<std::uint32_t> (&out)[N]) const {
    const Product<std::uint32_t> a = multiply_wide(site, philox_multiplier_0);
#pragma unroll
    for (int n = 0; n < N; ++n) {
      const std::uint32_t x2 = xor3(a.high, c3_, counter_3(field[n], 0, draw_number[n], 0));
      const Product<std::uint32_t> b = multiply_wide(x2, philox_multiplier_1);
      out[n] = {{b.high ^ from_b_, b.low, a.low ^ from_a_, a_low_}};
    }
    philox_rounds<2>(out, *keys_);
  }
  /// What the first three rounds of draw() take from the site: the same in all half sweeps of a pack.
  template <int N>
  struct Prepared {
    std::uint32_t from_b[N], from_a[N], a_low[N], site_low;
  };
  template <int N>
  __device__ __forceinline__ Prepared<N> prepare(std::uint32_t site, const std::uint32_t (&field)[N],
                                                 const std::uint32_t (&draw_number)[N]) const {
    Prepared<N> p;
    const Product<std::uint32_t> site_product = multiply_wide(site, philox_multiplier_0);
    p.site_low = site_product.low;
#pragma unroll
    for (int n = 0; n < N; ++n) {
      const std::uint32_t x2 = xor3(site_product.high, c3_, counter_3(field[n], 0, draw_number[n], 0));
      const Product<std::uint32_t> b = multiply_wide(x2, philox_multiplier_1),
                                   a = multiply_wide(b.high ^ from_b_, philox_multiplier_0);
      p.from_b[n] = b.low ^ round_key(*keys_, 2).k0;
      p.from_a[n] = a.high ^ round_key(*keys_, 2).k1;
      p.a_low[n] = a.low;
    }
    return p;
  }
  /// draw() of a prepared site.
  template <int N>
  __device__ __forceinline__ void draw(const Prepared<N>& p, Four<std::uint32_t> (&out)[N]) const {
    const Product<std::uint32_t> b = multiply_wide(p.site_low ^ from_a_, philox_multiplier_1);
#pragma unroll
    for (int n = 0; n < N; ++n) out[n] = {{b.high ^ p.from_b[n], b.low, p.from_a[n] ^ a_low_, p.a_low[n]}};
    philox_rounds<3>(out, *keys_);
  }

  __device__ __forceinline__ Four<std::uint32_t> draw(std::uint32_t site, std::uint32_t field,
                                                      std::uint32_t draw_number) const {
    Four<std::uint32_t> out[1];
    draw<1>(site, {field}, {draw_number}, out);
    return out[0];
  }

 private:
  const KeySchedule* keys_;
  std::uint32_t c3_, pack_high_, from_b_, from_a_, a_low_;
};

}  // namespace psflip::cuda
