#pragma once
#include <cstdint>

#include "engine/laboratory/generators/generators.hpp"
#include "engine/laboratory/layouts/update.hpp"

/// Launches of the layouts of the spin glass. A thread updates `sites_per_thread` sites of one pack; blockIdx.y is the
/// pack.
namespace psflip::laboratory::device {

struct Shape {
  unsigned threads_per_block = 256, sites_per_thread = 1;

  unsigned blocks(std::uint32_t sites) const {
    const unsigned of_block = threads_per_block * sites_per_thread;
    return (sites + of_block - 1) / of_block;
  }
  std::size_t threads(const GlassView& glass) const {
    return std::size_t{blocks(glass.sites)} * threads_per_block * glass.packs;
  }
};

/// A half sweep of one parity with psflip's addressed numbers.
template <class Layout>
void update_addressed(int parity, const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                      const AddressedNumbers& numbers, const Shape& shape);

/// The same with a generator that has a state for each of shape.threads() threads.
template <class Layout, class G>
void update_stateful(int parity, const GlassView& glass, const Layout& layout, const Thresholds& thresholds,
                     std::uint32_t* states, const Shape& shape);

/// The memory access alone.
template <class Layout>
void stencil(int parity, const GlassView& glass, const Layout& layout, const Shape& shape);

/// Fills the states of `threads` threads with words that are random and possible for G.
template <class G>
void seed_states(std::uint32_t* states, std::size_t threads);

}  // namespace psflip::laboratory::device
