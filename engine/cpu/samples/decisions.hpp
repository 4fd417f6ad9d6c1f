#pragma once
#include <cstdint>

#include "engine/core/site_decision.hpp"
#include "engine/cpu/ranges.hpp"
#include "engine/cpu/words/plane_decisions.hpp"
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
        auto call = numbers.start_words(following, group);
        call.template rounds<2, 4>();
        update_replica(0);
        call.template rounds<4, 6>();
        update_replica(1);
        call.template rounds<6, 8>();
        update_replica(2);
        call.template rounds<8, 9>();
        update_replica(3);
        next = call.finish();
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
/// undecided. COUNT replicas of a site together.
template <class T, class W, int COUNT, class Scheme, WordGenerator<W> Numbers>
class IndependentDecision {
  using Decide = PlaneDecisions<W, Scheme, Numbers>;

 public:
  static constexpr bool reads_couplings_once = false;

  /// `first_spin`: of the parity being updated; addresses in the queue count from here. `first`: of the first row.
  PSFLIP_INLINE IndependentDecision(const Numbers& numbers, const typename Decide::Tables& tables, Place first,
                                    const W* first_spin, ResidualQueue<W>* queue)
      : decide_(numbers, tables, first), first_spin_(first_spin), queue_(queue) {}

  /// Before the sites up to `last_site` of a row, replicas from `first_replica` on. `next`: of the next row.
  PSFLIP_INLINE void begin_row(std::uint32_t last_site, std::uint32_t first_replica, Place next) {
    last_site_ = last_site;
    first_replica_ = first_replica;
    next_ = next;
  }

  /// Updates a site; load(r) gives the Site of replica r.
  template <class Load>
  PSFLIP_INLINE void operator()(std::uint32_t site, W* spins, Load load) {
    for (std::uint32_t i = 0; i < COUNT; ++i) {
      const std::uint32_t r = first_replica_ + i;
      // chosen here, where the compiler makes branches of it, and not before the loop: 6 % faster for four replicas
      const Place next = i + 1 < COUNT        ? Place{site, r + 1}
                         : site == last_site_ ? next_
                                              : Place{site + 1, first_replica_};
      decide_(
          {site, r}, next, [&]() __attribute__((always_inline))->decltype(auto) { return load(r); },
          [&](W always, W less) __attribute__((always_inline)) { spins[r] = flip_where(spins[r], always, less); },
          [&](W equal, const W(&bit)[Scheme::bits]) __attribute__((always_inline)) {
            queue_->push(equal, bit, static_cast<std::uint32_t>((spins + r - first_spin_) * W::packs), site * 8 + r);
          });
    }
  }

 private:
  Decide decide_;
  const W* first_spin_;
  ResidualQueue<W>* queue_;
  std::uint32_t last_site_ = 0, first_replica_ = 0;
  Place next_{};
};

}  // namespace psflip::cpu
