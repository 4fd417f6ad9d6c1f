#pragma once
#include "engine/cuda/device/cluster.cuh"
#include "engine/cuda/sweep/persistent/known_member_shape.hpp"
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/update/z_sweep.cuh"

namespace psflip::cuda {

/// The planes of a block in its shared memory: spins[parity][site], with a ghost plane on each side, a copy of the
/// outer plane of the adjacent block. That block sends it when it has updated it. So blocks wait for their neighbours
/// only. A block that holds a full lattice has no ghosts.
template <class Shape>
class KnownPlanes {
  static constexpr int D = Shape::D;
  static constexpr bool has_ghosts = Shape::blocks > 1;
  static constexpr std::uint32_t plane = Shape::plane, length = Shape::length, sites = Shape::sites;
  static constexpr std::uint32_t of_parity = sites + (has_ghosts ? 2 * plane : 0);
  static_assert(of_parity % 2 == 0, "entries of the queue behind the planes are aligned to 16 bytes");

 public:
  static constexpr std::size_t words = 2 * of_parity + (has_ghosts ? 4 : 0);  ///< of shared memory

  /// `rank`: of this block in the cluster.
  __device__ __forceinline__ KnownPlanes(std::uint32_t* shared, std::uint32_t rank)
      : spins_(shared + (has_ghosts ? plane : 0)) {
    const Column column(threadIdx.x % plane, Shape::L);
    const std::uint32_t segment = threadIdx.x / plane, first_plane = segment * length;
    first_ = first_plane * plane + column.index;
    const bool shift = ((column.y + rank * Shape::planes + first_plane) & 1u) != 0;
    side_[0] = shift ? column.side_right : column.side_left;
    side_[1] = shift ? column.side_left : column.side_right;
    up_ = column.up;
    down_ = column.down;
    at_bottom_ = segment == 0;
    at_top_ = segment == Shape::segments - 1;
    const bool around = !has_ghosts;
    to_below_ = (around && at_bottom_ ? static_cast<int>(sites) : 0) - static_cast<int>(plane);
    to_above_ = static_cast<int>(length * plane) - (around && at_top_ ? static_cast<int>(sites) : 0);
    if constexpr (has_ghosts) find_adjacent_blocks(shared, rank, column.index);
  }

  __device__ __forceinline__ std::uint32_t first_site() const { return first_; }  ///< of this thread, in the block
  __device__ __forceinline__ std::uint32_t* spins(std::uint32_t parity) const { return spins_ + parity * of_parity; }

  /// A barrier of all blocks of the lattice.
  __device__ __forceinline__ static void synchronize() {
    if constexpr (has_ghosts)
      cluster::sync();
    else
      __syncthreads();
  }

  /// synchronize() must follow before other blocks send planes. `first`: site of the lattice.
  __device__ __forceinline__ void load(const PackView& global, std::uint32_t first) const {
    std::uint32_t word[length][2];  // all loads before the first store, so that they are in flight together
#pragma unroll
    for (std::uint32_t k = 0; k < 2 * length; ++k)
      word[k / 2][k % 2] = __ldcg(global.spins(k % 2) + first + threadIdx.x + k / 2 * Shape::threads);
#pragma unroll
    for (std::uint32_t k = 0; k < 2 * length; ++k)
      spins(k % 2)[threadIdx.x + k / 2 * Shape::threads] = word[k / 2][k % 2];
#pragma unroll 1
    for (std::uint32_t i = threadIdx.x; has_ghosts && i < 2 * plane; i += Shape::threads) {
      const bool above = i >= plane;
      const std::uint32_t lattice = Shape::blocks * sites,
                          from = (first + (above ? sites - plane : lattice - plane) + i) % lattice;
      for (int parity = 0; parity < 2; ++parity)
        spins(parity)[static_cast<int>(above ? sites : 0) + static_cast<int>(i) - static_cast<int>(plane)] =
            __ldcg(global.spins(parity) + from);
    }
  }
  __device__ __forceinline__ void store(const PackView& global, std::uint32_t first) const {
    SharedPack<D, 1, false>::store(global, spins_, of_parity, first, sites);
  }

