#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/update/site_update.cuh"
#include "engine/cuda/update/slab_rows.hpp"

/// Half sweeps of square lattices with packed sites in global memory, all rows or those of one rank:
/// spins[sample][parity][row][word].
namespace psflip::cuda {

/// The decision for some rows, of which those with row numbers from L on are rows y - L of the lattice.
template <class Decision>
struct SlabDecision : Decision {
  std::uint32_t lattice_words;  ///< of one parity of the full lattice
  std::uint32_t first_word;     ///< of the first stored row, in the full lattice

  /// Index in memory, from row 0 on, of a word of the lattice.
  __device__ __forceinline__ std::uint32_t stored(std::uint32_t word_index) const {
    return word_index < first_word ? word_index + lattice_words : word_index;
  }
};

/// A tile of a launch, in the shared memory of the thread block that updates it.
struct SiteTile {
  std::uint32_t half_sweep, sample, tile;  ///< half sweep of the launch, tile of the lattice
  std::uint32_t queued = 0;                ///< entries in the queue
};

/// Half sweeps of one launch. A *tile* is what one thread block updates in one half sweep: site_threads word columns of
/// a lattice, layout.rows rows each. Tiles are numbered [half sweep][sample][tile of the lattice].
struct SiteSweeps {
  std::uint32_t first, count;    ///< half sweeps
  std::uint32_t before;          ///< of some rows: half sweeps since the ghosts were received
  std::uint32_t samples, tiles;  ///< tiles of a lattice

  __device__ __forceinline__ SiteTile tile(std::uint32_t number) const {
    const std::uint32_t lattices = number / tiles, half_sweep = lattices / samples;
    return {half_sweep, lattices - half_sweep * samples, number - lattices * tiles};
  }
};

/// How far away a tile may be that adjoins another one. The rows before and after are W word columns away, and both
/// ends of a row adjoin. One more tile covers an incomplete last tile.
PSFLIP_HD constexpr std::uint32_t site_reach(std::uint32_t W) { return (W + site_threads - 1) / site_threads + 1; }

/// Progress of a launch, zero before it.
struct SiteProgress {
  std::uint32_t* taken;  ///< tiles that thread blocks have begun
  std::uint32_t* done;   ///< [sample][tile of the lattice] half sweeps

  /// The next tile, for thread 0.
  __device__ __forceinline__ std::uint32_t take() const { return atomicAdd(taken, 1u); }

  /// Waits until a tile and all tiles that adjoin it are done with `half_sweeps` half sweeps. CLOSED: the last tile
  /// adjoins the first one.
  template <bool CLOSED>
  __device__ __forceinline__ void wait(std::uint32_t sample, std::uint32_t tile, std::uint32_t tiles, std::uint32_t W,
                                       std::uint32_t half_sweeps) const {
    const std::uint32_t reach = min(site_reach(W), tiles);
    for (std::uint32_t k = threadIdx.x; k <= 2 * reach; k += blockDim.x) {
      std::uint32_t other = tile + k - reach;  // wraps before the first tile
      if (!CLOSED && other >= tiles) continue;
      if (other >= tiles) other = tile + k < reach ? other + tiles : other - tiles;
      while (load_acquire(done + sample * tiles + other) < half_sweeps) __nanosleep(poll_backoff_ns);
    }
    __syncthreads();
  }

