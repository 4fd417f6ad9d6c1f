#pragma once
#include "engine/cuda/measure/count_kernels.cuh"
#include "engine/cuda/tempering/field_cube/shape.hpp"
#include "engine/cuda/update/field_z_sweep.cuh"

/// Two sets of a random field on a cubic lattice: integers of all samples of one unit, whose spins are in shared or in
/// global memory. They are added to the rows of FieldCubeShape, which are zero at the start of a round.
namespace psflip::cuda {

inline constexpr std::uint32_t most_sites_of_thread = 64;  ///< of one parity, where L is known only at launch

/// Counts unsatisfied bonds and spins against their field. Every bond has one end on an even site, so the threads of
/// all blocks of a configuration visit even sites only, `segment` of them each. Complete warps only.
template <class Known>
__device__ __forceinline__ void count_energies(FieldZSweep<Known> sweep, std::uint32_t segment, std::uint32_t sites,
                                               int* bond_row, int* against_row) {
  constexpr std::uint32_t most = Known::L ? Known::shape.segment : most_sites_of_thread;
  Counter<counter_bits<6 * most>> unsatisfied;
  Counter<counter_bits<2 * most>> against;
  for (std::uint32_t k = 0; k < segment; k += 4) {
    std::uint32_t bond[24] = {}, field[8] = {};
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (!Known::complete && k + j >= sweep.planes) break;
      const SiteWords w = sweep.load(k + j, j);
      const std::uint32_t neighbour[6] = {sweep.at_here, w.side, w.up, w.down, w.next, sweep.at_before};
#pragma unroll
      for (int n = 0; n < 6; ++n) bond[6 * j + n] = w.spin ^ neighbour[n];
      field[2 * j] = w.spin ^ w.field;
      field[2 * j + 1] = sweep.at_here ^ sweep.field[sites + j * sweep.plane];
      sweep.at_before = sweep.at_here;
      sweep.at_here = w.next;
    }
    unsatisfied.template add<3>(bond);
    against.template add<1>(field);
    sweep.advance(4);
  }
  atomicAdd(bond_row + (threadIdx.x & 31u), sum_over_warp(unsatisfied));
  atomicAdd(against_row + (threadIdx.x & 31u), sum_over_warp(against));
}

/// Counts the -1 spins of the planes that a warp traversal visits. `number`: first those of traversals.first, then
/// those of the second. For one warp; `plane_rows`: of the unit.
__device__ __forceinline__ void count_planes_of_unit(std::uint32_t* spins, const FieldCubeShape& shape,
                                                     const Traversals<3>& traversals, std::uint32_t number,
                                                     WarpBytes& bytes, int* plane_rows) {
  const bool second = number >= traversals.first.warp_traversals();
  const Traversal& traversal = second ? traversals.second : traversals.first;
  const WarpTraversal warp(traversal, second ? number - traversals.first.warp_traversals() : number);
  const PackView v{spins, nullptr, shape.sites, shape.sites, 0};
  count_fields<1, false, 2>(v, 0, shape.sites, traversal, warp, 0, CountRows{shape.L, 3, 1, 1, 0}, 0, plane_rows,
                            bytes);
}

}  // namespace psflip::cuda
