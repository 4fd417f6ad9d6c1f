#pragma once
#include "engine/cuda/sweep/persistent/persistent_kernel.cuh"
#include "engine/cuda/tempering/member_sweep_kernels.cuh"

namespace psflip::cuda {

/// Bytes of shared memory of the kernel of a cubic lattice with random bonds.
constexpr std::size_t slot_cube_bytes(std::uint32_t L, std::uint32_t G, bool couplings) {
  return std::size_t{4} * (2 * G + (couplings ? 6 : 0)) * (L * L / 2) * L;
}

/// Many half sweeps of a group of sets of a cubic lattice with random bonds, its spins and, if COUPLINGS, its couplings
/// in shared memory. A thread keeps its column and its segment of planes. Grid (slots, packs).
template <class T, class Known, class Decision, bool COUPLINGS>
__global__ void __launch_bounds__(Known::threads)
    slot_cube_kernel(const __grid_constant__ MemberSweep job, const __grid_constant__ KeySchedule keys,
                     const Decision* decisions, CubicShape given) {
  constexpr int G = Decision::group;
  using Pack = SharedPack<3, G, COUPLINGS>;
  std::uint32_t* shared = shared_memory();
  const MemberBlock<T, Decision> slot(job, blockIdx.x, blockIdx.y);
  const Decision decide = decisions[slot.slot_of_grid()];
  const CubicShape shape = Known::L ? Known::shape : given;
  const std::uint32_t L = Known::L ? Known::L : slot.shape.L, plane = L * L / 2, sites = plane * L;
  PackView own = Pack::view(shared, sites);
  if constexpr (!COUPLINGS) own.first_coupling = slot.global.first_coupling;
  const BlockPlanes block{own, own, own, plane, L, L, 0};
  const Column column(threadIdx.x % plane, L);
  const std::uint32_t z0 = threadIdx.x / plane * shape.segment, z1 = max(z0, min(L, z0 + shape.segment));
  Pack::load(slot.global, shared, sites, 0, sites);
  __syncthreads();
  const std::uint32_t begin = job.first_half_sweep, end = begin + job.half_sweeps;
  HalfSweep s = slot.half_sweep(keys, begin, job.first_set);
  auto drawn = decide.draw(s, z0 * plane + column.index);
  const auto nothing = [](const auto&, std::uint32_t) {};
  for (std::uint32_t h = begin; h != end; ++h) {
    const HalfSweep next = slot.half_sweep(keys, h + 1, job.first_set);
    // two copies, so that the addresses of both parities are constants
    if (h & 1u)
      update_segment<Known, G>(block, column, z0, z1, 1, s, next, decide, drawn, nothing);
    else
      update_segment<Known, G>(block, column, z0, z1, 0, s, next, decide, drawn, nothing);
    s = next;
    __syncthreads();
  }
  Pack::store(slot.global, shared, sites, 0, sites);
}

}  // namespace psflip::cuda
