#pragma once
#include "engine/core/fourier.hpp"
#include "engine/cuda/measure/count_job.hpp"

namespace psflip::cuda {

/// Bond sum and magnetization of the replicas of a sample.
__device__ __forceinline__ void reduce_replica(const int* counts, const CountRows& rows, std::uint32_t replica,
                                               std::int64_t sites, std::uint64_t sample, const Measured& out) {
  const std::uint64_t k = sample * rows.replicas + replica;
  out.bond_sum[k] = rows.dimension * sites - 2 * counts[32 * rows.unsatisfied_bonds(replica)];
  out.magnetization[k] = sites - 2 * counts[32 * rows.minus_spins(replica)];
}

/// Sums of a warp over the planes of a field: weighted with the integer cosines and sines of 2 pi x / L, and
/// unweighted.
template <int D>
struct PlaneSums {
  long long re[D], im[D];
  int total;

  __device__ __forceinline__ void add(const PlaneSums& more) {
#pragma unroll
    for (int axis = 0; axis < D; ++axis) {
      re[axis] += more.re[axis];
      im[axis] += more.im[axis];
    }
    total += more.total;
  }
};

/// Sums of the planes part, part + parts, ... of one sample.
template <int D>
__device__ __forceinline__ PlaneSums<D> sum_planes(const int* counts, const CountRows& rows, std::uint32_t field,
                                                   const Planes& planes, const int* cosine, const int* sine,
                                                   std::uint32_t part, std::uint32_t parts) {
  PlaneSums<D> sums{};
  for (std::uint32_t position = part; position < rows.L; position += parts) {
#pragma unroll
    for (std::uint32_t axis = 0; axis < D; ++axis) {
      const bool last = axis + 1 == D;  // the axis of which only some planes are counted
      if (last && position >= planes.count) continue;
      const int area = static_cast<int>((last ? rows.L : planes.count) * (D == 3 ? rows.L : 1));
      const int plane = area - 2 * counts[32 * rows.plane(field, axis, position)];
      const std::uint32_t x = last ? planes.first + position : position;
      if (axis == 0) sums.total += plane;
      sums.re[axis] += static_cast<long long>(plane) * cosine[x];
      sums.im[axis] += static_cast<long long>(plane) * sine[x];
    }
  }
  return sums;
}

/// Writes the sum over a field and its Fourier components or their squared modulus.
template <int D>
__device__ __forceinline__ void write_field(const PlaneSums<D>& sums, const CountRows& rows, std::uint32_t field,
                                            std::uint64_t sample, const Measured& out) {
  const bool is_pair = field >= rows.spins;
  const std::uint64_t k = is_pair ? sample * rows.pairs + field - rows.spins : sample * rows.spins + field;
  if (is_pair && out.overlap != nullptr) out.overlap[k] = sums.total;
  std::int64_t *fourier = is_pair ? out.overlap_fourier : out.spin_fourier, re[D], im[D];
  if (fourier == nullptr) return;
#pragma unroll
  for (int axis = 0; axis < D; ++axis) {
    re[axis] = sums.re[axis];
    im[axis] = sums.im[axis];
  }
  if (!out.components) fourier[k] = k2_from_components(re, im, D);
#pragma unroll
  for (int axis = 0; axis < D; ++axis) {
    if (!out.components) break;
    fourier[2 * (k * D + axis)] = re[axis];
    fourier[2 * (k * D + axis) + 1] = im[axis];
  }
}

/// Reduces the counts of count_kernel, which has counted `planes`, to the integers of an Observation. Grid (packs,
/// fields + 1), the last for the replicas; block (32 samples, 8).
template <int D>
__global__ void __launch_bounds__(256)
    reduce_kernel(const int* counts, CountRows rows, Planes planes, std::uint64_t first_pack, const int* cosine,
                  const int* sine, Measured out) {
  __shared__ PlaneSums<D> partial[8][32];
  const std::uint32_t s = threadIdx.x, field = blockIdx.y;
  const std::uint64_t sample = (first_pack + blockIdx.x) * 32 + s - out.first_sample;  // wraps below 0
  counts += static_cast<std::size_t>(blockIdx.x) * rows.count() * 32 + s;
  if (field == rows.fields()) {
    const std::int64_t sites = static_cast<std::int64_t>(planes.count) * rows.L * (D == 3 ? rows.L : 1);
    for (std::uint32_t r = threadIdx.y; r < rows.replicas && sample < out.samples; r += blockDim.y)
      reduce_replica(counts, rows, r, sites, sample, out);
    return;
  }
  partial[threadIdx.y][s] = sum_planes<D>(counts, rows, field, planes, cosine, sine, threadIdx.y, blockDim.y);
  __syncthreads();
  if (threadIdx.y != 0 || sample >= out.samples) return;
  PlaneSums<D> sums = partial[0][s];
  for (std::uint32_t w = 1; w < blockDim.y; ++w) sums.add(partial[w][s]);
  write_field<D>(sums, rows, field, sample, out);
}

}  // namespace psflip::cuda