  /// All threads of the block have stored their words of the tile.
  __device__ __forceinline__ void set_done(std::uint32_t sample, std::uint32_t tile, std::uint32_t tiles,
                                           std::uint32_t half_sweeps) const {
    __syncthreads();
    if (threadIdx.x == 0) store_release(done + sample * tiles + tile, half_sweeps);
  }
};

/// Shared memory of a thread block: its tile, the queue.
constexpr std::size_t site_queue_bytes(std::uint32_t rows) {
  return sizeof(SiteTile) + std::size_t{site_threads} * rows / 2 * sizeof(Undecided);
}

/// Updates the words of one tile in those of its rows that belong to `rows`. `mine` and `other`: the parities of the
/// lattice in memory, from row 0 on.
template <bool CLOSED, class Decision>
__device__ __forceinline__ void sweep_tile(std::uint32_t* mine, const std::uint32_t* other, const SiteLayout& layout,
                                           const SlabRows& rows, std::uint32_t tile, const SiteSweep& s,
                                           const Decision& decide, const UndecidedQueue& queue) {
  const std::uint32_t number = tile * site_threads + threadIdx.x, row_group = number / rows.words;
  const SlabRows own = rows.of_group(layout, row_group);
  if (own.count == 0) return;
  const std::uint32_t y = own.y(own.begin), beyond = CLOSED || y < layout.L ? 0 : layout.L;
  mine += beyond * rows.words;
  other += beyond * rows.words;
  const WordColumn word_column{number - row_group * rows.words, y - beyond, own.count,
                               CLOSED ? EndRows::copied_after_last : EndRows::stored};
  if (s.half_sweep & 1u)
    sweep_word_column<1>(mine, other, layout.L, word_column, s, decide, queue);
  else
    sweep_word_column<0>(mine, other, layout.L, word_column, s, decide, queue);
}

/// Copies the words of row 0 that belong to a tile to row L, when they are decided.
__device__ __forceinline__ void copy_first_row(std::uint32_t* mine, std::uint32_t L, std::uint32_t tile) {
  const std::uint32_t W = L / 64, word = tile * site_threads + threadIdx.x;
  if (tile * site_threads >= W) return;
  __syncthreads();
  if (word < W) mine[L * W + word] = mine[word];
}

/// Many half sweeps. A thread block takes one tile after the other. It waits only for the adjoining tiles, so that half
/// sweeps overlap: there is no time at the end of each one in which few thread blocks work. Tiles are taken in the
/// order of their numbers, so that those waited for have been taken: any number of thread blocks finishes. KNOWN_L: the
/// size if it is known at compile time, so that distances are constants; else 0. CLOSED: all rows are stored, and row L
/// holds a copy of row 0, which spares a comparison in every row; else the rows of one rank.
template <std::uint32_t KNOWN_L, bool CLOSED, class Decision>
__global__ void __launch_bounds__(site_threads, 1024 / site_threads)
    site_sweeps_kernel(std::uint32_t* spins, SiteLayout layout, const __grid_constant__ SiteSweeps sweeps,
                       const __grid_constant__ SiteProgress progress, const __grid_constant__ Decision decide) {
  if constexpr (KNOWN_L != 0) layout.L = KNOWN_L;
  if constexpr (KNOWN_L != 0 && CLOSED) layout.stored = KNOWN_L + rows_after_lattice;
  auto* shared = reinterpret_cast<SiteTile*>(shared_memory());
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared + 1), &shared->queued};
  while (true) {
    if (threadIdx.x == 0) *shared = sweeps.tile(progress.take());
    __syncthreads();
    const std::uint32_t k = shared->half_sweep, sample = shared->sample, tile = shared->tile;
    if (k >= sweeps.count) return;
    progress.wait<CLOSED>(sample, tile, sweeps.tiles, layout.words_in_row(), k);
    const SiteSweep s{sweeps.first + k, layout.first_sample + sample};
    const SlabRows rows = SlabRows::updated(layout, sweeps.before + k);
    std::uint32_t *lattice = rows.from_row_0(layout.lattice(spins, sample)), parity = s.half_sweep & 1u,
                  *mine = lattice + parity * layout.words();
    sweep_tile<CLOSED>(mine, lattice + (1 - parity) * layout.words(), layout, rows, tile, s, decide, queue);
    __syncthreads();
    resolve(queue, mine, rows.words, s, decide);
    if constexpr (CLOSED) copy_first_row(mine, layout.L, tile);
    // read again, so that they need no registers meanwhile
    progress.set_done(shared->sample, shared->tile, sweeps.tiles, shared->half_sweep + 1);
  }
}

}  // namespace psflip::cuda
