#pragma once
#include "engine/cuda/device/cluster.cuh"
#include "engine/cuda/sweep/persistent/schedule.cuh"
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/update/decisions.cuh"
#include "engine/cuda/update/square_decision.cuh"

/// Persistent kernel for packs of square lattices without couplings and without a field, of a size and a distribution
/// over the blocks of a cluster that are known at compile time. It does what member_kernel does, with fewer
/// instructions: addresses are constants, and no loop has a variable length.
namespace psflip::cuda {

/// Every thread updates `length` sites of each parity of a column.
template <std::uint32_t L_, std::uint32_t BLOCKS, std::uint32_t LENGTH>
struct SquareShape {
  static constexpr std::uint32_t L = L_, blocks = BLOCKS, length = LENGTH;
  static constexpr std::uint32_t row = L / 2, rows = L / blocks;  ///< sites of a parity in a row, rows of a block
  static constexpr std::uint32_t sites = row * rows, threads = sites / length;
  static_assert(blocks > 1 && L % blocks == 0 && rows % length == 0 && rows > length && length % 2 == 0);
  static_assert(threads % 32 == 0);
  static constexpr std::uint32_t at_once = threads <= 512 ? 2 : 1;  ///< blocks on a multiprocessor
};

/// Of a common size: sites of a block have 16-bit entries in the queue.
using CommonSquare = SquareShape<128, 8, 4>;

/// Whether the kernel is one for a model and the decision of a group of its replicas.
template <class T, class Decision>
inline constexpr bool is_square_member = !T::has_couplings && std::is_same_v<Decision, IndependentDecision<1, 2>>;

/// Queue of the undecided lanes of a thread block, one entry each, with places for all lanes of a half sweep. Threads
/// add lanes when they have updated their words. Then all threads decide them, one lane each.
template <class Shape>
class SquareQueue {
  /// 64 x site + 2 x lane, plus 1 if one bond of the site is unsatisfied.
  using Entry = std::uint16_t;
  static_assert(64 * Shape::sites <= 65536);

 public:
  /// Words of shared memory.
  static constexpr std::size_t words = 2 + 32 * Shape::sites * sizeof(Entry) / 4;

  __device__ __forceinline__ explicit SquareQueue(std::uint32_t* shared)
      : counts_(shared), entries_(reinterpret_cast<Entry*>(shared + 2)) {}

  /// Must be called before the first half sweep of a pack, and be followed by a barrier.
  __device__ __forceinline__ void clear() {
    if (threadIdx.x < 2) counts_[threadIdx.x] = 0;
  }

  /// Adds the undecided lanes of a site. Half sweeps of parity 0 and 1 must alternate.
  template <class Pending>
  __device__ __forceinline__ void push(const Pending& pending, std::uint32_t site, std::uint32_t parity) {
    std::uint32_t equal = pending.equal;
    if (equal == 0) return;
    std::uint32_t place = atomicAdd(counts_ + parity, static_cast<std::uint32_t>(__popc(equal)));
    do {
      const std::uint32_t lane = 31 - __clz(equal), one = pending.ones >> lane & 1u;
      entries_[place++] = static_cast<Entry>(site * 64 + 2 * lane + one);
      equal ^= 1u << lane;
    } while (equal != 0);
  }

  /// Decides all lanes of a half sweep. A barrier must follow before the next one.
  template <class Decision>
  __device__ __forceinline__ void finish(std::uint32_t* mine, std::uint32_t parity, std::uint32_t first_site,
                                         const HalfSweep& s, const Decision& decide) {
    __syncthreads();  // entries, and the spins of the words, are written
    const std::uint32_t count = counts_[parity];
    for (std::uint32_t n = threadIdx.x; n < count; n += Shape::threads) {
      const std::uint32_t entry = entries_[n], site = entry >> 6, lane = entry >> 1 & 31u;
      if (decide.flips_lane(s, first_site + site, entry & 1u, lane)) atomicXor(mine + site, 1u << lane);
    }
    if (threadIdx.x == 0) counts_[1 - parity] = 0;
  }

 private:
  std::uint32_t* counts_;  ///< numbers of lanes in half sweeps of both parities
  Entry* entries_;
};

template <class Shape>
inline constexpr std::size_t square_member_bytes = 4 * (2 * Shape::sites + SquareQueue<Shape>::words);

/// The words of a thread. Their places are the same for both parities.
template <class Shape>
class SquareColumn {
  static constexpr std::uint32_t row = Shape::row, length = Shape::length;

 public:
  /// `rank`: of this block in the cluster.
  __device__ __forceinline__ SquareColumn(std::uint32_t* shared, std::uint32_t rank) : shared_(shared) {
    const std::uint32_t x = threadIdx.x % row, segment = threadIdx.x / row;
    first_ = segment * length * row + x;
    left_ = x == 0 ? static_cast<int>(row) - 1 : -1;
    right_ = x == row - 1 ? 1 - static_cast<int>(row) : 1;
    at_bottom_ = segment == 0;
    at_top_ = segment == Shape::rows / length - 1;
    const std::uint32_t below = (rank + Shape::blocks - 1) % Shape::blocks, above = (rank + 1) % Shape::blocks;
    outside_ = cluster::shared_of(shared, at_bottom_ ? below : above) + (at_bottom_ ? Shape::sites - row : 0) + x;
  }

