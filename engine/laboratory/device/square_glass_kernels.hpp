#pragma once
#include "engine/laboratory/generators/generators.hpp"
#include "engine/laboratory/glass2d/update.hpp"

/// Launches of the 2D spin glass. Bytes: a thread has one realization, those of neighbouring threads lie side by side
/// in global memory. Words: a thread block has a group of 32 or 64 realizations in shared memory, and its threads share
/// the sites of a half sweep.
namespace psflip::laboratory::device {

/// All groups in the memory of the GPU.
template <class E>
struct GlassArrays {
  E* spins;            ///< words [group][place], bytes [place][group]
  const E* couplings;  ///< words [group][direction][place], bytes [direction][place][group]
  std::uint32_t L, groups;
};

/// Half sweeps 0 ... count - 1 of all groups, with the addressed numbers of psflip at `key`.
template <class E>
void sweep_addressed(const GlassArrays<E>& glass, const Thresholds& thresholds, const Key& key, std::uint32_t count,
                     unsigned threads_per_block);

/// The same with a generator that has a state for each of glass_threads() threads.
template <class E, class G>
void sweep_stateful(const GlassArrays<E>& glass, const Thresholds& thresholds, std::uint32_t* states,
                    std::uint32_t count, unsigned threads_per_block);

/// Threads of a launch.
template <class E>
std::size_t glass_threads(const GlassArrays<E>& glass, unsigned threads_per_block) {
  const std::size_t blocks = sizeof(E) > 1 ? glass.groups : (glass.groups + threads_per_block - 1) / threads_per_block;
  return blocks * threads_per_block;
}

}  // namespace psflip::laboratory::device
