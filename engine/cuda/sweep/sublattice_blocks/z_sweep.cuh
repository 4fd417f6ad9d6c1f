#pragma once
#include "engine/cuda/sweep/sublattice_blocks/column.cuh"
#include "engine/cuda/update/z_sweep.cuh"

/// Half sweep of a warp, which has one row of a sublattice block in every plane.
///
/// The code of a half sweep fits in the 32 KB instruction cache of a multiprocessor. Therefore all rows and both
/// parities share it, and addresses are kept in registers (notebook of the benchmark).
namespace psflip::cuda {

/// A half sweep of one thread: its sites of one parity in the PLANES planes of the block, from the middle up, then from
/// the lowest to the middle. The words at the faces are thus neither needed first nor computed last.
template <class T, int G, std::uint32_t PLANES>
struct SublatticeZSweep {
  static constexpr std::uint32_t W = T::words, half = PLANES / 2;
  PSFLIP_HD static constexpr std::uint32_t bonds_of(std::uint32_t parity) { return (2 * G + 3 * parity) * W; }
  const SublatticeColumn<T, G>& c;
  std::uint32_t *base, *mine;
  const std::uint32_t *other, *my_J, *other_J, *inner_J;  ///< inner_J: of the bonds to the row `inner` away
  std::uint32_t side[2], J_here[2], J_side[2];            ///< offsets of x neighbours for even z and for odd z
  const std::uint32_t *others_global, *outer_global;      ///< couplings of the other parity; to the row outside
  std::uint32_t my_slot, other_slot;                      ///< offsets of the packets of both parities
  HaloPacket* to_adjacent;
  const HaloPacket* from_adjacent;
  std::uint32_t awaited;  ///< sequence number of the other parity's packets
  std::uint32_t last[G], here[G], J_before;
  PacketReader<G> adjacent, beyond;  ///< beyond: the plane above, then the plane below

  __device__ __forceinline__ SublatticeZSweep(const SublatticeColumn<T, G>& c_, std::uint32_t* shared,
                                              const PackView& global, std::uint32_t parity, std::uint32_t sequence)
      : c(c_),
        base(shared + c.index),
        mine(shared + parity * G * W + c.index),
        other(shared + (1 - parity) * G * W + c.index),
        my_J(shared + bonds_of(parity) + c.index),
        other_J(shared + bonds_of(1 - parity) + c.index),
        inner_J((c.inner > 0 ? my_J : other_J - T::width) + W),
        others_global(global.couplings(1 - parity) + c.first),
        outer_global(global.couplings(parity) + T::sites + c.first),
        my_slot(parity * HaloOrder<T, G>::of_parity),
        other_slot((1 - parity) * HaloOrder<T, G>::of_parity),
        to_adjacent(in_register(c.packets + (c.to_adjacent + my_slot))),
        from_adjacent(in_register(c.packets + (c.from_adjacent + other_slot))),
        awaited(sequence - 1) {
    constexpr auto around = static_cast<int>(T::lattice_plane - T::width), back = -static_cast<int>(T::width);
    if (c.low) outer_global = others_global + T::sites + (c.y == 0 ? around : back);
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      const bool right = (c.y + c.first_plane + k + parity) & 1u;
      const auto step = static_cast<std::uint32_t>(right ? c.side_right : c.side_left);
      side[k] = in_register(step);
      J_here[k] = in_register(right ? bonds_of(1 - parity) : bonds_of(parity));
      J_side[k] = in_register(right ? bonds_of(parity) : bonds_of(1 - parity) + step);
    }
#pragma unroll
    for (int r = 0; r < G; ++r) {
      last[r] = other[r * W + (half - 1) * T::plane];
      here[r] = other[r * W + half * T::plane];
    }
    J_before = other_J[2 * W + (half - 1) * T::plane];
  }
  PSFLIP_HD static constexpr std::uint32_t plane_of(std::uint32_t k) { return (k + half) % PLANES; }

