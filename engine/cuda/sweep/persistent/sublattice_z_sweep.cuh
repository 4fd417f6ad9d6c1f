#pragma once
#include "engine/cuda/sweep/persistent/sublattice_halo.cuh"
#include "engine/cuda/update/z_sweep.cuh"

/// Sublattice blocks: the shared memory of many thread blocks holds one pack. Each thread block holds some rows of some
/// planes, its sublattice block, and sends the words at the faces to its neighbours as halo packets. This file: the
/// half sweep of a warp, which has one row of the sublattice block in every plane.
namespace psflip::cuda {

/// Location of a thread's column in the sublattice block, in the lattice and in the halo buffer.
template <class T, int G>
struct SublatticeColumn {
  Column column;        ///< x and y of the lattice; steps along y are valid only inside the block
  bool low;             ///< the first row of the block
  std::uint32_t first;  ///< index in the lattice of the site at plane 0 of the block
  HaloPacket *to_below, *to_above, *to_adjacent;
  const HaloPacket *from_below, *from_above, *from_adjacent;

  /// The row of this warp is the first or the last of the block, and one neighbouring row is in another block.
  static __device__ __forceinline__ bool at_edge() { return threadIdx.x / 32 == 0 || threadIdx.x / 32 == T::rows - 1; }
  __device__ __forceinline__ SublatticeColumn(std::uint32_t block, const HaloBuffer<T, G>& buffer)
      : column(threadIdx.x % 32 + 32 * (block % T::across * T::rows + threadIdx.x / 32), T::L),
        low(threadIdx.x / 32 == 0),
        first(block / T::across * T::planes * T::lattice_plane + column.y * 32 + threadIdx.x % 32) {
    const std::uint32_t y = block % T::across, row_of_blocks = block - y, lane = threadIdx.x % 32,
                        below = (block + T::blocks - T::across) % T::blocks, above = (block + T::across) % T::blocks,
                        adjacent = row_of_blocks + (low ? y + T::across - 1 : y + 1) % T::across;
    to_below = buffer.z_packets(block, 0) + threadIdx.x;
    to_above = buffer.z_packets(block, 1) + threadIdx.x;
    to_adjacent = buffer.y_packets(block, low ? 0 : 1) + lane;
    from_below = buffer.z_packets(below, 1) + threadIdx.x;
    from_above = buffer.z_packets(above, 0) + threadIdx.x;
    from_adjacent = buffer.y_packets(adjacent, low ? 1 : 0) + lane;
    column.index = threadIdx.x;
  }
  /// Sends the words of the site at plane z if it is at a face.
  template <bool EDGE>
  __device__ __forceinline__ void send_faces(const std::uint32_t (&spin)[G], std::uint32_t parity, std::uint32_t z,
                                             std::uint32_t sequence) const {
    const std::uint32_t slot = parity * HaloBuffer<T, G>::of_parity;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      if (z == 0) send(to_below + slot + r * T::plane, spin[r], sequence);
      if (z + 1 == T::planes) send(to_above + slot + r * T::plane, spin[r], sequence);
      if (EDGE) send(to_adjacent + slot + (z * G + r) * 32, spin[r], sequence);
    }
  }
};

/// A half sweep of one thread: its sites of one parity, in the order of T::plane_of.
template <class T, int G, bool EDGE>
struct SublatticeZSweep {
  static constexpr std::uint32_t W = T::words;
  const SublatticeColumn<T, G>& c;
  std::uint32_t* mine;
  const std::uint32_t *other, *my_J, *other_J, *other_J_global;
  std::uint32_t other_slot, awaited;  ///< offset of the other parity's packets, and their sequence number
  RowStep now, then;
  std::uint32_t last[G], here[G], J_before;
  PacketReader<G, 32> adjacent;
  PacketReader<G, T::plane> beyond;  ///< the plane above, then the plane below