  /// Sends the outer planes of a parity to the adjacent blocks. Their threads must have waited for the preceding ones.
  __device__ __forceinline__ void send_outer(std::uint32_t parity) const {
    if constexpr (!has_ghosts) return;
    const std::uint32_t* mine = spins(parity) + first_;
    if (at_bottom_) cluster::send(below_ + parity * of_parity, mine[0], arrivals_below_ + parity);
    if (at_top_) cluster::send(above_ + parity * of_parity, mine[(length - 1) * plane], arrivals_above_ + parity);
  }
  /// The threads that read ghosts of a parity wait for them. Each send_outer() needs one call.
  __device__ __forceinline__ void wait_for_ghosts(std::uint32_t parity) {
    if (!has_ghosts || (!at_bottom_ && !at_top_)) return;
    cluster::wait_for(arrivals_ + parity, phases_ >> parity);
    phases_ ^= 1u << parity;
    if (threadIdx.x == 0) cluster::expect(arrivals_ + parity, 2 * plane);
  }

  /// Words of the neighbours of the sites of a parity.
  __device__ __forceinline__ void load_neighbours(std::uint32_t parity,
                                                  std::uint32_t (&neighbour)[length][2 * D]) const {
    const std::uint32_t* other = spins(1 - parity) + first_;
    std::uint32_t column[length + 2];
#pragma unroll
    for (std::uint32_t k = 0; k < length; ++k) column[k + 1] = other[k * plane];
    column[0] = other[has_ghosts ? -static_cast<int>(plane) : to_below_];
    column[length + 1] = other[has_ghosts ? static_cast<int>(length * plane) : to_above_];
#pragma unroll
    for (std::uint32_t k = 0; k < length; ++k) {
      const std::uint32_t* here = other + k * plane;
      const std::uint32_t in_plane[] = {column[k], column[k + 1], column[k + 2], here[side_[(k + parity) % 2]]};
#pragma unroll
      for (int n = 0; n < 4; ++n) neighbour[k][n] = in_plane[n];
      if constexpr (D == 3) {
        neighbour[k][4] = here[up_];
        neighbour[k][5] = here[down_];
      }
    }
  }

 private:
  /// Prepares messages to and from the adjacent blocks. `column`: index of that of this thread in a plane.
  __device__ __forceinline__ void find_adjacent_blocks(std::uint32_t* shared, std::uint32_t rank,
                                                       std::uint32_t column) {
    arrivals_ = arrivals_of(shared);
    std::uint32_t* below = cluster::shared_of(shared, (rank + Shape::blocks - 1) % Shape::blocks);
    std::uint32_t* above = cluster::shared_of(shared, (rank + 1) % Shape::blocks);
    below_ = below + plane + sites + column;
    above_ = above + column;
    arrivals_below_ = arrivals_of(below);
    arrivals_above_ = arrivals_of(above);
    if (threadIdx.x == 0)
      for (int parity = 0; parity < 2; ++parity) {
        cluster::initialize(arrivals_ + parity);
        cluster::expect(arrivals_ + parity, 2 * plane);
      }
  }
  __device__ __forceinline__ static cluster::Arrivals* arrivals_of(std::uint32_t* shared) {
    return reinterpret_cast<cluster::Arrivals*>(shared + 2 * of_parity);
  }

  std::uint32_t *spins_, *below_, *above_;  ///< parity 0; ghosts of the outer words of this thread
  cluster::Arrivals *arrivals_, *arrivals_below_, *arrivals_above_;  ///< of ghosts of both parities
  std::uint32_t first_;
  int side_[2], up_, down_;   ///< steps to neighbours; side: to the x neighbour with another index, for even and odd
                              ///< planes of the segment at parity 0
  int to_below_, to_above_;   ///< steps from the first site of this thread to those below it and above its last one
  bool at_bottom_, at_top_;   ///< whether this thread has sites of an outer plane
  std::uint32_t phases_ = 0;  ///< bit `parity`: of arrivals
};

}  // namespace psflip::cuda
