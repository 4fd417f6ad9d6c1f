#pragma once
#include <algorithm>
#include <bit>

#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/measure/count_kernels.cuh"
#include "engine/cuda/measure/reduce_kernel.cuh"
#include "engine/cuda/measure/sum_kernel.cuh"

/// Measurement of small lattices: one thread block counts all integers of a pack in shared memory and reduces them. So
/// a measurement is one launch, and no counts are added in global memory.
namespace psflip::cuda {

inline constexpr std::uint32_t most_measure_warps = 16;  ///< of a block of measure_kernel
inline constexpr std::uint32_t most_measured = 4;        ///< replicas of measure_kernel

/// Fewest warps of a block: each field and each replica needs one in the end.
inline std::uint32_t fewest_measure_warps(const CountRows& rows) {
  return std::bit_ceil(std::max(4u, rows.fields() + rows.replicas));
}
/// Warps of a block. After many intervals several blocks run on a multiprocessor, and few warps wait less for each
/// other.
inline std::uint32_t measure_warps(const MeasureJob& job) {
  return job.spins.intervals < 4 ? most_measure_warps : fewest_measure_warps(job.count.rows);
}

/// Shared memory of a block: the rows of the pack and of the sums, then memory of each warp to convert counts, which
/// later holds its share of the sums over planes.
template <int D>
struct MeasureMemory {
  std::uint32_t rows, sums, warps;

  PSFLIP_HD std::uint32_t counts() const { return 32 * (rows + sums); }
  PSFLIP_HD std::size_t bytes() const {
    constexpr std::size_t of_warp =
        sizeof(WarpBytes) > 32 * sizeof(PlaneSums<D>) ? sizeof(WarpBytes) : 32 * sizeof(PlaneSums<D>);
    return sizeof(int) * counts() + warps * of_warp;
  }
};

/// Traversals of one pack by the warps of a block.
template <int D>
Traversals<D> traversals_of_block(const CountJob& job, std::uint32_t warps) {
  return traversals_for<D>(job.rows, job.planes, 1, warps);
}

/// Whether measure_kernel measures the packs of a job: few replicas, and little work for one thread block. With few
/// packs most multiprocessors would have no block, so the work of one must be less. `bytes`: of the shared memory that
/// a block may use.
template <int D>
bool is_measured_in_block(const MeasureJob& job, std::size_t bytes) {
  constexpr std::uint32_t many_packs = 64;
  const std::uint32_t most_items = (job.count.packs >= many_packs ? 8 : 2) * most_measure_warps;
  const CountRows& rows = job.count.rows;
  return rows.replicas <= most_measured &&
         CountItems(rows, traversals_of_block<D>(job.count, most_measure_warps)).count() <= most_items &&
         MeasureMemory<D>{rows.count(), job.sums_of_pack(), most_measure_warps}.bytes() <= bytes;
}

/// The packs of a job with the spins after an interval, with the members of CountJob that a warp needs.
struct PacksAfter {
  const CountJob& job;
  const CountRows& rows;
  std::uint32_t* spins;

