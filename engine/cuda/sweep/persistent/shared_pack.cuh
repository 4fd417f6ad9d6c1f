#pragma once
#include "engine/cuda/update/pack_view.cuh"

namespace psflip::cuda {

/// Shared memory of one pack: spins[parity][replica of the group][site], then couplings[parity][direction][site].
template <int D, int G, bool COUPLINGS>
struct SharedPack {
  PSFLIP_HD static constexpr std::size_t words(std::size_t sites) { return (2 * G + (COUPLINGS ? 2 * D : 0)) * sites; }

  __device__ static PackView view(std::uint32_t* shared, std::uint32_t sites) {
    return {shared, shared + 2 * G * sites, sites, G * sites, D * sites};
  }
  /// Calls f(i, parity) for `count` sites of each parity, divided among the threads of the block.
  template <class F>
  __device__ static void for_each_site(std::uint32_t count, F f) {
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x)
      for (int parity = 0; parity < 2; ++parity) f(i, parity);
  }

  /// Sites `first` ... `first + count - 1` of both parities; `sites` is the distance between replicas in shared memory.
  /// Spins are read from L2: another multiprocessor may have written them during this launch.
  __device__ static void load(const PackView& global, std::uint32_t* shared, std::uint32_t sites, std::uint32_t first,
                              std::uint32_t count) {
    for_each_site(count, [&](std::uint32_t i, int parity) {
      for (int r = 0; r < G; ++r)
        shared[(parity * G + r) * sites + i] = __ldcg(global.spins(parity) + r * global.sites + first + i);
      for (int mu = 0; mu < D && COUPLINGS; ++mu)
        shared[(2 * G + parity * D + mu) * sites + i] = global.couplings(parity)[mu * global.sites + first + i];
    });
  }
  __device__ static void store(const PackView& global, const std::uint32_t* shared, std::uint32_t sites,
                               std::uint32_t first, std::uint32_t count) {
    for_each_site(count, [&](std::uint32_t i, int parity) {
      for (int r = 0; r < G; ++r)
        global.spins(parity)[r * global.sites + first + i] = shared[(parity * G + r) * sites + i];
    });
  }
};

}  // namespace psflip::cuda
