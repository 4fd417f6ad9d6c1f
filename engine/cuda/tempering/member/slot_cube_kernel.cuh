#pragma once
#include "engine/cuda/measure/bit_counter.cuh"
#include "engine/cuda/sweep/cubic_shape.hpp"
#include "engine/cuda/sweep/persistent/segment.cuh"
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/tempering/member/sweep_kernels.cuh"

namespace psflip::cuda {

/// Bytes of shared memory of the kernel of a cubic lattice with random bonds.
constexpr std::size_t slot_cube_bytes(std::uint32_t L, std::uint32_t G, bool couplings) {
  return std::size_t{4} * (2 * G + (couplings ? 6 : 0)) * (L * L / 2) * L;
}

/// Most threads of a block: small lattices leave room for two blocks on a multiprocessor, so that one updates while the
/// other loads, stores or waits at a barrier.
constexpr std::uint32_t slot_cube_threads(std::uint32_t L) { return L <= 16 ? 288 : most_threads; }
constexpr CubicShape slot_cube_shape(std::uint32_t L, std::uint32_t threads) {
  return cubic_shape(L, 0, ~std::size_t{0}, 1, threads);
}

/// A lattice size known at compile time, as KnownCube; L = 0: known only at launch.
template <int L_>
struct KnownSlotCube {
  static constexpr std::uint32_t L = L_;
  static constexpr CubicShape shape = slot_cube_shape(L ? L : 4, slot_cube_threads(L));
  static constexpr int segment = L ? shape.segment : 0, short_segment = L ? shape.short_segment(L) : 0;
  static constexpr std::uint32_t threads = L ? shape.threads : unknown_threads;
};

/// Unsatisfied bonds of the even sites of a column, which are all bonds of the column and of those next to it, in all
/// samples. Every bond has one end on an even site.
template <int G>
__device__ __forceinline__ Counter<9> count_column(const PackView& own, const Column& c, std::uint32_t r,
                                                   std::uint32_t L) {
  const std::uint32_t plane = L * L / 2;
  const std::uint32_t *spins = own.spins(0) + r * own.sites, *others = own.spins(1) + r * own.sites;
  const std::uint32_t *J = own.couplings(0), *other_J = own.couplings(1);
  Counter<9> unsatisfied;
  std::uint32_t before = others[(L - 1) * plane + c.index],
                J_before = other_J[2 * own.sites + (L - 1) * plane + c.index];
  for (std::uint32_t z = 0; z < L; z += 4) {
    std::uint32_t bond[24] = {};
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (z + j >= L) break;
      const auto i = static_cast<int>((z + j) * plane + c.index), sites = static_cast<int>(own.sites);
      const std::uint32_t s = spins[i], here = others[i], shift = (c.y + z + j) & 1u;
      const int side = i + (shift ? c.side_right : c.side_left);
      bond[6 * j] = xor3(s, here, shift ? other_J[i] : J[i]);
      bond[6 * j + 1] = xor3(s, others[side], shift ? J[i] : other_J[side]);
      bond[6 * j + 2] = xor3(s, others[i + c.up], J[sites + i]);
      bond[6 * j + 3] = xor3(s, others[i + c.down], other_J[sites + i + c.down]);
      bond[6 * j + 4] = xor3(s, others[z + j + 1 == L ? c.index : i + plane], J[2 * sites + i]);
      bond[6 * j + 5] = xor3(s, before, J_before);
      before = here;
      J_before = other_J[2 * sites + i];
    }
    unsatisfied.add<3>(bond);
  }
  return unsatisfied;
}

/// Adds the unsatisfied bonds of a group of sets of a slot to `counts`, 32 integers for each set. The warps of the
/// block share the columns; one warp counts one set.
template <int G>
__device__ __forceinline__ void count_slot_bonds(const PackView& own, std::uint32_t L, int* counts) {
  const std::uint32_t plane = L * L / 2, warps_of_set = (plane + 31) / 32, lane = threadIdx.x & 31u;
  for (std::uint32_t w = threadIdx.x / 32; w < G * warps_of_set; w += blockDim.x / 32) {
    const std::uint32_t r = w / warps_of_set, index = w % warps_of_set * 32 + lane;
    Counter<9> unsatisfied;
    if (index < plane) unsatisfied = count_column<G>(own, Column(index, L), r, L);
    __syncwarp();
    atomicAdd(counts + 32 * r + lane, sum_over_warp(unsatisfied));
  }
}

/// Many half sweeps of a group of sets of a cubic lattice with random bonds, its spins and, if COUPLINGS, its couplings
/// in shared memory; then counts its unsatisfied bonds. A thread keeps its column and its segment of planes. Grid
/// (slots, packs).
template <class T, class Known, class Decision, bool COUPLINGS>
__global__ void __launch_bounds__(Known::threads)
    slot_cube_kernel(const __grid_constant__ MemberSweep job, const __grid_constant__ KeySchedule keys,
                     const Decision* decisions, CubicShape given, EnergyCounts energies) {
  constexpr int G = Decision::group;
  using Pack = SharedPack<3, G, COUPLINGS>;
  std::uint32_t* shared = shared_memory();
  const MemberBlock<T> slot(job, blockIdx.x, blockIdx.y);
  const Decision decide = decisions[slot.slot_of_grid()];
  const CubicShape shape = Known::L ? Known::shape : given;
  const std::uint32_t L = Known::L ? Known::L : slot.shape.L, plane = L * L / 2, sites = plane * L;
  PackView own = Pack::view(shared, sites);
  if constexpr (!COUPLINGS) own.first_coupling = slot.global.first_coupling;
  const BlockPlanes block{own, own, own, plane, L, L, 0};
  const Column column(threadIdx.x % plane, L);
  const std::uint32_t z0 = threadIdx.x / plane * shape.segment, z1 = max(z0, min(L, z0 + shape.segment));
  after_previous_kernel();
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
  if (threadIdx.x < blockDim.x / 32 * 32)  // complete warps
    count_slot_bonds<G>(own, L, energies.counts + energies.at(slot.pack, slot.slot, job.first_set) + energies.bonds);
}

}  // namespace psflip::cuda
