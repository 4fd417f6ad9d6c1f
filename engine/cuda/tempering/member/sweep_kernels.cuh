#pragma once
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"
#include "engine/cuda/tempering/member/job.hpp"
#include "engine/cuda/update/update_site.cuh"

/// Half sweeps of the slots of any member of the family. `decisions` are those of all slots of the grid.
namespace psflip::cuda {

inline constexpr std::uint32_t member_threads = 256;  ///< of half sweeps in global memory

/// Data of one thread block: a pack at a slot.
template <class T>
struct MemberBlock {
  std::uint32_t pack, slot;  ///< slot in memory
  const TemperingShape& shape;
  const std::uint32_t* fields;
  PackView global;

  __device__ __forceinline__ MemberBlock(const MemberSweep& job, std::uint32_t slot_of_job, std::uint32_t pack_)
      : pack(pack_),
        slot(job.first_slot + slot_of_job),
        shape(job.words.shape),
        fields(job.words.fields + (T::has_field_words ? job.words.shape.fields(pack_) : 0)),
        global(job.words.view<T::dimension>(pack_, slot, job.first_set)) {}

  __device__ __forceinline__ std::uint32_t slot_of_grid() const { return shape.first_slot + slot; }
  __device__ __forceinline__ const std::uint32_t* fields_of(std::uint32_t parity) const {
    return fields + parity * shape.sites;
  }
  __device__ __forceinline__ HalfSweep half_sweep(const KeySchedule& keys, std::uint32_t h, std::uint32_t set) const {
    return HalfSweep(keys, shape.pack_numbers[pack], h, set, slot_of_grid());
  }
};

/// One half sweep of a group of sets in global memory. Grid (sites, slots, packs).
template <class T, class Decision>
__global__ void __launch_bounds__(member_threads)
    member_half_sweep_kernel(const __grid_constant__ MemberSweep job, const __grid_constant__ KeySchedule keys,
                             const Decision* decisions) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, h = job.first_half_sweep;
  if (site >= job.words.shape.sites) return;
  const MemberBlock<T> slot(job, blockIdx.y, blockIdx.z);
  const auto& decide = decisions[slot.slot_of_grid()].at_once();
  const std::uint32_t parity = h & 1u;
  const HalfSweep s = slot.half_sweep(keys, h, job.first_set);
  std::uint32_t neighbour[T::neighbours];
  find_neighbours(Lattice<T::dimension>{slot.shape.L}, parity, site, neighbour);
  if constexpr (decides_in_field<T, Decision>)
    update_site_in_field<T>(slot.global, slot.fields_of(parity), parity, site, site, neighbour, s, decide);
  else
    update_site<T>(slot.global, parity, site, site, neighbour, s, decide);
}

/// One half sweep of a group of sets of a cubic lattice with random bonds in global memory. Grid (columns of a plane x
/// segments of a lattice, slots, packs).
template <class T, class Decision>
__global__ void __launch_bounds__(z_sweep_threads)
    slot_z_sweep_kernel(const __grid_constant__ MemberSweep job, const __grid_constant__ KeySchedule keys,
                        const Decision* decisions) {
  __shared__ uint4 no_queue[1];
  const MemberBlock<T> slot(job, blockIdx.y, blockIdx.z);
  const Decision decide = decisions[slot.slot_of_grid()];
  const std::uint32_t L = slot.shape.L, plane = L * L / 2, across = (plane + blockDim.x - 1) / blockDim.x,
                      index = blockIdx.x % across * blockDim.x + threadIdx.x;
  if (index >= plane) return;
  const BlockPlanes block{slot.global, slot.global, slot.global, plane, L, L, 0};
  const std::uint32_t z0 = blockIdx.x / across * slab_segment, z1 = min(L, z0 + slab_segment), h = job.first_half_sweep;
  z_sweep_segment<0>(block, Column(index, L), z0, z1, h & 1u, slot.half_sweep(keys, h, job.first_set), decide,
                     no_queue);
}

}  // namespace psflip::cuda
