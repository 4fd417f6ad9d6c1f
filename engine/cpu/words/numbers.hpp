#pragma once
#include <cstdint>

#include "engine/cpu/words/lanes.hpp"
#include "engine/random/generator.hpp"

/// Philox for complete words: one call per chunk (32 lanes), all chunks of a word at once. The even and the odd chunks
/// of a word are two calls of their own; calls go in lock step (philox_rounds).
namespace psflip::cpu {

/// The last round of calls 2 n (even chunks) and 2 n + 1 (odd chunks), interleaved to words. The products of the two
/// calls are joined before the rest is added, which takes fewer instructions.
template <class W, int N>
PSFLIP_INLINE void last_round_to_words(const Four<W> (&halves)[2 * N], Key key, Four<W> (&out)[N]) {
  constexpr int last = philox_round_count - 1;
  const W k0 = W::splat32(round_key(key, last).k0), k1 = W::splat32(round_key(key, last).k1);
  for (int n = 0; n < N; ++n) {
    const Four<W>&even = halves[2 * n], &odd = halves[2 * n + 1];
    const W a_even = multiply_wide(even.x[0], philox_multiplier_0).low;
    const W a_odd = multiply_wide(odd.x[0], philox_multiplier_0).low;
    const W b_even = multiply_wide(even.x[2], philox_multiplier_1).low;
    const W b_odd = multiply_wide(odd.x[2], philox_multiplier_1).low;
    out[n].x[0] = xor3(interleave_high(b_even, b_odd), interleave(even.x[1], odd.x[1]), k0);
    out[n].x[1] = interleave(b_even, b_odd);
    out[n].x[2] = xor3(interleave_high(a_even, a_odd), interleave(even.x[3], odd.x[3]), k1);
    out[n].x[3] = interleave(a_even, a_odd);
  }
}

/// N calls for a word, in parts. A round waits for its products, and the caller can do other work in between: rounds<2,
/// ...>() to rounds<..., 9>(), then finish().
template <class W, int N>
struct WordCalls {
  Four<W> halves[2 * N];
  Key key;

  template <int FIRST, int LAST>
  PSFLIP_INLINE void rounds() {
    philox_rounds<FIRST, LAST>(halves, key);
  }
  PSFLIP_INLINE void finish(Four<W> (&out)[N]) const { last_round_to_words(halves, key, out); }
  PSFLIP_INLINE Four<W> finish() const requires(N == 1) {
    Four<W> out[1];
    finish(out);
    return out[0];
  }
  PSFLIP_INLINE void finish(W (&plane)[4 * N]) const {
    Four<W> out[N];
    finish(out);
    for (int j = 0; j < 4 * N; ++j) plane[j] = out[j / 4].x[j % 4];
  }
};
template <class W>
using PlaneCalls = WordCalls<W, plane_count / 4>;

/// Numbers at counters that differ from chunk to chunk: chunk i of out[n].x[k] is component k at the counter made of
/// the chunks i of counter[n].
template <class W, int N>
PSFLIP_INLINE void numbers_of_chunks(const Four<W> (&counter)[N], Key key, Four<W> (&out)[N]) {
  WordCalls<W, N> calls{{}, key};
  for (int n = 0; n < N; ++n) {
    calls.halves[2 * n] = counter[n];
    for (int k = 0; k < 4; ++k) calls.halves[2 * n + 1].x[k] = odd_chunks(counter[n].x[k]);
  }
  calls.template rounds<0, philox_round_count - 1>();
  calls.finish(out);
}

/// Numbers for the packs of a word during one half sweep of one temperature slot. Of the counter only site and draw
/// change from call to call and both are the same in all lanes, so the first two of the ten rounds are done once or in
/// scalars.
template <class W>
class PackNumbers {
 public:
  PackNumbers(Key key, std::uint32_t half_sweep, const WordPacks<W>& packs, std::size_t slot)
      : key_(key), upper_(packs.upper), slot_(static_cast<std::uint32_t>(slot)) {
    const W numbers = W::load(packs.lower.data());
    half_[0] = first_round(numbers, half_sweep);
    half_[1] = first_round(odd_chunks(numbers), half_sweep);
  }

  /// WordGenerator.
  PSFLIP_INLINE Four<W> words(std::uint32_t site, std::uint32_t group) const {
    WordCalls<W, 1> call = start_words(site, group);
    call.template rounds<2, philox_round_count - 1>();
    return call.finish();
  }
  PSFLIP_INLINE WordCalls<W, 1> start_words(std::uint32_t site, std::uint32_t group) const {
    return second_round<1>(site, group);
  }
  PSFLIP_INLINE void planes(std::uint32_t site, std::uint32_t replica, W (&plane)[plane_count]) const {
    PlaneCalls<W> calls = start_planes(site, replica);
    calls.template rounds<2, philox_round_count - 1>();
    calls.finish(plane);
  }
  PSFLIP_INLINE PlaneCalls<W> start_planes(std::uint32_t site, std::uint32_t replica) const {
    return second_round<plane_count / 4>(site, replica);
  }

