#pragma once
#include "engine/core/fourier.hpp"
#include "engine/core/tempering_sums.hpp"
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/measure/pair.cuh"
#include "engine/cuda/tempering/member/job.hpp"
#include "engine/cuda/tempering/member/slot_sums.hpp"
#include "engine/models/overlap_histogram.hpp"

/// Sums of any member of the family.
namespace psflip::cuda {

/// Fourier components along the axes, and the sum, of a field of signs of one sample.
template <int D>
struct Components {
  std::int64_t re[D] = {}, im[D] = {}, sum = 0;

  __device__ __forceinline__ Components() {}
  /// From the -1 signs in all planes, 32 integers from one to the next.
  __device__ __forceinline__ Components(const int* planes, std::uint32_t L, const int* cosine, const int* sine) {
#pragma unroll
    for (int axis = 0; axis < D; ++axis)
      for (std::uint32_t x = 0; x < L; ++x)
        add(axis, L, planes[32 * (static_cast<std::size_t>(axis) * L + x)], cosine[x], sine[x]);
  }

  /// A plane perpendicular to an axis with `minus` signs -1, the cosine and the sine of its position.
  __device__ __forceinline__ void add(int axis, std::uint32_t L, int minus, int cosine, int sine) {
    const int plane = static_cast<int>(D == 3 ? L * L : L) - 2 * minus;
    if (axis == 0) sum += plane;
    re[axis] += static_cast<std::int64_t>(plane) * cosine;
    im[axis] += static_cast<std::int64_t>(plane) * sine;
  }
  __device__ __forceinline__ std::int64_t k2() const { return k2_from_components(re, im, D); }
};

/// The integers of one sample of a configuration, in counts of SlotCountJob.
template <int D>
struct SampleCounts {
  const CountRows& rows;
  const int* counts;  ///< of the sample
  std::int64_t sites;
  const SlotSums& sums;

