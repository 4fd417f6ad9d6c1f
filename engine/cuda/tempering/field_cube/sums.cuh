#pragma once
#include "engine/core/fourier.hpp"
#include "engine/core/tempering_sums.hpp"
#include "engine/cuda/tempering/arrays.hpp"
#include "engine/cuda/tempering/field_cube/counts.cuh"

/// The sums of a round of two sets of a random field on a cubic lattice, for each sample, from the integers of
/// unit_counts.cuh and counts.cuh.
namespace psflip::cuda {

/// Fourier components along the axes and magnetizations of the two sets of the 32 samples of a slot.
struct SlotMoments {
  long long re[2][3][32], im[2][3][32];
  int magnetization[2][32];

  /// One axis of one set, by one warp; `planes` are those of the configuration of this thread's sample.
  __device__ __forceinline__ void sum(const int* planes, std::uint32_t L, std::uint32_t set, std::uint32_t axis,
                                      const int* cosine, const int* sine) {
    const int area = static_cast<int>(L * L);
    const std::uint32_t lane = threadIdx.x;
    planes += 32 * axis * L + lane;
    long long cosines = 0, sines = 0;
    int total = 0;
    for (std::uint32_t position = 0; position < L; ++position) {
      const int plane = area - 2 * planes[32 * position];
      total += plane;
      cosines += static_cast<long long>(plane) * cosine[position];
      sines += static_cast<long long>(plane) * sine[position];
    }
    re[set][axis][lane] = cosines;
    im[set][axis][lane] = sines;
    if (axis == 0) magnetization[set][lane] = total;
  }

  /// k2 of docs/file-format.md of the product of sets a and b.
  __device__ __forceinline__ std::int64_t k2(std::uint32_t a, std::uint32_t b) const {
    std::int64_t component[4][3];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      component[0][axis] = re[a][axis][threadIdx.x];
      component[1][axis] = im[a][axis][threadIdx.x];
      component[2][axis] = re[b][axis][threadIdx.x];
      component[3][axis] = im[b][axis][threadIdx.x];
    }
    return k2_of_cube(component[0], component[1], component[2], component[3], 3);
  }
};

/// Sums of one sample, which are read before the values are known.
struct OldSums {
  double* at;
  std::size_t stride;
  double old[set_sums];  ///< as many are read as there are sums

  __device__ __forceinline__ OldSums(double* first, std::size_t stride_, int count) : at(first), stride(stride_) {
#pragma unroll
    for (int i = 0; i < set_sums; ++i)
      if (i < count) old[i] = at[i * stride];
  }
  template <int COUNT>
  __device__ __forceinline__ void add(const double* value) const {
    static_assert(COUNT <= set_sums, "there is room for the sums of a set");
#pragma unroll
    for (int i = 0; i < COUNT; ++i) at[i * stride] = rounded_sum(old[i], value[i]);
  }
};

/// Adds the values of a round to the sums. Grid (slots from `first` on, packs); block (32 samples, 6): a warp for each
/// axis and set.
static __global__ void __launch_bounds__(192)
    accumulate_kernel(FieldCubeShape shape, std::uint32_t first, std::uint32_t odd, const std::uint32_t* masks,
                      const int* counts, const int* cosine, const int* sine, BinSums sums) {
  __shared__ SlotMoments moments;
  const std::uint32_t slot = first + blockIdx.x, pack = blockIdx.y, lane = threadIdx.x, role = threadIdx.y;
  const std::uint32_t set = role / 3, L = shape.L;
  after_previous_kernel();
  const std::uint32_t source = 2 * Exchanges{masks, odd}.slot_before(shape, pack, slot, set, lane) + set;
  const std::size_t all = shape.lanes(), lane_index = std::size_t{32} * pack + lane;
  const bool adds_set = role % 3 == 0, adds_pair = role == 1;  // of two sets: one warp each, and one for the pair
  const OldSums old = adds_set ? OldSums(sums.set + (2 * slot + set) * all + lane_index, shape.units() * all, set_sums)
                               : OldSums(sums.pair + slot * all + lane_index, shape.slots * all,
                                         adds_pair ? random_field_pair_sums : 0);
  moments.sum(counts + shape.planes(pack, source), L, set, role % 3, cosine, sine);
  __syncthreads();
  const std::int64_t N = std::int64_t{2} * shape.sites;
  if (adds_set) {  // the warp whose source is that of this configuration
    const std::int64_t B = 3 * N - 2 * counts[shape.bonds(pack, source) + lane];
    const std::int64_t F = N - 2 * counts[shape.against(pack, source) + lane];
    double value[set_sums];
    set_values(B, F, moments.magnetization[set][lane], moments.k2(set, set), value);
    old.add<set_sums>(value);
  } else if (adds_pair) {
    double value[pair_sums];
    pair_values({N - 2 * counts[shape.differing(pack, slot) + lane], moments.magnetization[0][lane],
                 moments.magnetization[1][lane], moments.k2(0, 1), 0, 0, 0},
                value);
    old.add<random_field_pair_sums>(value);
  }
}

}  // namespace psflip::cuda
