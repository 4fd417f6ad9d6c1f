#pragma once
#include "engine/core/fourier.hpp"
#include "engine/core/tempering_sums.hpp"
#include "engine/cuda/measure/pair.cuh"
#include "engine/cuda/tempering/member/job.hpp"
#include "engine/cuda/tempering/member/slot_sums.hpp"
#include "engine/models/overlap_histogram.hpp"

/// Sums of any member of the family.
namespace psflip::cuda {

/// Fourier components along the axes, and the sum, of a field of signs of 32 samples.
template <int D>
struct Components {
  std::int64_t re[D], im[D], sum = 0;

  /// Of one sample, whose -1 signs in all planes are in `planes`.
  __device__ __forceinline__ Components(const int* planes, std::uint32_t L, const int* cosine, const int* sine) {
    const int area = static_cast<int>(D == 3 ? L * L : L);
#pragma unroll
    for (int axis = 0; axis < D; ++axis) {
      re[axis] = im[axis] = 0;
      for (std::uint32_t x = 0; x < L; ++x) {
        const int plane = area - 2 * planes[32 * (static_cast<std::size_t>(axis) * L + x)];
        if (axis == 0) sum += plane;
        re[axis] += static_cast<std::int64_t>(plane) * cosine[x];
        im[axis] += static_cast<std::int64_t>(plane) * sine[x];
      }
    }
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

/// Adds value[i] to the sums that have a place.
template <int COUNT>
__device__ __forceinline__ void add_values(const std::int8_t (&place)[COUNT], const double (&value)[COUNT],
                                           double* sums, std::size_t stride) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i)
    if (place[i] >= 0) sums[place[i] * stride] = rounded_sum(sums[place[i] * stride], value[i]);
}

/// Where a configuration and a sample have their sums.
struct SumsOfSample {
  std::uint32_t slot;           ///< in memory
  std::size_t lane, all_lanes;  ///< of all packs
};

template <int D>
__device__ __forceinline__ void add_set(const SampleCounts<D>& sample, const TemperingShape& shape, std::uint32_t set,
                                        const SumsOfSample& at) {
  const SumPlaces& places = sample.sums.places;
  const std::int64_t M = sample.magnetization(set);
  const std::int64_t F = sample.sums.against >= 0 ? sample.sites - 2 * sample.row(sample.sums.against + set) : M;
  const std::int64_t K = places.set[sum_K] >= 0 ? sample.components(set).k2() : 0;
  double value[set_sums];
  set_values(sample.bond_sum(set), F, M, K, value);
  double* sums = sample.sums.sums.set + (std::size_t{shape.sets} * at.slot + set) * at.all_lanes + at.lane;
  add_values(places.set, value, sums, shape.units() * at.all_lanes);
}

template <int D>
__device__ __forceinline__ void add_pair(const SampleCounts<D>& sample, const TemperingShape& shape,
                                         std::uint32_t number, const SumsOfSample& at) {
  const SumPlaces& places = sample.sums.places;
  const Pair pair = Pair::number(number, shape.sets);
  PairIntegers of_pair{0,
                       sample.magnetization(pair.a),
                       sample.magnetization(pair.b),
                       0,
                       0,
                       0,
                       sample.bond_sum(pair.a) + sample.bond_sum(pair.b)};
  if (places.pair[sum_MK_MK] >= 0) {
    const Components<D> a = sample.components(pair.a), b = sample.components(pair.b);
    of_pair.k_product = k2_of_cube(a.re, a.im, b.re, b.im, D);
  }
  if (places.pair[sum_QK] >= 0) {
    const Components<D> overlap = sample.components(sample.rows.spins + number);
    of_pair.overlap = overlap.sum;
    of_pair.overlap_k2 = overlap.k2();
  } else {
    of_pair.overlap = sample.overlap(number);
  }
  if (sample.sums.links >= 0) of_pair.link_overlap = D * sample.sites - 2 * sample.row(sample.sums.links + number);
  double value[pair_sums];
  pair_values(of_pair, value);
  const std::uint32_t pairs = sample.rows.pairs;
  double* sums = sample.sums.sums.pair + (std::size_t{pairs} * at.slot + number) * at.all_lanes + at.lane;
  add_values(places.pair, value, sums, std::size_t{shape.slots} * pairs * at.all_lanes);
  const std::int32_t bins = sample.sums.overlap_bins;
  if (bins == 0) return;
  const BinSums& all = sample.sums.sums;
  const std::int32_t bin = overlap_bin(of_pair.overlap, sample.sites, bins);
  atomicAdd(all.overlap_counts + (at.slot * at.all_lanes + at.lane) * bins + bin, 1);
  const int link_place = all.link_places[at.slot];
  if (link_place >= 0)
    atomicAdd(all.overlap_link_sums + (link_place * at.all_lanes + at.lane) * bins + bin,
              static_cast<unsigned long long>(of_pair.link_overlap));
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
