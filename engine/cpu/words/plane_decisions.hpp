#pragma once
#include <cstdint>

#include "engine/core/site_decision.hpp"
#include "engine/cpu/words/numbers.hpp"

namespace psflip::cpu {

/// Where a word has its random numbers: the arguments of WordGenerator.
struct Place {
  std::uint32_t site, replica;
};

/// Metropolis decisions of one word after the other, each lane with a number of its own. The random planes of the next
/// word are drawn while this word is decided: rounds of Philox wait for their products, and a core (Zen 5) does not
/// look far enough ahead to find the other work by itself.
template <class W, class Scheme, WordGenerator<W> Numbers>
class PlaneDecisions {
  static constexpr bool draws_ahead = W::packs > 8;  ///< the calls have 16 words; narrower words have too few registers
  using Class = FieldClass<W, Scheme::bits>;

 public:
  using Tables = DecisionTables<W, Scheme, plane_count>;

  /// `first`: of the first word.
  PSFLIP_INLINE PlaneDecisions(const Numbers& numbers, const Tables& tables, Place first)
      : numbers_(numbers), tables_(tables) {
    if constexpr (draws_ahead) numbers_.planes(first.site, first.replica, plane_);
  }

  /// Decides the word at `here`; that of the next call must be at `next`. load() gives the Site, flip(always, less)
  /// flips the lanes of both words, defer(equal, class bits) gets the undecided lanes.
  template <class Load, class Flip, class Defer>
  PSFLIP_INLINE void operator()(Place here, Place next, Load load, Flip flip, Defer defer) {
    if constexpr (draws_ahead) {
      PlaneCalls<W> calls = numbers_.start_planes(next.site, next.replica);
      calls.template rounds<2, 3>();
      const Class c = Scheme::classify(load(), tables_.always);
      PlaneDecision<W> d{W{}, ~c.always};
      compare<7, 7>(c, d);
      calls.template rounds<3, 4>();
      compare<6, 5>(c, d);
      calls.template rounds<4, 5>();
      compare<4, 3>(c, d);
      calls.template rounds<5, 6>();
      compare<2, 1>(c, d);
      calls.template rounds<6, 7>();
      compare<0, 0>(c, d);
      flip(c.always, d.less);
      calls.template rounds<7, 8>();
      defer(d.equal, c.bit);
      calls.template rounds<8, 9>();
      calls.finish(plane_);
    } else {
      const Class c = Scheme::classify(load(), tables_.always);
      W plane[plane_count];
      numbers_.planes(here.site, here.replica, plane);
      const PlaneDecision<W> d = compare_planes(c, tables_, plane);
      flip(c.always, d.less);
      defer(d.equal, c.bit);
    }
  }

 private:
  template <int FROM, int TO>
  PSFLIP_INLINE void compare(const Class& c, PlaneDecision<W>& d) const {
    PSFLIP_UNROLL(2)
    for (int j = FROM; j >= TO; --j) compare_plane(j, plane_[j], c, tables_, d);
  }

  Numbers numbers_;
  Tables tables_;
  W plane_[draws_ahead ? plane_count : 1];
};

}  // namespace psflip::cpu
