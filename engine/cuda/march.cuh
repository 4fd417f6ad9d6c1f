#pragma once
#include "engine/cuda/pack_view.cuh"

/// The march of a thread through a column of a cubic lattice that lies in shared memory.
namespace psflip::cuda {

/// What a thread of the cubic kernels knows about its column of sites (x, y), z = 0 ... L - 1: steps in memory to the
/// neighbours in the plane. The neighbours along x of a site at the same place are that place and one to its side.
struct Column {
  std::uint32_t place, y;
  int side_left, side_right;  ///< steps to the x neighbour that is not at the same place, for shift 0 and 1
  int up, down;

  __device__ Column(std::uint32_t number, std::uint32_t L) {
    const auto h = static_cast<int>(L / 2);
    const auto x = static_cast<int>(number % static_cast<std::uint32_t>(h));
    place = number;
    y = number / static_cast<std::uint32_t>(h);
    side_right = x == h - 1 ? 1 - h : 1;
    side_left = x == 0 ? h - 1 : -1;
    const int around = (static_cast<int>(L) - 1) * h;
    up = y == L - 1 ? -around : h;
    down = y == 0 ? around : -h;
  }
};

/// The planes of a lattice that one block holds in its shared memory, and where the planes next to them lie: in the
/// shared memory of the neighbouring blocks of a cluster, or, when a block holds the whole lattice, in its own.
struct Slab {
  PackView own, below, above;
  std::uint32_t plane;         ///< sites of one parity in a plane
  std::uint32_t planes;        ///< in this slab
  std::uint32_t planes_below;  ///< in the slab below
  std::uint32_t first_plane;   ///< z of the lowest plane of this slab
};

/// Where a site finds its two neighbours along x. Which of them lies at the site's own place alternates with z, so a
/// march keeps two of these and swaps them at every step instead of choosing.
struct RowStep {
  int side;                                            ///< step to the neighbour that is not at the same place
  const std::uint32_t *coupling_here, *coupling_side;  ///< bonds to the neighbour at the same place and to the other

  __device__ __forceinline__ RowStep(const Column& c, std::uint32_t shift, const std::uint32_t* mine,
                                     const std::uint32_t* other)
      : side(shift ? c.side_right : c.side_left),
        coupling_here(shift ? other : mine),           // at the same place: x - 1 for shift 1, which stores the bond
        coupling_side(shift ? mine : other + side) {}  // to the side: x + 1 for shift 1, whose bond the site stores
};

/// Updates the sites z0 ... z1 - 1 of one parity of a column of a slab, G replicas each. The other parity's words at
/// z - 1, z and z + 1 stay in registers. RUN is z1 - z0 when known at compile time, else 0.
template <int G, int RUN, class Decision>
__device__ __forceinline__ void march(const Slab& slab, const Column& c, std::uint32_t z0, std::uint32_t z1,
                                      const HalfSweep& s, const Decision& decide) {
  const std::uint32_t parity = s.half_sweep & 1u, sites = slab.own.sites, plane = slab.plane;
  std::uint32_t* mine = slab.own.spins(parity);
  const std::uint32_t *other = slab.own.spins(1 - parity), *other_above = slab.above.spins(1 - parity);
  const std::uint32_t *my_J = slab.own.couplings(parity), *other_J = slab.own.couplings(1 - parity);
  std::uint32_t last[G], here[G], J_before;
  if (z0 == 0) {
    const std::uint32_t before = (slab.planes_below - 1) * plane + c.place;
#pragma unroll
    for (int r = 0; r < G; ++r) last[r] = slab.below.spins(1 - parity)[r * sites + before];
    J_before = slab.below.couplings(1 - parity)[2 * sites + before];
  } else {
    const std::uint32_t before = (z0 - 1) * plane + c.place;
#pragma unroll
    for (int r = 0; r < G; ++r) last[r] = other[r * sites + before];
    J_before = other_J[2 * sites + before];
  }
#pragma unroll
  for (int r = 0; r < G; ++r) here[r] = other[r * sites + z0 * plane + c.place];
  const std::uint32_t shift = (c.y + slab.first_plane + z0 + parity) & 1u;
  RowStep now(c, shift, my_J, other_J), then(c, 1 - shift, my_J, other_J);
#pragma unroll(RUN ? RUN : 1)
  for (std::uint32_t k = 0; k < (RUN ? RUN : z1 - z0); ++k) {
    const std::uint32_t z = z0 + k, i = z * plane + c.place;
    const std::uint32_t J_here = now.coupling_here[i], J_side = now.coupling_side[i];
    const std::uint32_t J_up = my_J[sites + i], J_down = other_J[sites + i + c.down], J_after = my_J[2 * sites + i];
    std::uint32_t spin[G], bond[G][6], next[G];
    if ((RUN == 0 || k + 1 == RUN) && z + 1 == slab.planes) {
#pragma unroll
      for (int r = 0; r < G; ++r) next[r] = other_above[r * sites + c.place];
    } else {
#pragma unroll
      for (int r = 0; r < G; ++r) next[r] = other[r * sites + i + plane];
    }
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* o = other + r * sites;
      spin[r] = mine[r * sites + i];
      bond[r][0] = xor3(spin[r], J_here, here[r]);
      bond[r][1] = xor3(spin[r], J_side, o[i + now.side]);
      bond[r][2] = xor3(spin[r], J_up, o[i + c.up]);
      bond[r][3] = xor3(spin[r], J_down, o[i + c.down]);
      bond[r][4] = xor3(spin[r], J_after, next[r]);
      bond[r][5] = xor3(spin[r], J_before, last[r]);
      last[r] = here[r];
      here[r] = next[r];
    }
    J_before = other_J[2 * sites + i];
    decide(s, slab.first_plane * plane + i, spin, bond);
#pragma unroll
    for (int r = 0; r < G; ++r) mine[r * sites + i] = spin[r];
    const RowStep again = now;
    now = then;
    then = again;
  }
}

}  // namespace psflip::cuda
