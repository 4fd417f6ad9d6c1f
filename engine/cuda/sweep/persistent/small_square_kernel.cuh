#pragma once
#include "engine/cuda/update/site_update.cuh"

// Persistent kernel for square lattices of common small sizes with packed sites, each in the shared memory of a block.
namespace psflip::cuda {

/// A lattice size known at compile time, so that addresses are constants. Every thread has a word column of two rows.
/// The number of blocks on a multiprocessor leaves each thread 64 registers.
template <int L_>
struct SmallSquare {
  static constexpr std::uint32_t L = L_, W = L / 64, words = L * W, threads = words / 2,
                                 blocks_at_once = 1024 / threads;
};

/// Queue of the undecided sites of a thread block, a fraction 2^-8, one entry each. A residual number costs a Philox
/// call, which a warp makes for 32 sites at once. The queue does not change results: sites of one parity do not
/// interact, and every residual number has its own address.
template <class Square>
struct SiteQueue {
  /// 64 x word index + 2 x bit, plus 1 if the site has one unsatisfied bond.
  using Entry = std::uint16_t;
  static_assert(64 * Square::words <= 65536);
  static constexpr std::uint32_t capacity = 32 * Square::words;  ///< for all sites of one parity
  Entry* entries;
  std::uint32_t* end;   ///< entries of this and all earlier half sweeps; never reset, which saves a barrier
  std::uint32_t begin;  ///< entries of earlier half sweeps

  /// Adds the sites of two words of a column.
  __device__ __forceinline__ void push(std::uint32_t word_index, std::uint32_t (&equal)[2],
                                       const std::uint32_t (&ones)[2]) const {
    if ((equal[0] | equal[1]) == 0) return;
    std::uint32_t index = atomicAdd(end, __popc(equal[0]) + __popc(equal[1])) - begin;
    do {
      const bool second = equal[0] == 0;
      const std::uint32_t mask = second ? equal[1] : equal[0], lane = 31 - __clz(mask), bit = 1u << lane;
      const std::uint32_t one = (second ? ones[1] : ones[0]) >> lane & 1u;
      entries[index++] = static_cast<Entry>((word_index + (second ? Square::W : 0)) * 64 + 2 * lane + one);
      (second ? equal[1] : equal[0]) = mask ^ bit;
    } while ((equal[0] | equal[1]) != 0);
  }

  /// Flips the site of an entry if its residual number is below its threshold.
  template <class Decision>
  __device__ __forceinline__ static void settle(std::uint32_t entry, std::uint32_t* mine, const SiteSweep& s,
                                                const Decision& decide) {
    const std::uint32_t word_index = entry >> 6, lane = entry >> 1 & 31u;
    const std::uint32_t number =
        numbers_at(decide.keys, word_index, s.half_sweep, s.sample, 0, residual_draw + lane).x[0];
    const std::uint32_t t = entry & 1u ? decide.thresholds.by_unsatisfied[1] : decide.thresholds.by_unsatisfied[0];
    if (number < (t << plane_count)) atomicXor(mine + word_index, 1u << lane);
  }
};

template <class Square>
constexpr std::size_t small_bytes() {
  return 2 * Square::words * sizeof(std::uint32_t) +
         SiteQueue<Square>::capacity * sizeof(typename SiteQueue<Square>::Entry);
}

/// Indices of a thread's words (rows of shift PARITY and 1 - PARITY) and of their neighbours; equal for both parities.
template <class Square>
struct SmallWordColumn {
  static constexpr int W = Square::W;
  std::uint32_t word_index, above, below;  ///< of the first row, of the row before it and of the row after the second
  int right, left;                         ///< steps to the adjacent words

