#pragma once
#include <type_traits>

#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/pack_view.cuh"

/// z-sweep: a thread updates its column of sites of a cubic lattice plane by plane along z.
namespace psflip::cuda {

/// A column of sites (x, y), z = 0 ... L - 1: steps in memory to the neighbours in the plane. One x neighbour of a site
/// has the index of the site, the other one is next to it.
struct Column {
  std::uint32_t index, y;
  int side_left, side_right;  ///< steps to the x neighbour with another index, for shift 0 and 1
  int up, down;

  __device__ Column(std::uint32_t number, std::uint32_t L) : Column(number, number / (L / 2), L) {}
  /// The column of a number in row `row`.
  __device__ Column(std::uint32_t number, std::uint32_t row, std::uint32_t L) : index(number), y(row) {
    const auto h = static_cast<int>(L / 2);
    const auto x = static_cast<int>(number - row * (L / 2));
    side_right = x == h - 1 ? 1 - h : 1;
    side_left = x == 0 ? h - 1 : -1;
    const int around = (static_cast<int>(L) - 1) * h;
    up = y == L - 1 ? -around : h;
    down = y == 0 ? around : -h;
  }
};

/// Planes of a lattice that one thread block updates, and the location of the planes next to them: the shared memory of
/// the neighbouring blocks of a cluster, or the same memory if a block holds the full lattice.
struct BlockPlanes {
  PackView own, below, above;
  std::uint32_t plane;         ///< sites of one parity in a plane
  std::uint32_t planes;        ///< of this block
  std::uint32_t planes_below;  ///< of the block below
  std::uint32_t first_plane;   ///< z of the lowest plane of this block
};

/// Location of the two x neighbours of a site. The one that has the index of the site alternates with z. A z-sweep
/// therefore keeps two of these and swaps them at every step instead of selecting.
struct RowStep {
  int side;                                            ///< step to the neighbour with another index
  const std::uint32_t *coupling_here, *coupling_side;  ///< bonds to the neighbour with the same index and to the other

  __device__ __forceinline__ RowStep(const Column& c, std::uint32_t shift, const std::uint32_t* mine,
                                     const std::uint32_t* other)
      : side(shift ? c.side_right : c.side_left),
        coupling_here(shift ? other : mine),           // same index: x - 1 for shift 1, which stores the bond
        coupling_side(shift ? mine : other + side) {}  // other index: x + 1 for shift 1, whose bond the site stores
  /// The same with the step from `mine` to `other`.
  __device__ __forceinline__ RowStep(const Column& c, std::uint32_t shift, const std::uint32_t* mine, int to_other)
      : side(shift ? c.side_right : c.side_left),
        coupling_here(mine + (shift ? to_other : 0)),
        coupling_side(mine + (shift ? 0 : to_other + c.side_left)) {}
};

__device__ __forceinline__ void exchange(RowStep& now, RowStep& then) {
  const RowStep again = now;
  now = then;
  then = again;
}

/// Words that the update of one site reads from memory, for G replicas.
template <int G>
struct Operands {
  std::uint32_t spin[G], side[G], up[G], down[G], next[G], coupling[6];
};

/// Bonds of the site whose operands are `a`. `last` and `here` are the other parity's words at z - 1 and z of the
/// column; they advance to the next z.
template <int G>
__device__ __forceinline__ void next_bonds(const Operands<G>& a, std::uint32_t (&last)[G], std::uint32_t (&here)[G],
                                           std::uint32_t (&bond)[G][6]) {
#pragma unroll
  for (int r = 0; r < G; ++r) {
    const std::uint32_t neighbour[6] = {here[r], a.side[r], a.up[r], a.down[r], a.next[r], last[r]};
#pragma unroll
    for (int k = 0; k < 6; ++k) bond[r][k] = xor3(a.spin[r], a.coupling[k], neighbour[k]);
    last[r] = here[r];
    here[r] = a.next[r];
  }
}

/// Replica and direction to whose words the pointers of a BlockPlanes point. An instruction adds at most 2^23 bytes to
/// an address. With pointers to a replica in the middle, offsets of all replicas stay below that in larger lattices.
struct Origin {
  int replica = 0, direction = 0;

  /// Steps in memory to the words of a replica or direction.
  template <int FROM>
  __device__ __forceinline__ static auto words_to(int k, std::uint32_t sites) {
    if constexpr (FROM == 0)
      return static_cast<std::uint32_t>(k) * sites;
    else
      return static_cast<std::ptrdiff_t>(k - FROM) * static_cast<std::ptrdiff_t>(sites);
  }
};

/// A pack with pointers to ORIGIN. The distance is in a register: the compiler would add a constant to every offset.
template <Origin ORIGIN>
__device__ __forceinline__ PackView moved_to(PackView pack) {
  if constexpr (ORIGIN.replica != 0)
    pack.first_spin += in_register(std::uint64_t{pack.sites} * static_cast<std::uint64_t>(ORIGIN.replica));
  if constexpr (ORIGIN.direction != 0)
    pack.first_coupling += in_register(std::uint64_t{pack.sites} * static_cast<std::uint64_t>(ORIGIN.direction));
  return pack;
}

/// State of a z-sweep over the sites of one parity. The other parity's words at z - 1 and z stay in registers.
template <int G, Origin ORIGIN>
struct ZSweep {
  const BlockPlanes& block;
  const Column& c;
  std::uint32_t* mine;
  const std::uint32_t *other, *my_J, *other_J, *top;
  RowStep now, then;
  std::uint32_t last[G], here[G], J_before;

