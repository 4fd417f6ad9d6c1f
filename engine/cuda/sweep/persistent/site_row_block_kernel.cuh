#pragma once
#include "engine/cuda/sweep/persistent/site_row_halo.cuh"
#include "engine/cuda/sweep/persistent/warp_site_queue.cuh"

/// Many half sweeps of one square lattice with packed sites, distributed over the shared memory of all multiprocessors.
/// Each thread block updates its rows and repeats updates of halo rows: in the half sweeps after an exchange first
/// site_halo_rows - 1 rows on each side, then one fewer each time. The random numbers are those of the full lattice.
namespace psflip::cuda {

/// A lattice size known at compile time, so that distances are constants; 0: known only at launch. Thread blocks of a
/// known size have most_row_block_threads.
template <std::uint32_t L_>
struct KnownSites {
  static constexpr std::uint32_t L = L_;
  __device__ __forceinline__ static std::uint32_t threads() { return L != 0 ? most_row_block_threads : blockDim.x; }
};

/// Rows of a thread block in shared memory: [parity][halo, own rows, halo][word].
struct SiteRowBlock {
  std::uint32_t W, rows, first_row;
  std::uint32_t words, lattice_words;  ///< of one parity: in shared memory; of the full lattice
  std::uint32_t offset;                ///< index in the full lattice of the first word of a parity in shared memory
  std::uint32_t threads, pair, word;   ///< of this thread: first pair of rows and word in these rows

  __device__ __forceinline__ SiteRowBlock(std::uint32_t L, const SiteRowBlocks& shape, std::uint32_t of_block)
      : W(L / 64),
        rows(shape.first_row(L, blockIdx.x + 1) - shape.first_row(L, blockIdx.x)),
        first_row(shape.first_row(L, blockIdx.x)),
        words(row_block_words(L, rows)),
        lattice_words(L * W),
        offset((first_row == 0 ? L : first_row) * W - site_halo_rows * W),
        threads(of_block),
        pair(threadIdx.x / W),
        word(threadIdx.x - pair * W) {}
  __device__ __forceinline__ std::uint32_t address(std::uint32_t word_index) const {
    const std::uint32_t index = word_index + offset;
    return index < lattice_words ? index : index - lattice_words;
  }
  /// Calls f with pointers to two words of own rows in shared memory and in the full lattice, where a parity has
  /// `stored` words.
  template <class F>
  __device__ __forceinline__ void for_own_words(std::uint32_t* shared, std::uint32_t* spins, std::uint32_t stored,
                                                const F& f) const {
    for (std::uint32_t parity = 0; parity < 2; ++parity)
      for (std::uint32_t i = 2 * threadIdx.x; i < rows * W; i += 2 * blockDim.x)
        f(reinterpret_cast<uint2*>(shared + parity * words + site_halo_rows * W + i),
          reinterpret_cast<uint2*>(spins + parity * stored + first_row * W + i));
  }
};

/// Pairs of successive rows, counted in shared memory: `gap` rows are between the two halves of the pairs.
struct RowPairs {
  std::uint32_t first, count, gap;

