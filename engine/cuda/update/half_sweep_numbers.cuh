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
    const Product<std::uint32_t> a = multiply_wide(b.high ^ half_sweep ^ keys.of_round[0].k0, philox_multiplier_0);
    from_b_ = b.low ^ keys.of_round[1].k0;
    from_a_ = a.high ^ keys.of_round[1].k1;
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
  __device__ __forceinline__ Four<std::uint32_t> draw(std::uint32_t site, std::uint32_t field,
                                                      std::uint32_t draw_number) const {
    Four<std::uint32_t> out[1];
    draw<1>(site, {field}, {draw_number}, out);
    return out[0];
  }

 private:
  const KeySchedule* keys_;
  std::uint32_t c3_, from_b_, from_a_, a_low_;
};

}  // namespace psflip::cuda
