#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Distribution of the rows of one square lattice with packed sites over all multiprocessors.
namespace psflip::cuda {

/// Halo rows on each side of a row block, and half sweeps between two halo exchanges. Each half sweep except the last
/// before an exchange also updates halo rows, on average site_halo_rows - 1 in addition to the own rows. Two suffice,
/// because step 0 (RowPairs) hides the time of the exchange. Even, so that rows keep their shift in a launch and
/// packets of two words fill the halo rows.
inline constexpr std::uint32_t site_halo_rows = 2;
static_assert(site_halo_rows % 2 == 0);

/// Most threads of a row block. Four interleaved Philox calls of a thread keep the multipliers almost busy, so four
/// warps for each scheduler suffice and may use 128 registers. At L = 4096 each warp updates on average about two pairs
/// of words per thread in a half sweep (1024 or 1088 pairs). It then has up to about 16 undecided sites, which need one
/// more Philox call. With more warps this call would serve fewer sites.
inline constexpr std::uint32_t most_row_block_threads = 512;

/// Exchanges of a call of so many half sweeps.
constexpr std::uint32_t exchanges_of(std::uint32_t half_sweeps) {
  return (half_sweeps + site_halo_rows - 1) / site_halo_rows;
}

/// Fewer in a call do not pay for load and store.
inline constexpr std::uint32_t fewest_half_sweeps_of_row_blocks = 4;

/// Entries of the queue of a warp.
inline constexpr std::uint32_t warp_queue_entries = 64;

/// A thread block holds consecutive rows, an even number. Row blocks differ by at most two rows.
struct SiteRowBlocks {
  std::uint32_t blocks;   ///< 0: the lattice does not fit
  std::uint32_t rows;     ///< of the largest row block, without halo
  std::uint32_t threads;  ///< of a thread block, complete warps

  PSFLIP_HD std::uint32_t first_row(std::uint32_t L, std::uint32_t block) const { return L / 2 * block / blocks * 2; }
};

/// Words of one parity in shared memory.
PSFLIP_HD constexpr std::uint32_t row_block_words(std::uint32_t L, std::uint32_t rows) {
  return (rows + 2 * site_halo_rows) * (L / 64);
}

/// Shared memory of a thread block: both parities and the queues of all warps.
constexpr std::size_t row_block_bytes(std::uint32_t L, const SiteRowBlocks& shape) {
  return sizeof(std::uint32_t) *
         (std::size_t{2} * row_block_words(L, shape.rows) + shape.threads / 32 * warp_queue_entries);
}

/// Halo packets of a row block, all sides: each packet holds two words.
PSFLIP_HD constexpr std::uint32_t row_block_packets(std::uint32_t L) { return 2 * site_halo_rows * (L / 64); }

/// As many row blocks as multiprocessors if every one has at least the rows that it sends.
constexpr SiteRowBlocks site_row_blocks(std::uint32_t L, std::size_t shared_bytes, std::uint32_t multiprocessors) {
  const std::uint32_t pairs = L / 2, most = pairs / (site_halo_rows / 2),
                      at_once = multiprocessors < most ? multiprocessors : most;
  SiteRowBlocks shape{0, 0, 0};
  if (L % 64 != 0 || at_once < 2) return shape;
  const std::uint32_t longest = (pairs + at_once - 1) / at_once, blocks = (pairs + longest - 1) / longest;
  shape.rows = 2 * longest;
  const std::uint32_t items = (shape.rows / 2 + site_halo_rows - 1) * (L / 64), threads = (items + 31) / 32 * 32;
  shape.threads = threads < most_row_block_threads ? threads : most_row_block_threads;
  if (row_block_bytes(L, shape) <= shared_bytes) shape.blocks = blocks;
  return shape;
}

}  // namespace psflip::cuda
