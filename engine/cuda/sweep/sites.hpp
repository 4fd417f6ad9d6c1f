#pragma once
#include <cuda_runtime_api.h>

#include "engine/core/update.hpp"
#include "engine/cuda/sweep/persistent/site_row_blocks.hpp"
#include "engine/cuda/update/site_layout.hpp"
#include "engine/cuda/update/slab_rows.hpp"
#include "engine/random/address.hpp"

/// Launches of the updates of square lattices with packed sites.
namespace psflip::cuda {

struct SiteJob {
  std::uint32_t* spins;  ///< for start_half_sweeps() at least a row of memory before and after them
  SiteLayout layout;     ///< `rows` as the kernel uses it
  std::uint32_t samples;
  Key key;
  Thresholds thresholds;
};

/// Most threads of a block that holds a lattice of which `words` words of one parity; 0 if shared memory is too small.
std::uint32_t persistent_threads(std::size_t words);

/// Half sweeps of full lattices, each in the shared memory of one thread block.
void start_persistent(const SiteJob& job, std::uint32_t first_half_sweep, std::uint32_t half_sweeps);

/// Row blocks of one full lattice on this GPU; `blocks` is 0 if the lattice does not fit.
SiteRowBlocks choose_row_blocks(std::uint32_t L);
/// Half sweeps of one full lattice in the shared memory of all multiprocessors together. `packets`: 2 x
/// row_block_packets(L) for each row block. `sequence` of the next exchange; it is advanced and starts at 1 if the
/// packets are zero.
void start_row_blocks(const SiteJob& job, const SiteRowBlocks& shape, uint4* packets, std::uint32_t& sequence,
                      std::uint32_t first_half_sweep, std::uint32_t half_sweeps);

/// Tiles of a lattice in start_half_sweeps().
std::uint32_t site_tiles(const SiteLayout& layout);
/// Half sweeps of lattices in global memory, all rows, with rows_after_lattice, or those of one rank. `progress`: 1 +
/// samples x site_tiles() words. `before`: of some rows, half sweeps done since the ghosts were received; all together
/// no more than there are ghosts. Throws std::logic_error if a full lattice has no row after it, or some rows are more
/// than a lattice.
void start_half_sweeps(const SiteJob& job, std::uint32_t* progress, std::uint32_t first_half_sweep,
                       std::uint32_t half_sweeps, std::uint32_t before = 0, cudaStream_t stream = nullptr);

}  // namespace psflip::cuda
