#pragma once
#include <cstddef>

#include "engine/core/word.hpp"
#include "engine/models/model.hpp"

/// The words of one site in the memory of the CPU engine.
namespace psflip::cpu {

/// The spins of one slot and the disorder of one word group, by parity. `spins` of replica r of a site are `replicas`
/// words apart from site to site.
template <class W>
struct SlotView {
  const W *spins[2], *couplings[2], *fields[2];
  std::size_t replicas;
};

/// One site of a SlotView with traits T, as integer_words.hpp requires it.
template <class W, class T>
struct SiteWords {
  const W *spins, *coupling, *field;
  const W* forward[T::dimension];  ///< spins of the neighbours in positive directions

  W spin(std::size_t r) const { return spins[r]; }
  W unlike(std::size_t r, int mu) const { return spins[r] ^ forward[mu][r]; }
  W unsatisfied(std::size_t r, int mu) const {
    if constexpr (T::has_couplings) {
      return unlike(r, mu) ^ coupling[mu];
    } else {
      return unlike(r, mu);
    }
  }
  W against(std::size_t r) const {
    if constexpr (T::has_field_words) {
      return spins[r] ^ *field;
    } else {
      return spins[r];
    }
  }
};

}  // namespace psflip::cpu
