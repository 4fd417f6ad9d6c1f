#pragma once
#include "engine/laboratory/device/generator_kernels.hpp"
#include "engine/laboratory/layouts/update.hpp"

/// The layouts of the spin glass with cuRAND's MTGP32. Its state belongs to a block, whose threads draw together.
namespace psflip::laboratory::device {

/// cuRAND has parameters for so many states, so a launch has no more blocks.
inline constexpr unsigned most_mtgp32_blocks = 200;
/// A state serves at most so many threads.
inline constexpr unsigned most_mtgp32_threads = 256;

/// A half sweep of one parity by `blocks` blocks, which go through the sites of all packs. `states` has one for each.
template <class Layout>
void update_mtgp32(int parity, const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                   CurandStates& states, unsigned blocks, unsigned threads_per_block);

}  // namespace psflip::laboratory::device