  __device__ __forceinline__ void load_couplings(std::uint32_t z, std::uint32_t (&coupling)[6]) {
    const std::uint32_t i = z * T::plane;
    coupling[0] = (base + J_here[z % 2])[i];  // same index: x - 1 for shift 1, which stores the bond
    coupling[1] = (base + static_cast<int>(J_side[z % 2]))[i];
    coupling[2] = inner_J[i];
    coupling[3] = c.edge ? __ldg(outer_global + z * T::lattice_plane) : (other_J - T::width)[W + i];
    coupling[4] = my_J[2 * W + i];
    coupling[5] = z == 0 ? coupling_below() : J_before;
    J_before = other_J[2 * W + i];
  }
  /// The words of the site in plane z except those in halo packets. At an edge, `down` is replaced by one of these.
  __device__ __forceinline__ void load_spins(std::uint32_t z, Operands<G>& a) const {
    const std::uint32_t *o = other + z * T::plane, *side_x = o + static_cast<int>(side[z % 2]), *inner = o + c.inner,
                        *down = o + c.down;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      a.spin[r] = mine[r * W + z * T::plane];
      a.side[r] = side_x[r * W];
      a.up[r] = inner[r * W];
      a.down[r] = down[r * W];
      if (z + 1 != PLANES) a.next[r] = o[r * W + T::plane];
    }
  }

  /// Requests the packets that the site in plane z needs. Packets requested earlier must have been received.
  __device__ __forceinline__ void request(std::uint32_t z) {
    if (c.edge) adjacent.request(from_adjacent + z * G * T::width, T::width);
    if (z + 1 == PLANES) beyond.request(c.packets + (c.from_above + other_slot), T::plane);
    if (z == 0) beyond.request(c.packets + (c.from_below + other_slot), T::plane);
  }
  /// Completes the operands with received packets. The lowest plane follows the highest one.
  __device__ __forceinline__ void receive(std::uint32_t z, Operands<G>& a) {
    if (c.edge) {
      adjacent.wait(from_adjacent + z * G * T::width, T::width, awaited);
#pragma unroll
      for (int r = 0; r < G; ++r) a.down[r] = adjacent.packet[r].x;
    }
    if (z + 1 == PLANES) {
      beyond.wait(c.packets + (c.from_above + other_slot), T::plane, awaited);
#pragma unroll
      for (int r = 0; r < G; ++r) a.next[r] = beyond.packet[r].x;
    }
    if (z == 0) {
      beyond.wait(c.packets + (c.from_below + other_slot), T::plane, awaited);
#pragma unroll
      for (int r = 0; r < G; ++r) {
        last[r] = beyond.packet[r].x;
        here[r] = other[r * W];
      }
    }
  }
  /// Stores the words of the site in plane z and sends them if it is at a face.
  __device__ __forceinline__ void store(std::uint32_t z, const std::uint32_t (&spin)[G]) const {
    if (!c.exists) return;
#pragma unroll
    for (int r = 0; r < G; ++r) mine[r * W + z * T::plane] = spin[r];
    if (c.edge) send(to_adjacent + z * G * T::width, T::width, spin);
    if (z == 0) send(c.packets + (c.to_below + my_slot), T::plane, spin);
    if (z + 1 == PLANES) send(c.packets + (c.to_above + my_slot), T::plane, spin);
  }

 private:
  __device__ __forceinline__ void send(HaloPacket* first, std::uint32_t distance,
                                       const std::uint32_t (&spin)[G]) const {
#pragma unroll
    for (int r = 0; r < G; ++r) store_packet(first + r * distance, spin[r], awaited + 1);
  }
  /// To the plane below the block.
  __device__ __forceinline__ std::uint32_t coupling_below() const {
    constexpr auto around = static_cast<int>(T::sites - T::lattice_plane), back = -static_cast<int>(T::lattice_plane);
    return __ldg(others_global + 2 * T::sites + (c.first_plane == 0 ? around : back));
  }
};

/// Half sweep `s` of the sites of one parity. `drawn` holds the numbers of the first site, on return those of the half
/// sweep `next`. The neighbours' words have the preceding sequence number.
template <class T, std::uint32_t PLANES, class Decision>
__device__ __forceinline__ void update_sublattice_block(const SublatticeColumn<T, Decision::group>& c,
                                                        std::uint32_t* shared, const PackView& global,
                                                        std::uint32_t parity, std::uint32_t sequence,
                                                        const HalfSweep& s, const HalfSweep& next,
                                                        const Decision& decide, typename Decision::Drawn& drawn) {
  constexpr int G = Decision::group;
  SublatticeZSweep<T, G, PLANES> m(c, shared, global, parity, sequence);
  Operands<G> a, b;
  m.load_couplings(m.plane_of(0), a.coupling);
  m.request(m.plane_of(0));
#pragma unroll
  for (std::uint32_t k = 0; k < PLANES; ++k) {
    const std::uint32_t z = m.plane_of(k), z_after = m.plane_of(k + 1);
    const bool final = k + 1 == PLANES;
    const auto after = decide.draw(final ? next : s, c.first + z_after * T::lattice_plane);
    m.load_spins(z, a);
    if (!final) m.load_couplings(z_after, b.coupling);
    m.receive(z, a);
    if (!final) m.request(z_after);
    std::uint32_t bond[G][6];
    next_bonds(a, m.last, m.here, bond);
    decide(s, c.first + z * T::lattice_plane, drawn, a.spin, bond);
    m.store(z, a.spin);
    drawn = after;
    a = b;
  }
}

}  // namespace psflip::cuda