  __device__ int row(std::uint32_t number) const { return counts[32 * static_cast<std::size_t>(number)]; }
  __device__ std::int64_t bond_sum(std::uint32_t set) const { return D * sites - 2 * row(rows.unsatisfied_bonds(set)); }
  __device__ std::int64_t magnetization(std::uint32_t set) const { return sites - 2 * row(rows.minus_spins(set)); }
  __device__ Components<D> components(std::uint32_t field) const {
    return Components<D>(counts + 32 * static_cast<std::size_t>(rows.plane(field, 0, 0)), rows.L, sums.cosine,
                         sums.sine);
  }
  __device__ std::int64_t overlap(std::uint32_t pair) const {
    int differ = 0;
    for (std::uint32_t x = 0; x < rows.L; ++x) differ += row(rows.plane(rows.spins + pair, 0, x));
    return sites - 2 * differ;
  }
};

/// Adds value[i] to the sums that have a place; places increase with i. All are read before the first one is stored, so
/// that a thread waits for memory once.
template <int COUNT>
__device__ __forceinline__ void add_values(const std::int8_t (&place)[COUNT], const double (&value)[COUNT],
                                           double* sums, std::size_t stride_of_sums) {
  const std::size_t stride = in_register(std::uint64_t{stride_of_sums});
  double old[COUNT];
  const double* from = sums;
#pragma unroll
  for (int i = 0; i < COUNT; ++i)
    if (place[i] >= 0) {
      old[i] = *from;
      from += stride;
    }
#pragma unroll
  for (int i = 0; i < COUNT; ++i)
    if (place[i] >= 0) {
      *sums = rounded_sum(old[i], value[i]);
      sums += stride;
    }
}

/// Where a configuration and a sample have their sums.
struct SumsOfSample {
  std::uint32_t slot;           ///< in memory
  std::size_t lane, all_lanes;  ///< of all packs
};

/// Integers of one set and sample.
struct SetIntegers {
  std::int64_t bond_sum, field_sum, magnetization, k2;
};

__device__ __forceinline__ void add_set(const SetIntegers& of_set, const SlotSums& sums, const TemperingShape& shape,
                                        std::uint32_t set, const SumsOfSample& at) {
  double value[set_sums];
  set_values(of_set.bond_sum, of_set.field_sum, of_set.magnetization, of_set.k2, value);
  double* first = sums.sums.set + (std::size_t{shape.sets} * at.slot + set) * at.all_lanes + at.lane;
  add_values(sums.places.set, value, first, shape.units() * at.all_lanes);
}

template <int D>
__device__ __forceinline__ void add_set(const SampleCounts<D>& sample, const TemperingShape& shape, std::uint32_t set,
                                        const SumsOfSample& at) {
  const SlotSums& sums = sample.sums;
  const std::int64_t M = sample.magnetization(set);
  const std::int64_t F = sums.against >= 0 ? sample.sites - 2 * sample.row(sums.against + set) : M;
  const std::int64_t K = sums.places.set[sum_K] >= 0 ? sample.components(set).k2() : 0;
  add_set({sample.bond_sum(set), F, M, K}, sums, shape, set, at);
}

/// Pair `number` of `pairs` of a lattice with `sites` sites.
__device__ __forceinline__ void add_pair(const PairIntegers& of_pair, const SlotSums& sums, const TemperingShape& shape,
                                         std::int64_t sites, std::uint32_t pairs, std::uint32_t number,
                                         const SumsOfSample& at) {
  double value[pair_sums];
  pair_values(of_pair, value);
  double* first = sums.sums.pair + (std::size_t{pairs} * at.slot + number) * at.all_lanes + at.lane;
  add_values(sums.places.pair, value, first, std::size_t{shape.slots} * pairs * at.all_lanes);
  const std::int32_t bins = sums.overlap_bins;
  if (bins == 0) return;
  const BinSums& all = sums.sums;
  const std::int32_t bin = overlap_bin(of_pair.overlap, sites, bins);
  atomicAdd(all.overlap_counts + (at.slot * at.all_lanes + at.lane) * bins + bin, 1);
  const int link_place = all.link_places[at.slot];
  if (link_place >= 0)
    atomicAdd(all.overlap_link_sums + (link_place * at.all_lanes + at.lane) * bins + bin,
              static_cast<unsigned long long>(of_pair.link_overlap));
}

template <int D>
__device__ __forceinline__ void add_pair(const SampleCounts<D>& sample, const TemperingShape& shape,
                                         std::uint32_t number, const SumsOfSample& at) {
  const SlotSums& sums = sample.sums;
  const Pair pair = Pair::number(number, shape.sets);
  PairIntegers of_pair{0,
                       sample.magnetization(pair.a),
                       sample.magnetization(pair.b),
                       0,
                       0,
                       0,
                       sample.bond_sum(pair.a) + sample.bond_sum(pair.b)};
  if (sums.places.pair[sum_MK_MK] >= 0) {
    const Components<D> a = sample.components(pair.a), b = sample.components(pair.b);
    of_pair.k_product = k2_of_cube(a.re, a.im, b.re, b.im, D);
  }
  if (sums.places.pair[sum_QK] >= 0) {
    const Components<D> overlap = sample.components(sample.rows.spins + number);
    of_pair.overlap = overlap.sum;
    of_pair.overlap_k2 = overlap.k2();
  } else {
    of_pair.overlap = sample.overlap(number);
  }
  if (sums.links >= 0) of_pair.link_overlap = D * sample.sites - 2 * sample.row(sums.links + number);
  add_pair(of_pair, sums, shape, sample.sites, sample.rows.pairs, number, at);
}

/// Adds the values of a round to the sums. Grid (configurations of the job); block (32 samples, at most 8 warps), which
/// share the sets and pairs.
template <int D>
__global__ void __launch_bounds__(256, 3)
    slot_sums_kernel(const __grid_constant__ SlotCountJob job, const __grid_constant__ SlotSums sums) {
  const TemperingShape& shape = job.words.shape;
  const std::uint32_t number = job.first_pack + blockIdx.x, pack = job.pack_of(number), lane = threadIdx.x;
  const SampleCounts<D> sample{job.rows, job.counts_of(blockIdx.x) + lane, std::int64_t{2} * shape.sites, sums};
  const SumsOfSample at{job.slot_of(number), std::size_t{32} * pack + lane, shape.lanes()};
  for (std::uint32_t i = threadIdx.y; i < shape.sets + job.rows.pairs; i += blockDim.y) {
    if (i < shape.sets)
      add_set<D>(sample, shape, i, at);
    else
      add_pair<D>(sample, shape, i - shape.sets, at);
  }
}

}  // namespace psflip::cuda
