#pragma once
#include "engine/cuda/sweep/sublattice_blocks/halo.cuh"

namespace psflip::cuda {

/// Location of a thread's column in the sublattice block, in the lattice and in the halo packets. Lanes beyond the end
/// of a row read what the last lane of the row reads.
template <class T, int G>
struct SublatticeColumn {
  using Order = HaloOrder<T, G>;
  std::uint32_t row, rows, planes;      ///< of this warp; of the block
  bool exists;                          ///< the lane is not beyond the end of the row
  bool low, edge;                       ///< the first row of the block; the first or the last
  int side_left, side_right;            ///< steps to the x neighbour with another index, for shift 0 and 1
  int inner, down;                      ///< steps along y to a row in the block; 0 instead of a row outside
  std::uint32_t index, y, first_plane;  ///< index in a plane of the block; y and plane 0 in the lattice
  std::uint32_t first;                  ///< index in the lattice of the site at plane 0 of the block
  HaloPacket* packets;                  ///< of the group
  std::uint32_t to_below, to_above, to_adjacent, from_below, from_above, from_adjacent;  ///< offsets of packets

  __device__ __forceinline__ SublatticeColumn(std::uint32_t block, HaloPacket* group) : packets(group) {
    const std::uint32_t across = block % T::across, deep = block / T::across, lane = threadIdx.x % 32,
                        x = lane < T::width ? lane : T::width - 1;
    row = uniform(threadIdx.x / 32);
    rows = T::first_row(across + 1) - T::first_row(across);
    planes = T::first_plane(deep + 1) - T::first_plane(deep);
    exists = lane < T::width;
    low = row == 0;
    edge = __any_sync(~0u, low || row + 1 == rows);  // a vote: the compiler then knows that no warp diverges here
    constexpr int width = T::width;
    side_left = x == 0 ? width - 1 : -1;
    side_right = x == T::width - 1 ? 1 - width : 1;
    inner = edge && !low ? -width : width;
    down = low ? 0 : -width;
    index = in_register(row * T::width + x);
    y = T::first_row(across) + row;
    first_plane = T::first_plane(deep);
    first = in_register(first_plane * T::lattice_plane + y * T::width + x);
    const std::uint32_t below = (block + T::blocks - T::across) % T::blocks, above = (block + T::across) % T::blocks,
                        adjacent = block - across + (low ? across + T::across - 1 : across + 1) % T::across;
    to_below = Order::plane(block, false) + index;
    to_above = Order::plane(block, true) + index;
    to_adjacent = Order::row(block, !low) + x;
    from_below = Order::plane(below, true) + index;
    from_above = Order::plane(above, false) + index;
    from_adjacent = Order::row(adjacent, low) + x;
  }
};

}  // namespace psflip::cuda
