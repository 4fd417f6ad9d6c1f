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
  const std::uint32_t* couplings;  ///< of the pack, parity 0, direction x, lowest plane of the block, in global memory
  int below;                       ///< step from there to the plane below

  __device__ __forceinline__ PlaneBlock(std::uint32_t block, std::uint32_t* memory, HaloPacket* packets)
      : first_plane(kept<T>(T::first_plane(block))),
        planes(T::first_plane(block + 1) - first_plane),
        shared(memory),
        halo(packets, block),
        below(static_cast<int>(first_plane == 0 ? T::sites : 0) - static_cast<int>(T::plane)) {}

  __device__ __forceinline__ void set_couplings(const PackView& pack) {
    couplings = in_register(pack.couplings(0) + first_plane * T::plane);
  }
  PSFLIP_HD static constexpr std::uint32_t spins(std::uint32_t parity) { return parity * T::group * T::words; }
  PSFLIP_HD static constexpr std::uint32_t bonds(std::uint32_t parity, int direction) {
    return (2 * T::group + parity * T::directions + static_cast<std::uint32_t>(direction)) * T::words;
  }
};

/// Division by a multiplication, which is exact for numbers of sites of a plane. For `/` the compiler takes more
/// instructions.
template <std::uint32_t DIVISOR>
PSFLIP_HD std::uint32_t divided_by(std::uint32_t number) {
  static_assert(DIVISOR > 1);
  return multiply_wide(number, 0xFFFFFFFFu / DIVISOR + 1).high;
}

/// A segment of a column of sites. A thread whose segment does not exist has the last column.
template <class T>
struct ColumnSegment {
  Column column;
  bool exists;
  std::uint32_t z0;  ///< first plane in the block

  __device__ __forceinline__ ColumnSegment(std::uint32_t index, bool exists_, std::uint32_t z0_)
      : column(index, divided_by<T::L / 2>(index), T::L), exists(exists_), z0(z0_) {}
  __device__ __forceinline__ explicit ColumnSegment(std::uint32_t number)
      : ColumnSegment(in_plane(number), (number < T::units),
                      T::segments > 1 && number < T::units ? number / T::plane * T::length : 0) {}

 private:
  PSFLIP_HD static std::uint32_t in_plane(std::uint32_t number) {
    if constexpr (T::segments > 1) return number % T::plane;
    if constexpr (T::rounds * T::threads <= T::plane) return number;
    return number < T::plane ? number : T::plane - 1;
  }
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
  static constexpr std::uint32_t of_parity = 3 * T::sites;  ///< in global memory
  const std::uint32_t *shared, *global;  ///< the column in plane z0: in shared memory, in those of direction x
  int down;
  int below;  ///< step from plane z0 to the plane below
  RowStep now, then;

  __device__ __forceinline__ SegmentCouplings(const Block& block, const ColumnSegment<T>& c)
      : shared(block.shared + c.z0 * T::plane + c.column.index),
        global(block.couplings + (c.z0 * T::plane + c.column.index)),
        down(c.column.down),
        below(c.z0 == 0 ? block.below : -static_cast<int>(T::plane)),
        now(row_step(block, c, 0)),
        then(row_step(block, c, 1)) {}

  /// Those of the site in plane z, except that to the plane below. Calls must be in the order of planes.
  __device__ __forceinline__ void load(std::uint32_t z, std::uint32_t (&coupling)[6]) {
    const std::uint32_t i = z * T::plane;
    coupling[0] = read<0>(now.coupling_here + i);
    coupling[1] = read<0>(now.coupling_side + i);
    coupling[2] = read<1>(column<1>(PARITY) + i);
    coupling[3] = read<1>(column<1>(1 - PARITY) + down + i);
    coupling[4] = read<2>(column<2>(PARITY) + i);
    pass(z);
  }
  /// Between plane z and the next one, of the site of the other parity at z.
  __device__ __forceinline__ std::uint32_t upward(std::uint32_t z) const {
    return read<2>(column<2>(1 - PARITY) + z * T::plane);
  }
  /// Between the plane before z0 and z0.
  __device__ __forceinline__ std::uint32_t from_below() const {
    return __ldg(global + below + ((1 - PARITY) * of_parity + 2 * T::sites));
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
  template <int DIRECTION>
  __device__ __forceinline__ const std::uint32_t* column(std::uint32_t parity) const {
    if constexpr (DIRECTION < T::directions)
      return shared + Block::bonds(parity, DIRECTION);
    else
      return global + (parity * of_parity + DIRECTION * T::sites);
  }
  template <int DIRECTION>
  static __device__ __forceinline__ std::uint32_t read(const std::uint32_t* from) {
    if constexpr (DIRECTION < T::directions)
      return *from;
    else
      return __ldg(from);
  }
  __device__ __forceinline__ RowStep row_step(const Block& block, const ColumnSegment<T>& c, std::uint32_t k) const {
    constexpr auto parities = static_cast<int>(T::directions > 0 ? Block::bonds(1, 0) - Block::bonds(0, 0) : of_parity);
    const std::uint32_t z = block.first_plane + c.z0 + Order::first + k;
    return {c.column, (c.column.y + z + PARITY) & 1u, column<0>(PARITY), PARITY == 0 ? parities : -parities};
  }
};

}  // namespace psflip::cuda