 private:
  /// Draws 0 ... N - 1 of a site and replica field after two rounds.
  template <int N>
  PSFLIP_INLINE WordCalls<W, N> second_round(std::uint32_t site, std::uint32_t field) const {
    WordCalls<W, N> calls{{}, key_};
    const Product<std::uint32_t> a = psflip::multiply_wide(site, philox_multiplier_0);
    for (int n = 0; n < N; ++n) {
      const std::uint32_t x2 = a.high ^ counter_3(field, slot_, static_cast<std::uint32_t>(n), upper_) ^ key_.k1;
      const Product<std::uint32_t> b = psflip::multiply_wide(x2, philox_multiplier_1);
      const W from_a = W::splat64(a.low ^ (key_.k1 + philox_weyl_1));
      const W from_b = W::splat64(b.high ^ (key_.k0 + philox_weyl_0)), b_low = W::splat64(b.low);
      for (int h = 0; h < 2; ++h) {
        const Half& half = half_[h];
        calls.halves[2 * n + h] = {{from_b ^ half.b_low, b_low, from_a ^ half.product.high, half.product.low}};
      }
    }
    return calls;
  }

  /// Contribution of the packs to the state after the first round, and its product in the second.
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
  std::uint64_t upper_;
  std::uint32_t slot_;
  Half half_[2];
};

/// Numbers for words of sites of one lattice during one half sweep: only the word's index in the lattice (c0) differs
/// between lanes, so half of the first two rounds is done once in scalars, and the draws share the rest of the first.
template <class W>
class SiteNumbers {
 public:
  SiteNumbers(Key key, std::uint32_t half_sweep, std::uint64_t sample) : key_(key), sample_(sample) {
    const Product<std::uint32_t> b = psflip::multiply_wide(static_cast<std::uint32_t>(sample), philox_multiplier_1);
    b_low_ = b.low;
    a_ = psflip::multiply_wide(b.high ^ half_sweep ^ key.k0, philox_multiplier_0);
  }

  /// WordGenerator: the sites are the chunks `first_chunk`, `first_chunk` + 1, ... of the lattice, the only replica is
  /// 0.
  PSFLIP_INLINE Four<W> words(std::uint32_t first_chunk, std::uint32_t) const {
    WordCalls<W, 1> call = second_round<1>(first_chunk);
    call.template rounds<2, philox_round_count - 1>();
    return call.finish();
  }
  PSFLIP_INLINE void planes(std::uint32_t first_chunk, std::uint32_t, W (&plane)[plane_count]) const {
    PlaneCalls<W> calls = start_planes(first_chunk, 0);
    calls.template rounds<2, philox_round_count - 1>();
    calls.finish(plane);
  }
  PSFLIP_INLINE PlaneCalls<W> start_planes(std::uint32_t first_chunk, std::uint32_t) const {
    return second_round<plane_count / 4>(first_chunk);
  }

 private:
  /// Draws 0 ... N - 1 after two rounds.
  template <int N>
  PSFLIP_INLINE WordCalls<W, N> second_round(std::uint32_t first_chunk) const {
    WordCalls<W, N> calls{{}, key_};
    const W places = chunk_sequence(W{}, first_chunk);
    const Product<W> a[2] = {multiply_wide(places, philox_multiplier_0),
                             multiply_wide(odd_chunks(places), philox_multiplier_0)};
    const W from_a = W::splat64(a_.high ^ (key_.k1 + philox_weyl_1)), a_low = W::splat64(a_.low);
    const W from_b = W::splat64(b_low_ ^ (key_.k0 + philox_weyl_0));
    for (int n = 0; n < N; ++n) {
      const W c3 = W::splat64(counter_3(0, 0, static_cast<std::uint32_t>(n), sample_) ^ key_.k1);
      for (int h = 0; h < 2; ++h) {
        const Product<W> b = multiply_wide(a[h].high ^ c3, philox_multiplier_1);
        calls.halves[2 * n + h] = {{b.high ^ from_b, b.low, a[h].low ^ from_a, a_low}};
      }
    }
    return calls;
  }