  __device__ PacksAfter(const MeasureJob& measure, std::uint32_t interval)
      : job(measure.count), rows(job.rows), spins(measure.spins.after(interval)) {}
  template <int D>
  __device__ PackView view(std::uint32_t pack, std::uint32_t replica) const {
    return job.layout.view<D>(spins, job.couplings, pack, replica);
  }
  __device__ const std::uint32_t* fields_of(std::uint32_t pack) const { return job.fields_of(pack); }
};

/// IntegerList::for_each() on the GPU.
template <class... X, class F>
__device__ __forceinline__ void for_each_of(IntegerList<X...>, F f) {
  (f.template operator()<X>(), ...);
}

/// Whether integer X is one of MeasureJob::sums.
template <class X, class T>
inline constexpr bool is_summed = has_sum_kernel(X::integer, T::has_field_words);

/// Counts number `item` of the sums of a pack: a replica or pair of an integer along a warp traversal. `counts`: the
/// rows of the sums.
template <class T>
__device__ __forceinline__ void count_sum_item(const MeasureJob& job, const PacksAfter& packs, std::uint32_t pack,
                                               const Traversal& traversal, std::uint32_t item, int* counts) {
  const std::uint32_t row = item / traversal.warp_traversals(), number = item - row * traversal.warp_traversals();
  std::uint32_t first = 0;  // row of the integer
  for_each_of(SumIntegers{}, [&]<class X>() {
    if constexpr (is_summed<X, T>) {
      const std::uint32_t width = job.sums[static_cast<std::size_t>(X::integer)].width;
      if (row - first < width) add_sum<T, X>(packs, pack, traversal, number, row - first, counts + 32 * row);
      first += width;
    }
  });
}

/// Stores the sums of a pack in global memory. `number`: of the pack after the interval.
template <class T>
__device__ __forceinline__ void store_sums(const MeasureJob& job, std::size_t number, const int* counts) {
  for_each_of(SumIntegers{}, [&]<class X>() {
    if constexpr (is_summed<X, T>) {
      const SumCounts& sum = job.sums[static_cast<std::size_t>(X::integer)];
      for (std::uint32_t i = threadIdx.y; i < sum.width; i += blockDim.y)
        sum.counts[job.count.sums_of(number, sum.width) + 32 * i + threadIdx.x] = counts[32 * i + threadIdx.x];
      counts += 32 * sum.width;
    }
  });
}

/// Reduces the rows of a pack after an interval. The warps share the planes of all fields, then each writes a field or
/// a replica.
template <int D>
__device__ __forceinline__ void reduce_pack(const MeasureJob& job, std::uint32_t interval, std::uint32_t pack,
                                            const int* counts, PlaneSums<D> (*partial)[32]) {
  static_assert(most_measured * (most_measured + 3) / 2 <= most_measure_warps, "a warp for each field and replica");
  const CountRows& rows = job.count.rows;
  const Planes& planes = job.count.planes;
  const std::uint32_t s = threadIdx.x, w = threadIdx.y, fields = rows.fields(),
                      parts = fields > 0 ? blockDim.y / fields : 0;
  if (w < fields * parts)
    partial[w][s] = sum_planes<D>(counts + s, rows, w / parts, planes, job.cosine, job.sine, w % parts, parts);
  __syncthreads();
  std::uint64_t sample = (job.count.layout.first_pack + pack) * 32 + s - job.out.first_sample;  // wraps below 0
  if (sample >= job.out.samples) return;
  sample += interval * job.out.samples;
  if (w < fields) {
    PlaneSums<D> sums = partial[w * parts][s];
    for (std::uint32_t k = 1; k < parts; ++k) sums.add(partial[w * parts + k][s]);
    write_field<D>(sums, rows, w, sample, job.out);
  } else if (w - fields < rows.replicas) {
    const std::int64_t sites = static_cast<std::int64_t>(planes.count) * rows.L * (D == 3 ? rows.L : 1);
    reduce_replica(counts + s, rows, w - fields, sites, sample, job.out);
  }
}

/// Measures the packs of a job. Grid (packs, intervals), block (32, measure_warps()), dynamic shared memory
/// MeasureMemory. R: see with_replicas_together().
template <class T, int R>
__global__ void __launch_bounds__(32 * most_measure_warps)
    measure_kernel(const __grid_constant__ MeasureJob job,
                   const __grid_constant__ Traversals<T::dimension> traversals) {
  constexpr int D = T::dimension;
  const CountRows& rows = job.count.rows;
  const MeasureMemory<D> memory{rows.count(), job.sums_of_pack(), blockDim.y};
  auto* counts = reinterpret_cast<int*>(shared_memory());
  int *sums = counts + 32 * rows.count(), *of_warps = counts + memory.counts();
  for (std::uint32_t i = threadIdx.y * 32 + threadIdx.x; i < memory.counts(); i += 32 * blockDim.y) counts[i] = 0;
  __syncthreads();
  const std::uint32_t pack = job.count.first_pack + blockIdx.x, interval = blockIdx.y;
  const PacksAfter packs(job, interval);
  const CountItems items(rows, traversals);
  const std::uint32_t all = items.count() + memory.sums * traversals.last().warp_traversals();
  for (std::uint32_t item = threadIdx.y; item < all; item += blockDim.y) {
    if (item < items.count())
      count_item<T, R>(packs, pack, traversals, items, item, counts,
                       reinterpret_cast<WarpBytes*>(of_warps)[threadIdx.y]);
    else
      count_sum_item<T>(job, packs, pack, traversals.last(), item - items.count(), sums);
  }
  __syncthreads();
  store_sums<T>(job, std::size_t{interval} * job.count.packs + pack, sums);
  reduce_pack<D>(job, interval, pack, counts, reinterpret_cast<PlaneSums<D>(*)[32]>(of_warps));
}

}  // namespace psflip::cuda
