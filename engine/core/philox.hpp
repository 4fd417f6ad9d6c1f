#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"
#include "engine/core/word.hpp"

/// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
namespace psflip {

inline constexpr std::uint32_t philox_multiplier_0 = 0xD2511F53u;
inline constexpr std::uint32_t philox_multiplier_1 = 0xCD9E8D57u;
inline constexpr std::uint32_t philox_weyl_0 = 0x9E3779B9u;
inline constexpr std::uint32_t philox_weyl_1 = 0xBB67AE85u;
inline constexpr int philox_round_count = 10;

struct Key {
  std::uint32_t k0, k1;
};

/// The key of a round: every round adds a Weyl constant to each word.
PSFLIP_HD constexpr Key round_key(const Key& key, int round) {
  return {key.k0 + static_cast<std::uint32_t>(round) * philox_weyl_0,
          key.k1 + static_cast<std::uint32_t>(round) * philox_weyl_1};
}

/// The keys of all rounds, for kernels that find them in constant memory cheaper than they add.
struct KeySchedule {
  Key of_round[philox_round_count];

  explicit KeySchedule(const Key& key) {
    for (int round = 0; round < philox_round_count; ++round) of_round[round] = round_key(key, round);
  }
};

PSFLIP_HD const Key& round_key(const KeySchedule& keys, int round) { return keys.of_round[round]; }

/// Four counter words going in, four random words coming out.
template <class U>
struct Four {
  U x[4];
};

template <class U>
struct Product {
  U low, high;
};

PSFLIP_HD Product<std::uint32_t> multiply_wide(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  return {a * b, __umulhi(a, b)};
#else
  const std::uint64_t p = static_cast<std::uint64_t>(a) * b;
  return {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(p >> 32)};
#endif
}

PSFLIP_HD void splat(std::uint32_t value, std::uint32_t& out) { out = value; }

/// Rounds FIRST ... LAST - 1 of Philox4x32-10 for N counters in lock step: a round waits for its products, so
/// independent counters side by side keep the multipliers busy. U is uint32_t or a vector of lanes that each carry a
/// 32-bit value: it needs multiply_wide(U, uint32_t), xor3 and splat. Keys is Key or KeySchedule.
template <int FIRST, int LAST = philox_round_count, class U, int N, class Keys>
PSFLIP_HD void philox_rounds(Four<U> (&c)[N], const Keys& keys) {
  PSFLIP_UNROLL(10)
  for (int round = FIRST; round < LAST; ++round) {
    U k0, k1;
    splat(round_key(keys, round).k0, k0);
    splat(round_key(keys, round).k1, k1);
    PSFLIP_UNROLL(8)
    for (int n = 0; n < N; ++n) {
      const Product<U> a = multiply_wide(c[n].x[0], philox_multiplier_0);
      const Product<U> b = multiply_wide(c[n].x[2], philox_multiplier_1);
      c[n] = {{xor3(b.high, c[n].x[1], k0), b.low, xor3(a.high, c[n].x[3], k1), a.low}};
    }
  }
}

/// Philox4x32-10 of one counter.
template <class U, class Keys>
PSFLIP_HD Four<U> philox(const Four<U>& counter, const Keys& keys) {
  Four<U> c[1] = {counter};
  philox_rounds<0>(c, keys);
  return c[0];
}

}  // namespace psflip