  Key key_;
  std::uint64_t sample_;
  std::uint32_t b_low_;
  Product<std::uint32_t> a_;
};

/// Lanes that get their residual numbers together. The calls of a word wait for their multipliers; those of two words
/// take little more time than those of one.
template <class W>
inline constexpr int residual_lanes = 2 * W::packs;

/// number[i] becomes component[i] of the numbers at the counter c0[i], half sweep, c2[i], c3[i].
template <class W>
PSFLIP_INLINE void component_numbers(Key key, std::uint32_t half_sweep, const std::uint32_t (&c0)[residual_lanes<W>],
                                     const std::uint32_t (&c2)[residual_lanes<W>],
                                     const std::uint32_t (&c3)[residual_lanes<W>],
                                     const std::uint32_t (&component)[residual_lanes<W>],
                                     std::uint32_t (&number)[residual_lanes<W>]) {
  constexpr int words = residual_lanes<W> / W::packs;
  const W c1 = W::splat32(half_sweep);
  Four<W> counter[words], numbers[words];
  for (int n = 0; n < words; ++n) {
    const int i = n * W::packs;
    counter[n] = {{W::load(c0 + i), c1, W::load(c2 + i), W::load(c3 + i)}};
  }
  numbers_of_chunks(counter, key, numbers);
  alignas(64) std::uint32_t u[4][residual_lanes<W>];
  for (int n = 0; n < words; ++n)
    for (int k = 0; k < 4; ++k) numbers[n].x[k].store(u[k] + n * W::packs);
#pragma omp simd
  for (int i = 0; i < residual_lanes<W>; ++i) {
    const std::uint32_t low = component[i] & 1u ? u[1][i] : u[0][i], high = component[i] & 1u ? u[3][i] : u[2][i];
    number[i] = component[i] & 2u ? high : low;
  }
}

/// LaneGenerator of packed samples. The words of a site are W::packs chunks from a multiple of W::packs on; the tag is
/// 8 compact index + replica.
template <class W>
class PackResiduals {
 public:
  PackResiduals(Key key, std::uint32_t half_sweep, const WordPacks<W>& packs, std::size_t slot)
      : key_(key),
        half_sweep_(half_sweep),
        packs_(W::load(packs.lower.data())),
        c3_(counter_3(0, static_cast<std::uint32_t>(slot), residual_draw, packs.upper)) {}

  PSFLIP_INLINE void residuals(const std::uint32_t (&address)[residual_lanes<W>],
                               const std::uint32_t (&tag)[residual_lanes<W>],
                               const std::uint32_t (&lane)[residual_lanes<W>],
                               std::uint32_t (&number)[residual_lanes<W>]) const {
    alignas(64) std::uint32_t c0[residual_lanes<W>], c2[residual_lanes<W>], c3[residual_lanes<W>],
        component[residual_lanes<W>];
#pragma omp simd
    for (int i = 0; i < residual_lanes<W>; ++i) {
      c0[i] = tag[i] / 8;
      c3[i] = c3_ + counter_3(tag[i] % 8 >> 2, 0, lane[i], 0);
      component[i] = tag[i] & 3u;
    }
    for (int i = 0; i < residual_lanes<W>; i += W::packs) chunks_at(packs_, W::load(address + i)).store(c2 + i);
    component_numbers<W>(key_, half_sweep_, c0, c2, c3, component, number);
  }

 private:
  Key key_;
  std::uint32_t half_sweep_;
  W packs_;
  std::uint32_t c3_;
};

/// LaneGenerator of packed sites: the tag is the number of the chunk in the lattice less its address.
template <class W>
class SiteResiduals {
 public:
  SiteResiduals(Key key, std::uint32_t half_sweep, std::uint64_t sample)
      : key_(key), half_sweep_(half_sweep), sample_(sample) {}

  PSFLIP_INLINE void residuals(const std::uint32_t (&address)[residual_lanes<W>],
                               const std::uint32_t (&tag)[residual_lanes<W>],
                               const std::uint32_t (&lane)[residual_lanes<W>],
                               std::uint32_t (&number)[residual_lanes<W>]) const {
    alignas(64) std::uint32_t c0[residual_lanes<W>], c2[residual_lanes<W>], c3[residual_lanes<W>];
    const std::uint32_t component[residual_lanes<W>] = {};
#pragma omp simd
    for (int i = 0; i < residual_lanes<W>; ++i) {
      c0[i] = address[i] + tag[i];
      c2[i] = static_cast<std::uint32_t>(sample_);
      c3[i] = counter_3(0, 0, residual_draw + lane[i], sample_);
    }
    component_numbers<W>(key_, half_sweep_, c0, c2, c3, component, number);
  }

 private:
  Key key_;
  std::uint32_t half_sweep_;
  std::uint64_t sample_;
};

}  // namespace psflip::cpu
