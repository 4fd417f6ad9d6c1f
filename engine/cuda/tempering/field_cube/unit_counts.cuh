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

/// Warps that count the planes of a unit: one for the even x of each warp traversal and one for the odd x.
__host__ __device__ inline std::uint32_t plane_counters(const Traversals<3>& traversals) {
  return 2 * (traversals.first.warp_traversals() + traversals.second.warp_traversals());
}

/// Counts the -1 spins of some planes of a unit. `number`: below plane_counters(). For one warp; `plane_rows`: of the
/// unit.
__device__ __forceinline__ void count_planes_of_unit(std::uint32_t* spins, const FieldCubeShape& shape,
                                                     const Traversals<3>& traversals, std::uint32_t number,
                                                     WarpBytes& bytes, int* plane_rows) {
  const std::uint32_t odd_x = number & 1u, first = traversals.first.warp_traversals();
  const bool second = number / 2 >= first;
  const Traversal& traversal = second ? traversals.second : traversals.first;
  const PackView v{spins, nullptr, shape.sites, shape.sites, 0};
  count_fields<1, false>(v, 0, shape.sites, traversal, WarpTraversal(traversal, number / 2 - (second ? first : 0)),
                         odd_x, CountRows{shape.L, 3, 1, 1, 0}, 0, plane_rows, bytes);
}

}  // namespace psflip::cuda