  /// Steps 0 and 1 are the first half sweep after an exchange: step 0 the rows that need no halo, step 1 the others.
  __device__ __forceinline__ RowPairs(std::uint32_t step, std::uint32_t rows)
      : first(step == 0 ? site_halo_rows + 1 : step),
        count(step == 0   ? rows / 2 - 1
              : step == 1 ? site_halo_rows
                          : rows / 2 + site_halo_rows - step),
        gap(step == 1 ? rows - 2 : 0) {}
  __device__ __forceinline__ std::uint32_t row(std::uint32_t pair) const {
    return first + 2 * pair + (pair >= count / 2 ? gap : 0);
  }
};

/// Updates two words of a column. SHIFT is that of the first row: 1 if the x neighbours of a word are in the word of
/// the same index and the next one, 0 if in that word and the one before.
template <int SHIFT, class Decision>
__device__ __forceinline__ void update_word_pair(const SiteRowBlock& block, std::uint32_t* mine,
                                                 const std::uint32_t* other, std::uint32_t index, std::uint32_t word,
                                                 const SiteSweep& s, const Decision& decide, std::uint32_t (&equal)[2],
                                                 std::uint32_t (&ones)[2]) {
  const auto W = static_cast<int>(block.W);
  const int right = static_cast<int>(word) + 1 == W ? 1 - W : 1, left = word == 0 ? W - 1 : -1;
  const std::uint32_t* row = other + index;
  std::uint32_t spin[2] = {mine[index], mine[index + block.W]}, neighbour[2][4];
  find_neighbours<SHIFT>(
      {row[-W], row[0], row[W], row[2 * W], {row[SHIFT ? right : left], row[W + (SHIFT ? left : right)]}}, neighbour);
  decide(decide.template draw<2>(s, {block.address(index), block.address(index + block.W)}), neighbour, spin, equal,
         ones);
  mine[index] = spin[0];
  mine[index + block.W] = spin[1];
}

/// Updates pairs of rows; undecided sites remain in the queue. Calls `before_last` before the last pair of this warp.
template <int SHIFT, class Decision, class BeforeLast>
__device__ __forceinline__ void update_row_pairs(const SiteRowBlock& block, const RowPairs& pairs, std::uint32_t* mine,
                                                 const std::uint32_t* other, const SiteSweep& s, const Decision& decide,
                                                 WarpSiteQueue& queue, const BeforeLast& before_last) {
  const std::uint32_t items = pairs.count * block.W, lane = threadIdx.x & 31u;
  const std::uint32_t pair_step = block.threads / block.W, word_step = block.threads - pair_step * block.W;
  std::uint32_t pair = block.pair, word = block.word;
  for (std::uint32_t i = threadIdx.x - lane; i < items; i += block.threads) {
    if (i + block.threads >= items) before_last();
    const std::uint32_t index = pairs.row(pair) * block.W + word;
    std::uint32_t equal[2] = {0, 0}, ones[2] = {0, 0};
    if (i + lane < items) update_word_pair<SHIFT>(block, mine, other, index, word, s, decide, equal, ones);
    while (queue.push(index, block.W, equal, ones))
      if (queue.full()) queue.settle(mine, s, decide, [&](std::uint32_t w) { return block.address(w); });
    pair += pair_step;
    word += word_step;
    if (word >= block.W) {
      word -= block.W;
      ++pair;
    }
  }
}

/// Grid (row blocks), cooperative launch. SHIFT: of an odd row in the first half sweep. `stored`: words of a parity of
/// the lattice in memory.
template <class Known, int SHIFT, class Decision>
__global__ void __launch_bounds__(most_row_block_threads, 1)
    site_row_block_kernel(std::uint32_t* spins, std::uint32_t size, std::uint32_t stored, std::uint64_t sample,
                          SiteRowBlocks shape, std::uint32_t first_half_sweep, std::uint32_t half_sweeps,
                          SiteHaloPackets packets, const __grid_constant__ Decision decide) {
  const std::uint32_t L = Known::L != 0 ? Known::L : size;
  const SiteRowBlock block(L, shape, Known::threads());
  std::uint32_t* lattice = shared_memory();
  WarpSiteQueue queue(lattice + 2 * block.words + threadIdx.x / 32 * warp_queue_entries);
  SiteRowHalo halo(packets, L, shape.blocks, block.rows);
  block.for_own_words(lattice, spins, stored, [](uint2* shared, const uint2* global) { *shared = *global; });
  __syncthreads();
  SiteSweep s{first_half_sweep, sample};
  std::uint32_t step = 0;
  while (s.half_sweep != first_half_sweep + half_sweeps) {
    if (step == 0) {
      halo.send(lattice);
      __syncthreads();  // step 0 updates rows that are sent
    }
    std::uint32_t* mine = lattice + (s.half_sweep & 1u) * block.words;
    const std::uint32_t* other = lattice + (~s.half_sweep & 1u) * block.words;
    update_row_pairs<SHIFT>(block, RowPairs(step, block.rows), mine, other, s, decide, queue, [&] {
      if (step == 0) halo.request();
    });
    if (step == 0) {
      halo.receive(lattice);
    } else {
      if (!queue.empty()) queue.settle(mine, s, decide, [&](std::uint32_t w) { return block.address(w); });
      ++s.half_sweep;
    }
    __syncthreads();
    step = step == site_halo_rows ? 0 : step + 1;
  }
  block.for_own_words(lattice, spins, stored, [](const uint2* shared, uint2* global) { *global = *shared; });
}

}  // namespace psflip::cuda
