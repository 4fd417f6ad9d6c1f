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
  static constexpr std::uint32_t resident = threads < 512 ? 512 / threads : 1;  ///< blocks on a multiprocessor
};

/// Distributions of common sizes. Sites of a block have 16-bit entries in the queue.
template <class... Shapes>
struct SquareShapes {};
using CommonSquares =
    SquareShapes<SquareShape<32, 2, 4>, SquareShape<64, 2, 4>, SquareShape<96, 6, 4>, SquareShape<128, 8, 4>>;

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

/// The rows of a block in its shared memory: spins[parity][site], with a ghost row on each side, a copy of the outer
/// row of the adjacent block. That block sends it when it has updated it. So blocks wait for their neighbours only.
template <class Shape>
class SquareRows {
  static constexpr std::uint32_t row = Shape::row, length = Shape::length, sites = Shape::sites;
  static constexpr std::uint32_t of_parity = sites + 2 * row;

 public:
  static constexpr std::size_t words = 2 * of_parity + 4;  ///< of shared memory

  /// `rank`: of this block in the cluster.
  __device__ __forceinline__ SquareRows(std::uint32_t* shared, std::uint32_t rank)
      : spins_(shared + row), arrivals_(reinterpret_cast<cluster::Arrivals*>(shared + 2 * of_parity)) {
    const std::uint32_t x = threadIdx.x % row, segment = threadIdx.x / row;
    const bool at_bottom = segment == 0, at_top = segment == Shape::rows / length - 1;
    first_ = segment * length * row + x;
    left_ = x == 0 ? static_cast<int>(row) - 1 : -1;
    right_ = x == row - 1 ? 1 - static_cast<int>(row) : 1;
    is_outer_ = at_bottom || at_top;
    outer_ = at_top ? sites - row + x : x;
    const std::uint32_t below = (rank + Shape::blocks - 1) % Shape::blocks, above = (rank + 1) % Shape::blocks;
    std::uint32_t* there = cluster::shared_of(shared, at_top ? above : below);
    ghosts_there_ = there + (at_top ? 0 : row + sites) + x;
    arrivals_there_ = reinterpret_cast<cluster::Arrivals*>(there + 2 * of_parity);
    if (threadIdx.x == 0)
      for (int parity = 0; parity < 2; ++parity) {
        cluster::initialize(arrivals_ + parity);
        cluster::expect(arrivals_ + parity, 2 * row);
      }
  }

  __device__ __forceinline__ std::uint32_t first_site() const { return first_; }
  __device__ __forceinline__ std::uint32_t* spins(std::uint32_t parity) const { return spins_ + parity * of_parity; }

  /// A barrier of the cluster must follow before other blocks send rows. `first`: site of the lattice.
  __device__ __forceinline__ void load(const PackView& global, std::uint32_t first) const {
    SharedPack<2, 1, false>::load(global, spins_, of_parity, first, sites);
#pragma unroll 1
    for (std::uint32_t i = threadIdx.x; i < 2 * row; i += Shape::threads) {
      const bool above = i >= row;
      const std::uint32_t lattice = Shape::blocks * sites,
                          from = (first + (above ? sites - row : lattice - row) + i) % lattice;
      for (int parity = 0; parity < 2; ++parity)
        spins(parity)[static_cast<int>(above ? sites : 0) + static_cast<int>(i) - static_cast<int>(row)] =
            __ldcg(global.spins(parity) + from);
    }
  }
  __device__ __forceinline__ void store(const PackView& global, std::uint32_t first) const {
    SharedPack<2, 1, false>::store(global, spins_, of_parity, first, sites);
  }

  /// Sends the outer rows of a parity to the adjacent blocks. Their threads must have waited for the preceding ones.
  __device__ __forceinline__ void send_outer(std::uint32_t parity) const {
    if (is_outer_) cluster::send(ghosts_there_ + parity * of_parity, spins(parity)[outer_], arrivals_there_ + parity);
  }
  /// The threads that read ghosts of a parity wait for them. Each send_outer() needs one call.
  __device__ __forceinline__ void wait_for_ghosts(std::uint32_t parity) {
    if (!is_outer_) return;
    cluster::wait_for(arrivals_ + parity, phases_ >> parity);
    phases_ ^= 1u << parity;
    if (threadIdx.x == 0) cluster::expect(arrivals_ + parity, 2 * row);
  }