  __device__ __forceinline__ SublatticeZSweep(const SublatticeColumn<T, G>& c_, std::uint32_t* shared,
                                              const PackView& global, std::uint32_t parity, std::uint32_t sequence)
      : c(c_),
        mine(shared + parity * G * W + c.column.index),
        other(shared + (1 - parity) * G * W + c.column.index),
        my_J(shared + (2 * G + 3 * parity) * W + c.column.index),
        other_J(shared + (2 * G + 3 * (1 - parity)) * W + c.column.index),
        other_J_global(global.couplings(1 - parity)),
        other_slot((1 - parity) * HaloBuffer<T, G>::of_parity),
        awaited(sequence - 1),
        now(c.column, (c.column.y + parity + T::planes / 2) & 1u, my_J, other_J),  // blocks begin at even z
        then(c.column, (c.column.y + parity + T::planes / 2 + 1) & 1u, my_J, other_J) {
    constexpr std::uint32_t before = (T::planes / 2 - 1) * T::plane;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      last[r] = other[r * W + before];
      here[r] = other[r * W + before + T::plane];
    }
    J_before = other_J[2 * W + before];
  }

  /// A coupling of the other parity outside the block.
  __device__ __forceinline__ std::uint32_t far_coupling(int mu, std::uint32_t site) const {
    return __ldg(other_J_global + mu * T::sites + site);
  }

  /// Operands of the k-th site except those that arrive in halo packets.
  __device__ __forceinline__ Operands<G> load(std::uint32_t k) {
    const std::uint32_t z = T::plane_of(k), i = z * T::plane, site = c.first + z * T::lattice_plane;
    Operands<G> a;
    a.coupling[0] = now.coupling_here[i];
    a.coupling[1] = now.coupling_side[i];
    a.coupling[2] = my_J[W + i];
    a.coupling[3] =
        EDGE && c.low ? far_coupling(1, c.column.y == 0 ? site + 32 * (T::L - 1) : site - 32) : other_J[W + i - 32];
    a.coupling[4] = my_J[2 * W + i];
    a.coupling[5] = J_before;
    if (z == 0) a.coupling[5] = far_coupling(2, (site + T::sites - T::lattice_plane) % T::sites);
#pragma unroll
    for (int r = 0; r < G; ++r) {
      a.spin[r] = mine[r * W + i];
      a.side[r] = other[r * W + i + now.side];
      a.up[r] = EDGE && !c.low ? 0 : other[r * W + i + 32];
      a.down[r] = EDGE && c.low ? 0 : other[r * W + i - 32];
      if (z + 1 != T::planes) a.next[r] = other[r * W + i + T::plane];
    }
    J_before = other_J[2 * W + i];
    exchange(now, then);
    return a;
  }

  /// Requests the packets that the k-th site needs. Packets requested earlier must have been received.
  __device__ __forceinline__ void request(std::uint32_t k) {
    const std::uint32_t z = T::plane_of(k);
    if (EDGE) adjacent.request(c.from_adjacent + other_slot + z * G * 32);
    if (z + 1 == T::planes) beyond.request(c.from_above + other_slot);
    if (z == 0) beyond.request(c.from_below + other_slot);
  }

  /// Completes the operands of the k-th site with received packets. The lowest plane follows the highest one.
  __device__ __forceinline__ void receive(Operands<G>& a, std::uint32_t k) {
    const std::uint32_t z = T::plane_of(k);
    if (EDGE) {
      adjacent.wait(c.from_adjacent + other_slot + z * G * 32, awaited);
#pragma unroll
      for (int r = 0; r < G; ++r) (c.low ? a.down[r] : a.up[r]) = adjacent.word[r];
    }
    if (z + 1 == T::planes) {
      beyond.wait(c.from_above + other_slot, awaited);
#pragma unroll
      for (int r = 0; r < G; ++r) a.next[r] = beyond.word[r];
    }
    if (z == 0) {
      beyond.wait(c.from_below + other_slot, awaited);
#pragma unroll
      for (int r = 0; r < G; ++r) {
        last[r] = beyond.word[r];
        here[r] = other[r * W];
      }
    }
  }
};

/// Half sweep `s`, one parity. `next` is the following half sweep, whose first numbers are in `drawn` on return. The
/// neighbours' words have the preceding sequence number.
template <class T, bool EDGE, class Decision>
__device__ __forceinline__ void update_sublattice_block(const SublatticeColumn<T, Decision::group>& c,
                                                        std::uint32_t* shared, const PackView& global,
                                                        std::uint32_t parity, std::uint32_t sequence,
                                                        const HalfSweep& s, const HalfSweep& next,
                                                        const Decision& decide, typename Decision::Drawn& drawn) {
  constexpr int G = Decision::group;
  SublatticeZSweep<T, G, EDGE> m(c, shared, global, parity, sequence);
  Operands<G> a = m.load(0), b = a;
  m.request(0);
#pragma unroll
  for (std::uint32_t k = 0; k < T::planes; ++k) {
    const std::uint32_t z = T::plane_of(k), site = c.first + z * T::lattice_plane;
    const bool final = k + 1 == T::planes;
    const auto after = decide.draw(final ? next : s, c.first + T::plane_of(k + 1) * T::lattice_plane);
    if (!final) b = m.load(k + 1);
    m.receive(a, k);
    if (!final) m.request(k + 1);
    std::uint32_t bond[G][6];
    next_bonds(a, m.last, m.here, bond);
    if constexpr (EDGE)  // other blocks wait for these warps, which the branch would delay
      decide.at_any_temperature()(s, site, drawn, a.spin, bond);
    else
      decide(s, site, drawn, a.spin, bond);
#pragma unroll
    for (int r = 0; r < G; ++r) m.mine[r * T::words + z * T::plane] = a.spin[r];
    c.template send_faces<EDGE>(a.spin, parity, z, sequence);
    drawn = after;
    a = b;
  }
}

}  // namespace psflip::cuda