  __device__ __forceinline__ std::uint32_t first_site() const { return first_; }
  __device__ __forceinline__ std::uint32_t* words(std::uint32_t parity) const {
    return shared_ + parity * Shape::sites;
  }

  /// Words of the four neighbours of the sites of a parity, in which rows of a block alternate.
  __device__ __forceinline__ void load_neighbours(std::uint32_t parity, std::uint32_t (&neighbour)[length][4]) const {
    const std::uint32_t* other = words(1 - parity) + first_;
    std::uint32_t column[length + 2];
    column[0] = at_bottom_ ? outside_[(1 - parity) * Shape::sites] : other[-static_cast<int>(row)];
    column[length + 1] = at_top_ ? outside_[(1 - parity) * Shape::sites] : other[length * row];
#pragma unroll
    for (std::uint32_t k = 0; k < length; ++k) column[k + 1] = other[k * row];
#pragma unroll
    for (std::uint32_t k = 0; k < length; ++k) {
      const std::uint32_t side = other[static_cast<int>(k * row) + ((k + parity) % 2 == 1 ? right_ : left_)],
                          words_of_site[] = {column[k], column[k + 1], column[k + 2], side};
#pragma unroll
      for (int n = 0; n < 4; ++n) neighbour[k][n] = words_of_site[n];
    }
  }

 private:
  std::uint32_t* shared_;
  const std::uint32_t* outside_;  ///< parity 0 of the row next to the block, for threads at its ends
  std::uint32_t first_;           ///< site in the block
  int left_, right_;              ///< steps to the x neighbour that does not have the index of the site
  bool at_bottom_, at_top_;
};

/// A half sweep of the lattice of this cluster.
template <class Shape, class Decision>
__device__ __forceinline__ void sweep_square_member(const SquareColumn<Shape>& column, std::uint32_t first_site,
                                                    const typename Decision::Prepared (&prepared)[Shape::length],
                                                    std::uint32_t parity, const HalfSweep& s,
                                                    SquareQueue<Shape>& queue, const Decision& decide) {
  std::uint32_t neighbour[Shape::length][4], *mine = column.words(parity) + column.first_site();
  typename Decision::Pending pending[Shape::length];
  column.load_neighbours(parity, neighbour);
#pragma unroll
  for (std::uint32_t k = 0; k < Shape::length; ++k) {
    std::uint32_t spin = mine[k * Shape::row];
    pending[k] = decide(s, prepared[k], spin, neighbour[k]);
    mine[k * Shape::row] = spin;
  }
#pragma unroll
  for (std::uint32_t k = 0; k < Shape::length; ++k) queue.push(pending[k], column.first_site() + k * Shape::row, parity);
  queue.finish(column.words(parity), parity, first_site, s, decide);
  cluster::sync();
}

/// Many half sweeps of one replica of lattices, numbered [replica][pack] in the schedule. Grid (clusters x blocks of a
/// cluster).
template <class Shape, class Decision>
__global__ void PSFLIP_CLUSTER_OF(Shape::blocks) __launch_bounds__(Shape::threads, Shape::at_once)
    square_member_kernel(std::uint32_t* spins, Layout layout, const __grid_constant__ KeySchedule keys,
                         const __grid_constant__ Schedule schedule, std::uint32_t packs, std::uint32_t first_replica,
                         const __grid_constant__ Decision decide) {
  using Pack = SharedPack<2, 1, false>;
  std::uint32_t* shared = shared_memory();
  const std::uint32_t rank = cluster::rank(), first_site = rank * Shape::sites;
  const SquareColumn<Shape> column(shared, rank);
  SquareQueue<Shape> queue(shared + 2 * Shape::sites);
  for (std::uint32_t task = blockIdx.x / Shape::blocks; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t number = schedule.pack(task), interval = schedule.interval(task), group = number / packs,
                        pack = number - group * packs, replica = first_replica + group;
    const PackView global = layout.view<2>(spins, nullptr, pack, replica);
    schedule.wait_for(number, interval);
    Pack::load(global, shared, Shape::sites, first_site, Shape::sites);
    queue.clear();
    cluster::sync();
    typename Decision::Prepared prepared[Shape::length];
    HalfSweep s(keys, layout.first_pack + pack, 0, replica);
#pragma unroll
    for (std::uint32_t k = 0; k < Shape::length; ++k)
      prepared[k] = Decision::prepare(s, first_site + column.first_site() + k * Shape::row);
    for (std::uint32_t h = schedule.begin(interval); h != schedule.end(interval); ++h) {
      s.numbers.move_to(h);
      // two copies, so that the addresses of both parities are constants
      if (h & 1u)
        sweep_square_member(column, first_site, prepared, 1, s, queue, decide);
      else
        sweep_square_member(column, first_site, prepared, 0, s, queue, decide);
    }
    Pack::store(global, shared, Shape::sites, first_site, Shape::sites);
    __threadfence();
    cluster::sync();
    schedule.set_done(number, interval, rank);
  }
}

}  // namespace psflip::cuda
