#pragma once
#include <cstdint>

#include "engine/core/site_decision.hpp"
#include "engine/cpu/ranges.hpp"
#include "engine/cpu/words/residual_queue.hpp"
#include "engine/cpu/words/shared_flip.hpp"

/// How a site of a word of samples decides, one object per mode. The objects live in locals of the row loop: vector
/// stores may alias anything that has an address elsewhere, and constants would be loaded again after each of them.
namespace psflip::cpu {

/// One number for the 32 samples of a chunk, all R replicas of a site.
template <class T, class W, int R, WordGenerator<W> Numbers>
struct SharedDecision {
  static constexpr bool reads_couplings_once = true;
  static constexpr int D = T::dimension;
  Numbers numbers;
  W limit[D];  ///< threshold[n] in every chunk
  std::uint32_t next_site = ~0u;
  Four<W> next{};  ///< numbers of the first four replicas of next_site

  SharedDecision(const Numbers& generator, const FieldThresholds& thresholds) : numbers(generator) {
    for (int n = 0; n < D; ++n) limit[n] = W::splat32(thresholds.below[0][n]);
  }

  /// Updates a site; load(r) gives the Site of replica r.
  template <class Load>
  PSFLIP_INLINE void operator()(std::uint32_t site, W* spins, Load load) {
    if (site != next_site) next = numbers.words(site, 0);
    next_site = site + 1;
#pragma GCC unroll 2
    for (int r0 = 0; r0 < R; r0 += 4) {
      const Four<W> u = next;
      const bool is_last = r0 + 4 >= R;
      const std::uint32_t following = is_last ? site + 1 : site, group = is_last ? 0 : 1;
      const auto update_replica = [&](int k) __attribute__((always_inline)) {
        const int r = r0 + k;
        if (r < R) spins[r] = new_spin(u.x[k], load(static_cast<std::size_t>(r)));
      };
      if constexpr (W::packs > 2) {  // the rounds wait for their products, the updates for memory
        auto call = numbers.start(following, group);
        numbers.template rounds<2, 4>(call);
        update_replica(0);
        numbers.template rounds<4, 6>(call);
        update_replica(1);
        numbers.template rounds<6, 8>(call);
        update_replica(2);
        numbers.template rounds<8, 9>(call);
        update_replica(3);
        next = numbers.finish(call);
      } else {  // too few registers for both
        for (int k = 0; k < 4; ++k) update_replica(k);
        next = numbers.words(following, group);
      }
    }
  }

 private:
  PSFLIP_INLINE W new_spin(W number, const Site<T, W>& site) const {
    return flip_below(site.spin, site.neighbour, site.coupling, number, limit);
  }
};

/// A number of its own for every sample: eight random planes now, the rest later for the few lanes they leave
/// undecided. COUNT replicas of a site from number `first_replica` on.
template <class T, class W, int COUNT, class Scheme, WordGenerator<W> Numbers>
struct IndependentDecision {
  static constexpr bool reads_couplings_once = false;
  using Tables = DecisionTables<W, Scheme, plane_count>;
  Numbers numbers;
  ResidualQueue<W>* queue;
  const W* first_spin;  ///< of the parity being updated; addresses in the queue count from here
  std::uint32_t first_replica;
  Tables tables;

  /// Updates a site; load(r) gives the Site of replica r.
  template <class Load>
  PSFLIP_INLINE void operator()(std::uint32_t site, W* spins, Load load) {
    for (std::uint32_t i = 0; i < COUNT; ++i) {
      const std::uint32_t r = first_replica + i;
      const FieldClass<W, Scheme::bits> c = Scheme::classify(load(r), tables.always);
      W plane[plane_count];
      numbers.planes(site, r, plane);
      const PlaneDecision<W> d = compare_planes(c, tables, plane);
      spins[r] = flip_where(spins[r], c.always, d.less);
      queue->push(d.equal, c.bit, static_cast<std::uint32_t>((spins + r - first_spin) * W::packs), site * 8 + r);
    }
  }
};

}  // namespace psflip::cpu
