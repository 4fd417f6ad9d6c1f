#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/tempering/field_cube/unit_counts.cuh"

/// Kernels for two sets of a random field on a cubic lattice that count the integers of all units in global memory, or
/// exchange the spins of slots.
namespace psflip::cuda {

/// Grid (blocks of a configuration, units from `first_unit` on, packs).
template <class Known>
static __global__ void __launch_bounds__(256)
    energy_kernel(std::uint32_t* spins, const std::uint32_t* fields, FieldCubeShape shape, std::uint32_t first_unit,
                  ZSweepShape given, int* counts) {
  const std::uint32_t unit = first_unit + blockIdx.y, pack = blockIdx.z, L = Known::L ? Known::L : shape.L;
  const ZSweepShape z_shape = Known::L ? Known::shape : given;
  const ZSweepStart start(z_shape, L, blockIdx.x);
  after_previous_kernel();
  count_energies(FieldZSweep<Known>(start, L, 0, spins + shape.unit_spins(pack, unit), fields + shape.fields(pack)),
                 z_shape.segment, L * L * L / 2, counts + shape.bonds(pack, unit), counts + shape.against(pack, unit));
}

inline constexpr std::uint32_t units_at_once = 8;  ///< in plane_kernel, one for each warp of a block

/// Counts the -1 spins of the planes along each axis, of the units from `first_unit` to before `end_unit`. Grid (warp
/// traversals, units / units_at_once, packs); block (32, units_at_once).
static __global__ void __launch_bounds__(32 * units_at_once)
    plane_kernel(std::uint32_t* spins, FieldCubeShape shape, std::uint32_t first_unit, std::uint32_t end_unit,
                 const __grid_constant__ Traversals<3> traversals, int* counts) {
  __shared__ WarpBytes bytes[units_at_once];
  const std::uint32_t unit = first_unit + blockIdx.y * units_at_once + threadIdx.y, pack = blockIdx.z;
  if (unit >= end_unit) return;  // all threads of the warp
  after_previous_kernel();
  count_planes_of_unit(spins + shape.unit_spins(pack, unit), shape, traversals, blockIdx.x, bytes[threadIdx.y],
                       counts + shape.planes(pack, unit));
}

inline constexpr std::uint32_t swap_threads = 128, swap_steps = 4;  ///< of a block; eight words each of a thread

/// Exchanges the spins of the samples in the masks. If the round is MEASURED, counts the sites where the sets then
/// differ; if not, configurations without an exchange are skipped. Grid (blocks of a configuration, groups of slots
/// from `first_group` on, packs).
template <bool MEASURED>
static __global__ void __launch_bounds__(swap_threads)
    swap_kernel(uint4* spins, FieldCubeShape shape, std::uint32_t first_group, std::uint32_t odd,
                const std::uint32_t* masks, int* counts) {
  const std::uint32_t pack = blockIdx.z, words = 2 * shape.sites / 4;
  const SlotGroup group(first_group + blockIdx.y, odd, shape.slots);
  std::uint32_t masks_of[2] = {};
  after_previous_kernel();
#pragma unroll
  for (std::uint32_t set = 0; set < 2; ++set)
    if (group.is_pair) masks_of[set] = masks[shape.unit(pack, group.slot, set)];
  if (!MEASURED && (masks_of[0] | masks_of[1]) == 0) return;
  Counter<6> differ[2];
  for (std::uint32_t step = 0; step < swap_steps; ++step) {
    std::uint32_t overlap[2][8] = {};
#pragma unroll
    for (std::uint32_t j = 0; j < 2; ++j) {
      const std::uint32_t i = ((blockIdx.x * swap_steps + step) * 2 + j) * swap_threads + threadIdx.x;
      if (i >= words) continue;
#pragma unroll
      for (std::uint32_t set = 0; set < 2; ++set) {
        const std::uint32_t mask = masks_of[set];
        if (!MEASURED && mask == 0) continue;
        uint4* cold = spins + shape.unit_spins(pack, 2 * group.slot + set) / 4 + i;
        uint4 a = *cold, b = {};
        if (group.is_pair) {
          uint4* hot = cold + words * 2;  // the next slot is two configurations further
          b = *hot;
          const uint4 d = {(a.x ^ b.x) & mask, (a.y ^ b.y) & mask, (a.z ^ b.z) & mask, (a.w ^ b.w) & mask};
          a = {a.x ^ d.x, a.y ^ d.y, a.z ^ d.z, a.w ^ d.w};
          b = {b.x ^ d.x, b.y ^ d.y, b.z ^ d.z, b.w ^ d.w};
          if (mask != 0) *cold = a;
          if (mask != 0) *hot = b;
        }
        const std::uint32_t word[2][4] = {{a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          overlap[0][4 * j + k] ^= word[0][k];
          overlap[1][4 * j + k] ^= word[1][k];
        }
      }
    }
    if (MEASURED) {
      differ[0].add<1>(overlap[0]);
      differ[1].add<1>(overlap[1]);
    }
  }
  if (!MEASURED) return;
  const std::uint32_t lane = threadIdx.x & 31u;
  atomicAdd(counts + shape.differing(pack, group.slot) + lane, sum_over_warp(differ[0]));
  if (group.is_pair) atomicAdd(counts + shape.differing(pack, group.slot + 1) + lane, sum_over_warp(differ[1]));
}

}  // namespace psflip::cuda
