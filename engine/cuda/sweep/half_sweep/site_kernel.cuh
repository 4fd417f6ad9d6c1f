#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/poll_backoff.hpp"
#include "engine/cuda/update/site_update.cuh"
#include "engine/cuda/update/slab_rows.hpp"

/// Half sweeps of square lattices with packed sites in global memory, all rows or those of one rank:
/// spins[sample][parity][row][word].
namespace psflip::cuda {

/// The decision for words whose random numbers have an address that is `offset` less than their index.
template <class Decision>
struct OffsetDecision {
  const Decision& decide;
  std::uint32_t offset;

  template <int N>
  __device__ __forceinline__ typename Decision::template Drawn<N> draw(const SiteSweep& s,
                                                                       const std::uint32_t (&word_index)[N]) const {
    std::uint32_t addresses[N];
#pragma unroll
    for (int k = 0; k < N; ++k) addresses[k] = word_index[k] - offset;
    return decide.draw(s, addresses);
  }
  template <int N>
  __device__ __forceinline__ void operator()(const typename Decision::template Drawn<N>& drawn,
                                             const std::uint32_t (&neighbour)[N][4], std::uint32_t (&spin)[N],
                                             std::uint32_t (&equal)[N], std::uint32_t (&ones)[N]) const {
    decide(drawn, neighbour, spin, equal, ones);
  }
};

/// The decision for rows whose number may be L or more: their random numbers are those of row y - L.
template <class Decision>
struct SlabDecision : Decision {
  std::uint32_t lattice_words;  ///< of one parity of the full lattice

  __device__ __forceinline__ std::uint32_t address(std::uint32_t word_index) const {
    return word_index < lattice_words ? word_index : word_index - lattice_words;
  }

  template <int N>
  __device__ __forceinline__ typename Decision::template Drawn<N> draw(const SiteSweep& s,
                                                                       const std::uint32_t (&word_index)[N]) const {
    std::uint32_t addresses[N];
#pragma unroll
    for (int k = 0; k < N; ++k) addresses[k] = address(word_index[k]);
    return Decision::draw(s, addresses);
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
      while (*const_cast<volatile std::uint32_t*>(done + sample * tiles + other) < half_sweeps)
        __nanosleep(poll_backoff_ns);
      __threadfence();
    }
    __syncthreads();
  }

  /// All threads of the block have stored their words of the tile.
  __device__ __forceinline__ void set_done(std::uint32_t sample, std::uint32_t tile, std::uint32_t tiles,
                                           std::uint32_t half_sweeps) const {
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    *const_cast<volatile std::uint32_t*>(done + sample * tiles + tile) = half_sweeps;
  }
};

/// Shared memory of a thread block: its tile, the queue.
constexpr std::size_t site_queue_bytes(std::uint32_t rows) {
  return sizeof(SiteTile) + std::size_t{site_threads} * rows / 2 * sizeof(Undecided);
}

/// Updates a word column. `shift`: of its first row, the same for all threads of a launch in a half sweep.
template <class Decision>
__device__ __forceinline__ void sweep_shifted(bool shift, std::uint32_t* mine, const std::uint32_t* other,
                                              std::uint32_t L, const WordColumn& word_column, const SiteSweep& s,
                                              const Decision& decide, const UndecidedQueue& queue) {
  if (shift)
    sweep_word_column<1>(mine, other, L, word_column, s, decide, queue);
  else
    sweep_word_column<0>(mine, other, L, word_column, s, decide, queue);
}

/// The same of a slab. Only a column that crosses the edge of the lattice compares row numbers with L.
template <class Decision>
__device__ __forceinline__ void sweep_of_slab(bool shift, std::uint32_t* mine, const std::uint32_t* other,
                                              std::uint32_t L, const WordColumn& word_column, const SiteSweep& s,
                                              const SlabDecision<Decision>& decide, const UndecidedQueue& queue) {
  const std::uint32_t begin = word_column.first_row, end = begin + word_column.rows;
  if (begin < L && end > L)
    sweep_shifted(shift, mine, other, L, word_column, s, decide, queue);
  else
    sweep_shifted(shift, mine, other, L, word_column, s,
                  OffsetDecision<Decision>{decide, begin < L ? 0 : decide.lattice_words}, queue);
}

/// Updates the words of one tile in those of its rows that belong to `rows`. `mine` and `other`: the parities of the
/// lattice in memory.
template <bool CLOSED, class Decision>
__device__ __forceinline__ void sweep_tile(std::uint32_t* mine, const std::uint32_t* other, const SiteLayout& layout,
                                           const SlabRows& rows, std::uint32_t tile, const SiteSweep& s,
                                           const Decision& decide, const UndecidedQueue& queue) {
  mine = rows.from_row_0(mine);
  other = rows.from_row_0(other);
  const std::uint32_t number = tile * site_threads + threadIdx.x, row_group = number / rows.words;
  const SlabRows own = rows.of_group(layout, row_group);
  if (own.count > 0) {
    const WordColumn word_column{number - row_group * rows.words, own.y(own.begin), own.count, CLOSED};
    const bool shift = ((rows.y(rows.begin) + s.half_sweep) & 1u) != 0;
    if constexpr (CLOSED)
      sweep_shifted(shift, mine, other, layout.L, word_column, s, decide, queue);
    else
      sweep_of_slab(shift, mine, other, layout.L, word_column, s, decide, queue);
  }
  __syncthreads();
  resolve(queue, mine, rows.words, s, decide);
}

/// Many half sweeps. A thread block takes one tile after the other. It waits only for the adjoining tiles, so that half
/// sweeps overlap: there is no time at the end of each one in which few thread blocks work. Tiles are taken in the
/// order of their numbers, so that those waited for have been taken: any number of thread blocks finishes. KNOWN_L: the
/// size if it is known at compile time, so that distances are constants; else 0. CLOSED: all rows are stored.
template <std::uint32_t KNOWN_L, bool CLOSED, class Decision>
__global__ void __launch_bounds__(site_threads, 1024 / site_threads)
    site_sweeps_kernel(std::uint32_t* spins, SiteLayout layout, const __grid_constant__ SiteSweeps sweeps,
                       const __grid_constant__ SiteProgress progress, const __grid_constant__ Decision decide) {
  if constexpr (KNOWN_L != 0) layout.L = KNOWN_L;
  auto* shared = reinterpret_cast<SiteTile*>(shared_memory());
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared + 1), &shared->queued};
  while (true) {
    if (threadIdx.x == 0) *shared = sweeps.tile(progress.take());
    __syncthreads();
    const std::uint32_t k = shared->half_sweep, sample = shared->sample, tile = shared->tile;
    if (k >= sweeps.count) return;
    progress.wait<CLOSED>(sample, tile, sweeps.tiles, layout.words_in_row(), k);
    const SiteSweep s{sweeps.first + k, layout.first_sample + sample};
    std::uint32_t* lattice = layout.lattice(spins, sample);
    const std::uint32_t parity = s.half_sweep & 1u;
    sweep_tile<CLOSED>(lattice + parity * layout.words(), lattice + (1 - parity) * layout.words(), layout,
                       SlabRows::updated(layout, sweeps.before + k), tile, s, decide, queue);
    progress.set_done(sample, tile, sweeps.tiles, k + 1);
  }
}

}  // namespace psflip::cuda
