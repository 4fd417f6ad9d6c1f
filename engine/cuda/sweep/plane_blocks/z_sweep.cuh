#pragma once
#include "engine/cuda/sweep/plane_blocks/couplings.cuh"

/// Half sweep of a segment of a column in a thread block that holds some planes of a lattice.
namespace psflip::cuda {

/// State of a half sweep of a segment with LENGTH planes, of one site of a column if LENGTH is 1.
template <class T, std::uint32_t LENGTH, std::uint32_t PARITY>
struct PlaneBlockZSweep {
  using Block = PlaneBlock<T>;
  using Order = PlaneOrder<T, LENGTH>;
  static constexpr int G = T::group;
  static constexpr std::uint32_t W = T::words;
  const Block& block;
  const ColumnSegment<T>& c;
  std::uint32_t* mine;
  const std::uint32_t* others;
  SegmentCouplings<T, LENGTH, PARITY> couplings;
  std::uint32_t awaited;  ///< sequence number of the packets to be received; those sent have the next one
  std::uint32_t last[G], here[G], upward;
  FacePackets<T> above, below;  ///< with few registers a single site uses the first for both faces
  int side, other_side;

  __device__ __forceinline__ PlaneBlockZSweep(const Block& block_, const ColumnSegment<T>& c_, std::uint32_t sequence)
      : block(block_),
        c(c_),
        mine(block.shared + Block::spins(PARITY) + c.z0 * T::plane + c.column.index),
        others(block.shared + Block::spins(1 - PARITY) + c.z0 * T::plane + c.column.index),
        couplings(block, c),
        awaited(sequence - 1),
        side(couplings.now.side),
        other_side(couplings.then.side) {}

  __device__ __forceinline__ void begin(const FirstCouplings& words, Operands<G>& a) {
#pragma unroll
    for (int j = 0; j < 6; ++j) a.coupling[j] = words.coupling[j];
    upward = words.upward;
    couplings.pass(Order::first);
    request(Order::first);
    if (Order::first == 0) return;
    load_column(others + (Order::first - 1) * T::plane, last);
    load_column(others + Order::first * T::plane, here);
  }
  /// Couplings of the site in plane z, and requests for its packets.
  __device__ __forceinline__ void load_couplings(std::uint32_t z, Operands<G>& a) {
    couplings.load(z, a.coupling);
    a.coupling[5] = z == 0 ? couplings.from_below() : upward;
    upward = couplings.upward(z);
    request(z);
  }
  /// Words of the site in plane z. Calls must be in the order of planes.
  __device__ __forceinline__ void load_spins(std::uint32_t z, Operands<G>& a) {
    const std::uint32_t i = z * T::plane;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* o = others + r * W + i;
      a.spin[r] = mine[r * W + i];
      a.side[r] = o[side];
      a.up[r] = o[c.column.up];
      a.down[r] = o[c.column.down];
      if (z + 1 != LENGTH) a.next[r] = o[T::plane];
    }
    if (!Order::other_shift_after(z)) return;
    const int again = side;
    side = other_side;
    other_side = again;
  }
  /// At the ends of the segment: the words of the column beyond them.
  __device__ __forceinline__ void load_ends(std::uint32_t z, Operands<G>& a) {
    if (z + 1 == LENGTH) {
      if (is_highest(z))
        above.wait(from_above(), awaited, a.next);
      else  // beyond the highest plane of the lattice is the lowest one
        load_column(T::blocks == 1 && c.z0 + LENGTH == T::L ? others - c.z0 * T::plane : others + LENGTH * T::plane,
                    a.next);
    }
    if (z != 0) return;
    if (is_lowest(z))
      (LENGTH == 1 && T::few_registers ? above : below).wait(from_below(), awaited, last);
    else
      load_column(T::blocks == 1 && c.z0 == 0 ? others + (T::L - 1) * T::plane : others - T::plane, last);
    load_column(others, here);
  }
  __device__ __forceinline__ void store(std::uint32_t z, const std::uint32_t (&spin)[G]) const {
#pragma unroll
    for (int r = 0; r < G; ++r) mine[r * W + z * T::plane] = spin[r];
    const std::uint32_t at = PARITY * PlaneHalo<T>::of_parity + c.column.index;
    if (is_lowest(z)) FacePackets<T>::send(block.halo.to_below + at, spin, awaited + 1);
    if (is_highest(z)) FacePackets<T>::send(block.halo.to_above + at, spin, awaited + 1);
  }

 private:
  /// Whether beyond plane z is another block.
  __device__ __forceinline__ bool is_lowest(std::uint32_t z) const {
    return T::blocks > 1 && z == 0 && (LENGTH > 1 || c.z0 == 0);
  }
  __device__ __forceinline__ bool is_highest(std::uint32_t z) const {
    return T::blocks > 1 && z + 1 == LENGTH && (LENGTH > 1 || c.z0 + 1 == block.planes);
  }
  __device__ __forceinline__ void request(std::uint32_t z) {
    if constexpr (LENGTH == 1 && T::few_registers) {
      above.request(is_lowest(z) ? from_below() : from_above());
    } else {
      if (is_highest(z)) above.request(from_above());
      if (is_lowest(z)) below.request(from_below());
    }
  }
  __device__ __forceinline__ const HaloPacket* from_above() const {
    return block.halo.from_above + (1 - PARITY) * PlaneHalo<T>::of_parity + c.column.index;
  }
  __device__ __forceinline__ const HaloPacket* from_below() const {
    return block.halo.from_below + (1 - PARITY) * PlaneHalo<T>::of_parity + c.column.index;
  }
  static __device__ __forceinline__ void load_column(const std::uint32_t* from, std::uint32_t (&word)[G]) {
#pragma unroll
    for (int r = 0; r < G; ++r) word[r] = from[r * W];
  }
};

/// Half sweep `s` of the sites of one parity of a segment. `drawn` holds the numbers of the first site. fetch() is
/// called once, before the last plane, to fetch what the next segment reads; it may overwrite `words`.
template <class T, std::uint32_t LENGTH, std::uint32_t PARITY, class Decision, class Fetch>
__device__ __forceinline__ void update_column_segment(const PlaneBlock<T>& block, const ColumnSegment<T>& c,
                                                      std::uint32_t sequence, const HalfSweep& s,
                                                      const Decision& decide, typename Decision::Drawn drawn,
                                                      const FirstCouplings& words, const Fetch& fetch) {
  using Order = PlaneOrder<T, LENGTH>;
  const std::uint32_t site = (block.first_plane + c.z0) * T::plane + c.column.index;  // in plane 0
  PlaneBlockZSweep<T, LENGTH, PARITY> m(block, c, sequence);
  Operands<T::group> a, b;
  m.begin(words, a);
  if (T::early) m.load_spins(Order::first, a);
#pragma unroll
  for (std::uint32_t k = 0; k < LENGTH; ++k) {
    const std::uint32_t z = Order::of(k);
    auto after = drawn;
    if (k + 1 < LENGTH) {
      after = decide.draw(s, site + Order::of(k + 1) * T::plane);
      m.load_couplings(Order::of(k + 1), b);
      if (T::early) m.load_spins(Order::of(k + 1), b);
    } else {
      fetch();
    }
    if (!T::early) m.load_spins(z, a);
    m.load_ends(z, a);
    std::uint32_t bond[T::group][6];
    next_bonds(a, m.last, m.here, bond);
    decide(s, site + z * T::plane, drawn, a.spin, bond);
    m.store(z, a.spin);
    drawn = after;
    a = b;
  }
}

}  // namespace psflip::cuda