  __device__ __forceinline__ explicit SmallWordColumn(std::uint32_t number) {
    const std::uint32_t word = number % W;
    word_index = number / W * 2 * W + word;
    above = number < W ? Square::words - W + word : word_index - W;
    below = number + W < Square::threads ? word_index + 2 * W : word;
    right = word + 1 == W ? 1 - W : 1;
    left = word == 0 ? W - 1 : -1;
    asm("" : "+r"(above), "+r"(below), "+r"(right), "+r"(left));  // not to be computed again in every half sweep
  }

  template <class Decision>
  __device__ __forceinline__ auto draw(const SiteSweep& s, const Decision& decide) const {
    return decide.template draw<2>(s, {word_index, word_index + W});
  }

  template <int PARITY, class Decision>
  __device__ __forceinline__ void update(std::uint32_t* lattice, const typename Decision::template Drawn<2>& drawn,
                                         const Decision& decide, const SiteQueue<Square>& queue) const {
    std::uint32_t* mine = lattice + PARITY * Square::words + word_index;
    const std::uint32_t *other = lattice + (1 - PARITY) * Square::words, *row = other + word_index;
    std::uint32_t spin[2] = {mine[0], mine[W]}, neighbour[2][4], equal[2], ones[2];
    const std::uint32_t adjacent[2] = {row[PARITY ? right : left], row[W + (PARITY ? left : right)]};
    find_neighbours<PARITY>({other[above], row[0], row[W], other[below], {adjacent[0], adjacent[1]}}, neighbour);
    decide(drawn, neighbour, spin, equal, ones);
    mine[0] = spin[0];
    mine[W] = spin[1];
    queue.push(word_index, equal, ones);
  }
};

/// Many half sweeps, each lattice in the shared memory of one thread block. Grid (samples), one thread per word column.
/// The planes of the next half sweep are drawn while some threads still decide queued sites of this one.
template <class Square, class Decision>
__global__ void __launch_bounds__(Square::threads, Square::blocks_at_once)
    small_sites_kernel(std::uint32_t* spins, std::uint64_t first_sample, std::uint32_t first_half_sweep,
                       std::uint32_t half_sweeps, const __grid_constant__ Decision decide) {
  extern __shared__ uint4 shared_quads[];
  __shared__ std::uint32_t end;
  constexpr std::uint32_t quads = Square::words / 2;
  auto* lattice = reinterpret_cast<std::uint32_t*>(shared_quads);
  auto* global = reinterpret_cast<uint4*>(spins) + std::size_t{quads} * blockIdx.x;
  shared_quads[threadIdx.x] = global[threadIdx.x];
  if (threadIdx.x == 0) end = 0;
  const SmallWordColumn<Square> word_column(threadIdx.x);
  SiteQueue<Square> queue{reinterpret_cast<typename SiteQueue<Square>::Entry*>(shared_quads + quads), &end, 0};
  SiteSweep s{first_half_sweep, first_sample + blockIdx.x};
  // A different warp takes the first queue entries in every half sweep; its scheduler would otherwise have more work
  // than the others.
  std::uint32_t first_entry = (threadIdx.x + 32 * blockIdx.x) % Square::threads;
  auto drawn = word_column.draw(s, decide);
  __syncthreads();
  for (std::uint32_t k = 0; k < half_sweeps; ++k) {
    const std::uint32_t parity = s.half_sweep & 1u;
    if (parity == 0)  // two copies, so that the addresses of both parities are constants
      word_column.template update<0>(lattice, drawn, decide, queue);
    else
      word_column.template update<1>(lattice, drawn, decide, queue);
    __syncthreads();
    const std::uint32_t size = end - queue.begin;
    for (std::uint32_t i = first_entry; i < size; i += Square::threads)
      queue.settle(queue.entries[i], lattice + parity * Square::words, s, decide);
    first_entry = (first_entry + 32) % Square::threads;
    queue.begin += size;
    ++s.half_sweep;
    drawn = word_column.draw(s, decide);
    __syncthreads();
  }
  global[threadIdx.x] = shared_quads[threadIdx.x];
}

}  // namespace psflip::cuda
