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

/// Updates the sites z0 ... z1 - 1 of one parity of a column, G replicas each. The other parity's words at z - 1, z and
/// z + 1 stay in registers.
template <int G, class Decision>
__device__ __forceinline__ void march(const PackView& v, const Column& c, std::uint32_t L, std::uint32_t plane,
                                      std::uint32_t z0, std::uint32_t z1, const HalfSweep& s, const Decision& decide) {
  const std::uint32_t parity = s.half_sweep & 1u, sites = v.sites;
  std::uint32_t* mine = v.spins(parity);
  const std::uint32_t* other = v.spins(1 - parity);
  const std::uint32_t *my_J = v.couplings(parity), *other_J = v.couplings(1 - parity);
  std::uint32_t below_z[G], here[G];
  std::uint32_t before = (z0 == 0 ? L - 1 : z0 - 1) * plane + c.place;
#pragma unroll
  for (int r = 0; r < G; ++r) {
    below_z[r] = other[r * sites + before];
    here[r] = other[r * sites + z0 * plane + c.place];
  }
  for (std::uint32_t z = z0; z < z1; ++z) {
    const std::uint32_t i = z * plane + c.place, after = z + 1 == L ? c.place : i + plane;
    const std::uint32_t shift = (c.y + z + parity) & 1u, side = i + (shift ? c.side_right : c.side_left);
    const std::uint32_t J_mine = my_J[i], J_other = other_J[shift ? i : side];  // bonds to x + 1 and to x - 1
    const std::uint32_t J_here = shift ? J_other : J_mine, J_side = shift ? J_mine : J_other;
    const std::uint32_t J_up = my_J[sites + i], J_down = other_J[sites + i + c.down];
    const std::uint32_t J_after = my_J[2 * sites + i], J_before = other_J[2 * sites + before];
    std::uint32_t spin[G], bond[G][6];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* o = other + r * sites;
      const std::uint32_t next = o[after];
      spin[r] = mine[r * sites + i];
      bond[r][0] = xor3(spin[r], J_here, here[r]);
      bond[r][1] = xor3(spin[r], J_side, o[side]);
      bond[r][2] = xor3(spin[r], J_up, o[i + c.up]);
      bond[r][3] = xor3(spin[r], J_down, o[i + c.down]);
      bond[r][4] = xor3(spin[r], J_after, next);
      bond[r][5] = xor3(spin[r], J_before, below_z[r]);
      below_z[r] = here[r];
      here[r] = next;
    }
    before = i;
    decide(s, i, spin, bond);
#pragma unroll
    for (int r = 0; r < G; ++r) mine[r * sites + i] = spin[r];
  }
}

}  // namespace psflip::cuda
