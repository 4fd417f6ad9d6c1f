#pragma once
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/cpu/numbers.hpp"
#include "engine/cpu/residual_queue.hpp"

/// How a site of a word of samples decides, one object per mode. The objects live in locals of the row loop: vector
/// stores may alias anything that has an address elsewhere, and constants would be loaded again after each of them.
namespace psflip::cpu {

/// One number for the 32 samples of a chunk (ea3d only).
template <class W>
struct SharedDecision {
  PackNumbers<W> numbers;
  W limit[3];  ///< threshold[n] in every chunk

  SharedDecision(const PackNumbers<W>& pack_numbers, const Thresholds& thresholds) : numbers(pack_numbers) {
    for (int n = 0; n < 3; ++n) limit[n] = W::splat32(thresholds.by_unsatisfied[n]);
  }

  /// Updates the R replicas of a site; bonds(r, bond) gives the words of unsatisfied bonds.
  template <int R, class Bonds>
  PSFLIP_INLINE void operator()(std::uint32_t site, W* spins, Bonds bonds) {
    for (int r0 = 0; r0 < R; r0 += 4) {
      const Four<W> u = numbers.draw(site, static_cast<std::uint32_t>(r0 / 4));
#pragma GCC unroll 4
      for (int r = r0; r < (R < r0 + 4 ? R : r0 + 4); ++r) {
        W bond[6];
        bonds(r, bond);
        const W number = u.x[r - r0];
        const W below0 = less_than(number, limit[0]), below1 = less_than(number, limit[1]),
                below2 = less_than(number, limit[2]);
        spins[r] = flip_shared(spins[r], bond, xor3(below0, below1, below2), below1);
      }
    }
  }
};

/// A number of its own for every sample: eight random planes now, the rest later for the few lanes they leave
/// undecided.
template <class W, int D>
struct IndependentDecision {
  PackNumbers<W> numbers;
  ResidualQueue<W>* queue;
  const W* first_spin;      ///< of the parity being updated; addresses in the queue count from here
  W plane[plane_count][D];  ///< bit j of threshold[n], all ones or zero

  IndependentDecision(const PackNumbers<W>& pack_numbers, const Thresholds& thresholds, ResidualQueue<W>& residual,
                      const W* spins)
      : numbers(pack_numbers), queue(&residual), first_spin(spins) {
    for (int j = 0; j < plane_count; ++j)
      for (int n = 0; n < D; ++n) plane[j][n] = (thresholds.by_unsatisfied[n] >> (31 - j)) & 1u ? W::ones() : W::zero();
  }

  template <int R, class Bonds>
  PSFLIP_INLINE void operator()(std::uint32_t site, W* spins, Bonds bonds) {
    for (int r = 0; r < R; ++r) {
      W bond[2 * D];
      bonds(r, bond);
      const BondCount<W> n = count_unsatisfied(bond);
      const W always = always_accepted(n, bond);
      Four<W> u[plane_count / 4];
      const auto field = static_cast<std::uint32_t>(r);
      numbers.template draw<2>({site, site}, {field, field}, {0, 1}, u);
      W less = W::zero(), equal = ~always;
#pragma GCC unroll 8
      for (int j = plane_count - 1; j >= 0; --j) {
        const W t = threshold_plane<D>(n, plane[j]);
        less = less_step(u[j / 4].x[j % 4], t, less);
        equal = equal_step(equal, u[j / 4].x[j % 4], t);
      }
      spins[r] = flip_where(spins[r], always, less);
      const auto address = static_cast<std::uint32_t>((spins + r - first_spin) * W::packs);
      queue->push(equal, {n.ones, n.twos}, address, site * 8 + static_cast<std::uint32_t>(r));
    }
  }
};

}  // namespace psflip::cpu