  __device__ __forceinline__ ZSweep(const BlockPlanes& block_, const Column& c_, std::uint32_t z0, std::uint32_t parity)
      : block(block_),
        c(c_),
        mine(block.own.spins(parity) + c.index),
        other(block.own.spins(1 - parity) + c.index),
        my_J(block.own.couplings(parity) + c.index),
        other_J(block.own.couplings(1 - parity) + c.index),
        top(block.above.spins(1 - parity) + c.index),
        now(c, (c.y + block.first_plane + z0 + parity) & 1u, my_J, other_J),
        then(c, (c.y + block.first_plane + z0 + parity + 1) & 1u, my_J, other_J) {
    const std::uint32_t plane = block.plane;
    const PackView& from = z0 == 0 ? block.below : block.own;
    const std::uint32_t before = (z0 == 0 ? block.planes_below - 1 : z0 - 1) * plane + c.index;
    const std::uint32_t* spins = from.spins(1 - parity) + before;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      last[r] = spins[replica(r)];
      here[r] = other[replica(r) + z0 * plane];
    }
    J_before = (from.couplings(1 - parity) + before)[direction(2)];
  }

  /// Steps in memory from the pointers to the words of a replica, or to the couplings of a direction.
  __device__ __forceinline__ auto replica(int r) const { return Origin::words_to<ORIGIN.replica>(r, block.own.sites); }
  __device__ __forceinline__ auto direction(int mu) const {
    return Origin::words_to<ORIGIN.direction>(mu, block.own.sites);
  }

  /// Operands of the site at z. Calls must be in order of z because each call swaps the two row steps.
  __device__ __forceinline__ Operands<G> load(std::uint32_t z, bool may_be_top) {
    const std::uint32_t i = z * block.plane;
    Operands<G> a;
    a.coupling[0] = now.coupling_here[direction(0) + i];
    a.coupling[1] = now.coupling_side[direction(0) + i];
    a.coupling[2] = my_J[direction(1) + i];
    a.coupling[3] = other_J[static_cast<int>(direction(1) + i) + c.down];
    a.coupling[4] = my_J[direction(2) + i];
    a.coupling[5] = J_before;
    const std::uint32_t* above = may_be_top && z + 1 == block.planes ? top : other + i + block.plane;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* o = other + replica(r) + i;
      a.next[r] = above[replica(r)];
      a.spin[r] = mine[replica(r) + i];
      a.side[r] = o[now.side];
      a.up[r] = o[c.up];
      a.down[r] = o[c.down];
    }
    J_before = other_J[direction(2) + i];
    exchange(now, then);
    return a;
  }
};

/// Instead of numbers, where none are drawn ahead.
struct NotDrawn {};

/// Updates the sites z0 ... z1 - 1 of one parity of a column, G replicas each. SEGMENT is z1 - z0 if known at compile
/// time, else 0. `drawn` holds the random numbers of the first site; on return, those of the first site of the next
/// half sweep. Numbers and operands of a site are fetched while the preceding site is decided, the numbers also across
/// the barrier between half sweeps.
/// IN_STEP: all threads of a warp call `defer` together at each of `steps` steps, or SEGMENT if that is not 0. In steps
/// beyond its own planes a thread decides words that it does not store, and leaves no lane undecided; branches around
/// these steps would take more instructions and registers. If a thread has no planes, z0 = z1, and z0 ... z0 +
/// max(1, SEGMENT) - 1 are planes of the block.
/// ORIGIN: where the pointers of `block` point.
/// `first`: the numbers of the first site, Decision::Numbers, if Drawn holds none and they are drawn already.
template <int G, int SEGMENT, bool AHEAD, bool IN_STEP = false, Origin ORIGIN = Origin{}, class Decision, class Defer,
          class First = NotDrawn>
__device__ __forceinline__ void z_sweep(const BlockPlanes& block, const Column& c, std::uint32_t z0, std::uint32_t z1,
                                        std::uint32_t parity, const HalfSweep& s, const HalfSweep& next,
                                        const Decision& decide, typename Decision::Drawn& drawn, const Defer& defer,
                                        std::uint32_t steps = 0, const First& first = {}) {
  static_assert(!IN_STEP || std::is_empty_v<typename Decision::Drawn>, "more steps than sites would draw more numbers");
  const std::uint32_t segment = SEGMENT ? SEGMENT : z1 - z0, count = SEGMENT || !IN_STEP ? segment : steps;
  ZSweep<G, ORIGIN> m(block, c, z0, parity);
  if (IN_STEP && z0 == z1) m.mine = block.own.spins(1 - parity) + c.index;  // words that no thread writes meanwhile
  Operands<G> a = m.load(z0, SEGMENT <= 1);
#pragma unroll(SEGMENT ? SEGMENT : 1)
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = (z0 + k) * block.plane, site = block.first_plane * block.plane + c.index + i;
    const bool final = IN_STEP ? k + 1 >= segment : k + 1 == segment, exists = !IN_STEP || k < z1 - z0;
    typename Decision::Drawn after = drawn;
    if (AHEAD || !final) after = decide.draw(final ? next : s, final ? site - k * block.plane : site + block.plane);
    Operands<G> b;
    if (!final) b = m.load(z0 + k + 1, !SEGMENT || k + 2 == SEGMENT);
    std::uint32_t bond[G][6];
    next_bonds(a, m.last, m.here, bond);
    auto pending = [&] {
      if constexpr (!std::is_same_v<First, NotDrawn>)
        if (k == 0) return decide(s, site, first, a.spin, bond);
      return decide(s, site, drawn, a.spin, bond);
    }();
#pragma unroll
    for (int r = 0; r < G; ++r) {
      if (exists) m.mine[m.replica(r) + i] = a.spin[r];
      if constexpr (IN_STEP) pending.equal[r] = exists ? pending.equal[r] : 0;
    }
    defer(pending, i + c.index);
    drawn = after;
    if (!IN_STEP || !final) a = b;
  }
}

}  // namespace psflip::cuda