  /// Words of the four neighbours of the sites of a parity, in which rows of a block alternate.
  __device__ __forceinline__ void load_neighbours(std::uint32_t parity, std::uint32_t (&neighbour)[length][4]) const {
    const std::uint32_t* other = spins(1 - parity) + first_;
    std::uint32_t column[length + 2];
#pragma unroll
    for (std::uint32_t k = 0; k < length + 2; ++k) column[k] = other[static_cast<int>(k * row) - static_cast<int>(row)];
#pragma unroll
    for (std::uint32_t k = 0; k < length; ++k) {
      const std::uint32_t side = other[static_cast<int>(k * row) + ((k + parity) % 2 == 1 ? right_ : left_)],
                          words_of_site[] = {column[k], column[k + 1], column[k + 2], side};
#pragma unroll
      for (int n = 0; n < 4; ++n) neighbour[k][n] = words_of_site[n];
    }
  }

 private:
  std::uint32_t *spins_, *ghosts_there_;           ///< parity 0; the ghost of the outer word of this thread
  cluster::Arrivals *arrivals_, *arrivals_there_;  ///< of ghosts of both parities
  std::uint32_t first_, outer_;                    ///< sites of the block: of this thread, and in an outer row
  int left_, right_;                               ///< steps to the x neighbour with another index than the site
  bool is_outer_;                                  ///< whether this thread has sites of an outer row
  std::uint32_t phases_ = 0;                       ///< bit `parity`: of arrivals
};

template <class Shape>
inline constexpr std::size_t square_member_bytes = 4 * (SquareRows<Shape>::words + SquareQueue<Shape>::words);

/// A half sweep of the lattice of this cluster.
template <class Shape, class Decision>
__device__ __forceinline__ void sweep_square_member(SquareRows<Shape>& rows, std::uint32_t first_site,
                                                    const typename Decision::Prepared (&prepared)[Shape::length],
                                                    std::uint32_t parity, bool is_first, const HalfSweep& s,
                                                    SquareQueue<Shape>& queue, const Decision& decide) {
  std::uint32_t neighbour[Shape::length][4], *mine = rows.spins(parity) + rows.first_site();
  typename Decision::Pending pending[Shape::length];
  if (!is_first) rows.wait_for_ghosts(1 - parity);
  rows.load_neighbours(parity, neighbour);
#pragma unroll
  for (std::uint32_t k = 0; k < Shape::length; ++k) {
    std::uint32_t spin = mine[k * Shape::row];
    pending[k] = decide(s, prepared[k], spin, neighbour[k]);
    mine[k * Shape::row] = spin;
  }
#pragma unroll
  for (std::uint32_t k = 0; k < Shape::length; ++k) queue.push(pending[k], rows.first_site() + k * Shape::row, parity);
  queue.finish(rows.spins(parity), parity, first_site, s, decide);
  __syncthreads();
  rows.send_outer(parity);
}

/// Many half sweeps of one replica of all packs. Grid (clusters x blocks of a cluster).
template <class Shape, class Decision>
__global__ void PSFLIP_CLUSTER_OF(Shape::blocks) __launch_bounds__(Shape::threads, Shape::resident)
    square_member_kernel(std::uint32_t* spins, Layout layout, const __grid_constant__ KeySchedule keys,
                         const __grid_constant__ Schedule schedule, std::uint32_t replica,
                         const __grid_constant__ Decision decide) {
  std::uint32_t* shared = shared_memory();
  const std::uint32_t rank = cluster::rank(), first_site = rank * Shape::sites;
  SquareRows<Shape> rows(shared, rank);
  SquareQueue<Shape> queue(shared + SquareRows<Shape>::words);
  for (std::uint32_t task = blockIdx.x / Shape::blocks; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t pack = schedule.pack(task), interval = schedule.interval(task),
                        begin = schedule.begin(interval), end = schedule.end(interval);
    const PackView global = layout.view<2>(spins, nullptr, pack, replica);
    schedule.wait_for(pack, interval);
    rows.load(global, first_site);
    queue.clear();
    cluster::sync();
    HalfSweep s(keys, layout.first_pack + pack, begin, replica);
    typename Decision::Prepared prepared[Shape::length];
#pragma unroll
    for (std::uint32_t k = 0; k < Shape::length; ++k)
      prepared[k] = Decision::prepare(s, first_site + rows.first_site() + k * Shape::row);
    for (std::uint32_t h = begin; h != end; ++h) {
      s.numbers.move_to(h);
      // two copies, so that the addresses of both parities are constants
      if (h & 1u)
        sweep_square_member(rows, first_site, prepared, 1, h == begin, s, queue, decide);
      else
        sweep_square_member(rows, first_site, prepared, 0, h == begin, s, queue, decide);
    }
    if (begin != end) rows.wait_for_ghosts((end - 1) & 1u);
    rows.store(global, first_site);
    __threadfence();
    cluster::sync();
    schedule.set_done(pack, interval, rank);
  }
}

}  // namespace psflip::cuda
