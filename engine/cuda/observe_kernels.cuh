#pragma once
#include "engine/cuda/pack_view.cuh"

/// Measurements: a warp reads 32 sites of a pack, turns the 32 x 32 bits over so that every thread holds the bits of
/// one sample, and counts them. Only integers leave the device.
namespace psflip::cuda {

/// Transposes the 32 x 32 bits held by a warp: bit b of thread t becomes bit t of thread b. Five steps swap ever
/// smaller off-diagonal blocks between partners (Hacker's Delight, section 7-3).
__device__ __forceinline__ std::uint32_t transpose_bits(std::uint32_t word) {
  const std::uint32_t lane = threadIdx.x & 31u;
  std::uint32_t mask = 0x0000ffffu;
#pragma unroll
  for (int step = 16; step > 0; step >>= 1, mask ^= mask << step) {
    const std::uint32_t partner = __shfl_xor_sync(0xffffffffu, word, step);
    word = (lane & step) ? (word & ~mask) | ((partner & ~mask) >> step) : (word & mask) | ((partner & mask) << step);
  }
  return word;
}

/// Sums over the lattice that one block makes for one pack and one field; out[...][32] has a number per sample.
struct PlaneSums {
  long long re, im;
  int total;
};

/// The word of a field at a site: the spins of one replica (b < 0) or the overlap of two.
struct Field {
  int a, b;
  __device__ std::uint32_t operator()(const PackView& v, std::uint32_t parity, std::uint32_t site) const {
    const std::uint32_t s = v.spins(parity)[a * v.sites + site];
    return b < 0 ? s : s ^ v.spins(parity)[b * v.sites + site];
  }
};

/// Site number k of the plane x_axis = position, k < L^(D-1).
template <int D>
__device__ __forceinline__ std::uint32_t site_of_plane(std::uint32_t L, int axis, std::uint32_t position,
                                                       std::uint32_t k) {
  if (D == 2) return axis == 0 ? position + L * k : k + L * position;
  const std::uint32_t u = k % L, w = k / L;
  if (axis == 0) return position + L * (u + L * w);
  if (axis == 1) return u + L * (position + L * w);
  return u + L * (w + L * position);
}

__device__ __forceinline__ std::uint32_t parity_of(std::uint32_t L, std::uint32_t site) {
  return (site % L + site / L % L + site / L / L) & 1u;
}

/// Plane sums of every field along every axis, folded with the integer cosines. Grid (packs, fields, axes), 256
/// threads; out[pack][field][axis][sample].
template <int D>
__global__ void __launch_bounds__(256)
    plane_sums_kernel(std::uint32_t* spins, Layout layout, const Field* fields, const long long* cosine,
                      const long long* sine, PlaneSums* out) {
  __shared__ PlaneSums partial[8][32];
  const std::uint32_t L = layout.L, area = D == 3 ? L * L : L, lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
  const PackView v = layout.view<D>(spins, spins, blockIdx.x, 0);
  const Field field = fields[blockIdx.y];
  PlaneSums sums{0, 0, 0};
  for (std::uint32_t position = warp; position < L; position += 8) {
    int minus = 0;
    for (std::uint32_t k0 = 0; k0 < area; k0 += 32) {
      const std::uint32_t k = k0 + lane;
      const std::uint32_t site = site_of_plane<D>(L, static_cast<int>(blockIdx.z), position, min(k, area - 1));
      const std::uint32_t word = k < area ? field(v, parity_of(L, site), site / 2) : 0u;
      minus += __popc(transpose_bits(word));
    }
    const int sum = static_cast<int>(area) - 2 * minus;
    sums.total += sum;
    sums.re += sum * cosine[position];
    sums.im += sum * sine[position];
  }
  partial[warp][lane] = sums;
  __syncthreads();
  if (warp != 0) return;
  for (int w = 1; w < 8; ++w) {
    sums.re += partial[w][lane].re;
    sums.im += partial[w][lane].im;
    sums.total += partial[w][lane].total;
  }
  out[((static_cast<std::size_t>(blockIdx.x) * gridDim.y + blockIdx.y) * gridDim.z + blockIdx.z) * 32 + lane] = sums;
}

/// Unsatisfied bonds of every replica. Grid (packs, replicas), 256 threads; out[pack][replica][sample].
template <int D>
__global__ void __launch_bounds__(256)
    unsatisfied_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout, int* out) {
  __shared__ int partial[8][32];
  const std::uint32_t lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
  const PackView v = layout.view<D>(spins, couplings, blockIdx.x, blockIdx.y);
  const Lattice<D> lattice{layout.L};
  int count = 0;
  for (std::uint32_t i0 = warp * 32; i0 < 2 * layout.sites; i0 += 256) {
    const std::uint32_t i = min(i0 + lane, 2 * layout.sites - 1), parity = i >= layout.sites,
                        site = i - parity * layout.sites;
    const std::uint32_t number = site / lattice.half(), c = site - number * lattice.half();
    const Row<D> row = lattice.row(number, parity);
    for (int mu = 0; mu < D; ++mu) {
      const std::uint32_t forward = mu == 0 ? row.begin + lattice.right(c, row.shift) : row.plus[mu - 1] + c;
      std::uint32_t bond = v.spins(parity)[site] ^ v.spins(1 - parity)[forward];
      if (D == 3) bond ^= v.couplings(parity)[mu * layout.sites + site];
      count += __popc(transpose_bits(i0 + lane < 2 * layout.sites ? bond : 0u));
    }
  }
  partial[warp][lane] = count;
  __syncthreads();
  if (warp != 0) return;
  for (int w = 1; w < 8; ++w) count += partial[w][lane];
  out[(static_cast<std::size_t>(blockIdx.x) * gridDim.y + blockIdx.y) * 32 + lane] = count;
}

}  // namespace psflip::cuda
