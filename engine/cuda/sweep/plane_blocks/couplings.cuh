#pragma once
#include "engine/cuda/sweep/plane_blocks/halo.cuh"
#include "engine/cuda/update/z_sweep.cuh"

/// Planes of a thread block, segments of their columns, and the couplings of a segment.
namespace psflip::cuda {

/// Planes of this thread block, and its memory. Shared memory: spins[parity][replica][plane][y][x], then
/// couplings[parity][direction][plane][y][x] of the first directions.
template <class T>
struct PlaneBlock {
  std::uint32_t first_plane, planes;
  std::uint32_t* shared;
  PlaneHalo<T> halo;

  __device__ __forceinline__ PlaneBlock(std::uint32_t block, std::uint32_t* memory, uint4* packets)
      : first_plane(kept<T>(T::first_plane(block))),
        planes(T::first_plane(block + 1) - first_plane),
        shared(memory),
        halo(packets, block) {}

  PSFLIP_HD static constexpr std::uint32_t spins(std::uint32_t parity) { return parity * T::group * T::words; }
  PSFLIP_HD static constexpr std::uint32_t bonds(std::uint32_t parity, int direction) {
    return (2 * T::group + parity * T::directions + static_cast<std::uint32_t>(direction)) * T::words;
  }
};

/// A segment of a column of sites.
template <class T>
struct ColumnSegment {
  Column column;
  bool exists;
  std::uint32_t z0;  ///< first plane in the block

  __device__ __forceinline__ explicit ColumnSegment(std::uint32_t number)
      : column(number % T::plane, T::L),
        exists(number < T::units),
        z0(T::segments > 1 && exists ? number / T::plane * T::length : 0) {}
};

/// Order of the LENGTH planes of a segment. A column with halo packets at both ends begins in the middle, so that from
/// four planes on the words at the ends are neither needed first nor computed last. With three planes the lowest one is
/// the last, with two the highest one is the first.
template <class T, std::uint32_t LENGTH>
struct PlaneOrder {
  static constexpr std::uint32_t first = T::blocks > 1 ? LENGTH / 2 : 0;
  PSFLIP_HD static constexpr std::uint32_t of(std::uint32_t k) { return (k + first) % LENGTH; }
  /// Whether rows have the other shift in the plane that follows z in this order.
  PSFLIP_HD static constexpr bool other_shift_after(std::uint32_t z) { return z + 1 != LENGTH || LENGTH % 2 == 0; }
};

/// Couplings of the first site of a segment. They are fetched while the segment before is updated.
struct FirstCouplings {
  std::uint32_t coupling[6], upward;  ///< upward: to the second plane, of the other parity
};

/// Couplings of the sites of parity PARITY of a segment.
template <class T, std::uint32_t LENGTH, std::uint32_t PARITY>
struct SegmentCouplings {
  using Block = PlaneBlock<T>;
  using Order = PlaneOrder<T, LENGTH>;
  static constexpr bool x_shared = T::directions > 0, y_shared = T::directions > 1, z_shared = T::directions > 2;
  const std::uint32_t *mine, *others;                ///< in shared memory, if they are there: direction x, plane z0
  const std::uint32_t *mine_global, *others_global;  ///< the same in global memory
  int down;
  bool lowest;  ///< z0 is the lowest plane of the lattice
  RowStep now, then;

  __device__ __forceinline__ SegmentCouplings(const Block& block, const ColumnSegment<T>& c, const PackView& global)
      : mine(block.shared + Block::bonds(PARITY, 0) + c.z0 * T::plane + c.column.index),
        others(block.shared + Block::bonds(1 - PARITY, 0) + c.z0 * T::plane + c.column.index),
        mine_global(global.couplings(PARITY) + (block.first_plane + c.z0) * T::plane + c.column.index),
        others_global(global.couplings(1 - PARITY) + (block.first_plane + c.z0) * T::plane + c.column.index),
        down(c.column.down),
        lowest(block.first_plane + c.z0 == 0),
        now(row_step(block, c, 0)),
        then(row_step(block, c, 1)) {}

  /// Those of the site in plane z, except that to the plane below. Calls must be in the order of planes.
  __device__ __forceinline__ void load(std::uint32_t z, std::uint32_t (&coupling)[6]) {
    const std::uint32_t i = z * T::plane;
    coupling[0] = read<x_shared>(now.coupling_here + i);
    coupling[1] = read<x_shared>(now.coupling_side + i);
    coupling[2] = read<y_shared>((y_shared ? mine + T::words : mine_global + T::sites) + i);
    coupling[3] =
        read<y_shared>((y_shared ? others + T::words : others_global + T::sites) + static_cast<int>(i) + down);
    coupling[4] = read<z_shared>((z_shared ? mine + 2 * T::words : mine_global + 2 * T::sites) + i);
    pass(z);
  }
  /// Between plane z and the next one, of the site of the other parity at z.
  __device__ __forceinline__ std::uint32_t upward(std::uint32_t z) const {
    return read<z_shared>((z_shared ? others + 2 * T::words : others_global + 2 * T::sites) + z * T::plane);
  }
  /// Between the plane before z0 and z0.
  __device__ __forceinline__ std::uint32_t from_below() const {
    const auto around = static_cast<int>(T::sites - T::plane), back = -static_cast<int>(T::plane);
    return __ldg(others_global + 2 * T::sites + (lowest ? around : back));
  }
  __device__ __forceinline__ void first(FirstCouplings& words) {
    load(Order::first, words.coupling);
    words.coupling[5] = Order::first == 0 ? from_below() : upward(Order::first - 1);
    words.upward = upward(Order::first);
  }
  /// Continues after plane z, as load() does.
  __device__ __forceinline__ void pass(std::uint32_t z) {
    if (Order::other_shift_after(z)) exchange(now, then);
  }

 private:
  template <bool SHARED>
  static __device__ __forceinline__ std::uint32_t read(const std::uint32_t* from) {
    if constexpr (SHARED)
      return *from;
    else
      return __ldg(from);
  }
  __device__ __forceinline__ RowStep row_step(const Block& block, const ColumnSegment<T>& c, std::uint32_t k) const {
    const std::uint32_t z = block.first_plane + c.z0 + Order::first + k;
    return {c.column, (c.column.y + z + PARITY) & 1u, x_shared ? mine : mine_global, x_shared ? others : others_global};
  }
};

}  // namespace psflip::cuda
