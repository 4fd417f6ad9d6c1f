#pragma once
#include "engine/cuda/update/site_layout.hpp"
#include "engine/cuda/update/thread_of_lattice.cuh"
#include "engine/random/address.hpp"

namespace psflip::cuda {

/// Random spins at half sweep 0. Grid (samples x blocks of a lattice), one thread per word.
static __global__ void fill_sites_kernel(std::uint32_t* spins, SiteLayout layout, Key key,
                                         std::uint32_t blocks_of_lattice) {
  const auto [sample, word_index] = ThreadOfLattice(blocks_of_lattice);
  if (word_index >= layout.words()) return;
  std::uint32_t* lattice = layout.lattice(spins, sample);
  const std::uint32_t W = layout.words_in_row(), address = (layout.first * W + word_index) % (layout.L * W);
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    lattice[parity * layout.words() + word_index] =
        numbers_at(key, address, parity, layout.first_sample + sample, 0, 0).x[0];
}

}  // namespace psflip::cuda
