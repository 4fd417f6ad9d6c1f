#pragma once
#include <utility>

#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/tempering/member/cube_counts.cuh"
#include "engine/cuda/tempering/member/square_counts.cuh"
#include "engine/cuda/tempering/member/sums_kernel.cuh"

/// Kernels that measure four sets of a lattice with random bonds in shared memory and add the values to the sums.
namespace psflip::cuda {

/// A configuration of a job, and what a round knows of its energies.
struct MeasuredSlot {
  const SlotCountJob& job;
  const SlotSums& sums;
  const EnergiesBefore& energies;
  std::uint32_t pack, slot;  ///< slot: in memory

  __device__ __forceinline__ MeasuredSlot(const SlotCountJob& job_, const SlotSums& sums_, const EnergiesBefore& before)
      : job(job_), sums(sums_), energies(before), pack(job.pack_of(blockIdx.x)), slot(job.slot_of(blockIdx.x)) {}

  __device__ __forceinline__ const std::uint32_t* spins() const {
    return job.words.spins + job.words.shape.spins(pack, slot);
  }
  /// Unsatisfied bonds of a set after the exchanges of the round, of the sample of this thread.
  __device__ __forceinline__ int unsatisfied(std::uint32_t set) const {
    const std::uint32_t lane = threadIdx.x & 31u,
                        before = energies.exchanges.slot_before(job.words.shape, pack, slot, set, lane);
    return energies.counts.counts[energies.counts.at(pack, before, set) + energies.counts.bonds + lane];
  }
};

/// Adds the values of a configuration to the sums; a warp for each set and pair. `counts` are CubeCounts or
/// SquareCounts of a lattice of linear size L. All warps of the block.
template <int D, class Counts>
__device__ __forceinline__ void add_measured(const MeasuredSlot& of, const Counts& counts, std::uint32_t L,
                                             std::int64_t sites) {
  const TemperingShape& shape = of.job.words.shape;
  const std::uint32_t lane = threadIdx.x & 31u;
  const SumsOfSample at{of.slot, std::size_t{32} * of.pack + lane, shape.lanes()};
  const auto bond_sum = [&](std::uint32_t set) { return D * sites - 2 * std::int64_t{of.unsatisfied(set)}; };
  const auto magnetization = [&](std::uint32_t set) {
    return sites - 2 * std::int64_t{counts.totals.minus[set][lane]};
  };
  for (std::uint32_t i = threadIdx.x / 32; i < measured_sets + measured_pairs; i += blockDim.x / 32) {
    if (i < measured_sets) {
      add_set({bond_sum(i), magnetization(i), magnetization(i), 0}, of.sums, shape, i, at);
      continue;
    }
    const std::uint32_t number = i - measured_sets;
    const Pair pair = Pair::number(number, measured_sets);
    Components<D> overlap;
    counts.for_each(number, [&](int axis, std::uint32_t position, int differ) {
      overlap.add(axis, L, differ, of.sums.cosine[position], of.sums.sine[position]);
    });
    const PairIntegers of_pair{overlap.sum,
                               magnetization(pair.a),
                               magnetization(pair.b),
                               0,
                               k2_of_cube(overlap.re, overlap.im, overlap.re, overlap.im, D),
                               D * sites - 2 * std::int64_t{counts.totals.links[number][lane]},
                               bond_sum(pair.a) + bond_sum(pair.b)};
    add_pair(of_pair, of.sums, shape, sites, measured_pairs, number, at);
  }
}

/// Grid: all configurations of the job, from number 0 on; a thread block for each.
template <int L>
__global__ void __launch_bounds__(CubeSize<L>::threads, CubeSize<L>::blocks)
    cube_sums_kernel(const __grid_constant__ SlotCountJob job, const __grid_constant__ SlotSums sums,
                     const __grid_constant__ EnergiesBefore energies) {
  const MeasuredSlot slot(job, sums, energies);
  after_previous_kernel();
  auto& counts = *reinterpret_cast<CubeCounts<L>*>(shared_memory());
  counts.count(slot.spins());
  add_measured<3>(slot, counts, L, 2 * CubeSize<L>::sites);
}

/// The same for squares of any size with is_measured_square().
static __global__ void __launch_bounds__(SquareSize::threads, SquareSize::blocks)
    square_sums_kernel(const __grid_constant__ SlotCountJob job, const __grid_constant__ SlotSums sums,
                       const __grid_constant__ EnergiesBefore energies) {
  const MeasuredSlot slot(job, sums, energies);
  after_previous_kernel();
  const std::uint32_t L = job.rows.L;
  SquareCounts counts(shared_memory(), L);
  counts.count(slot.spins());
  add_measured<2>(slot, counts, L, 2 * SquareSize{L}.sites());
}

/// Sizes with a cube_sums_kernel(): those whose spins fit in shared memory during the sweeps, at compute
/// capability 9.0.
using MeasuredCubes = std::integer_sequence<int, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24>;

/// Calls f.template operator()<L>() for the given size, if it is one of the sizes.
template <class F, int... L>
void with_cube_size(std::uint32_t given, F f, std::integer_sequence<int, L...>) {
  ((given == L ? f.template operator()<L>() : void()), ...);
}
template <int... L>
constexpr bool is_measured_cube(std::uint32_t given, std::integer_sequence<int, L...>) {
  return ((given == L) || ...);
}
/// `shared_bytes`: of a thread block if two of them are on a multiprocessor.
inline bool is_measured_square(std::uint32_t L, std::size_t shared_bytes) {
  return L <= SquareSize::largest_L && SquareSize{L}.bytes() <= shared_bytes;
}
/// Whether the kernels measure all sums that have a place: those of four sets, but no Fourier components of the spins.
inline bool are_measured(std::uint32_t sets, const SumPlaces& places) {
  return sets == measured_sets && places.set[sum_K] < 0 && places.pair[sum_MK_MK] < 0;
}

}  // namespace psflip::cuda
