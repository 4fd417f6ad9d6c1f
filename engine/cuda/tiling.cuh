#pragma once
#include <algorithm>

#include "engine/cuda/cubic.hpp"
#include "engine/cuda/device.cuh"
#include "engine/cuda/resident_launch.cuh"
#include "engine/cuda/tile.cuh"

/// Many half sweeps of packs that are spread over the shared memory of many blocks, and their launch.
namespace psflip::cuda {

/// Who does what: the half sweeps of every pack are cut into parts of `length`, so that all groups of blocks work to
/// the end. Part p of a pack is task p packs + pack; group g does the tasks g, g + groups, ... All blocks must be
/// resident.
struct TileSchedule {
  std::uint32_t packs, groups, parts, length;
  std::uint32_t first_half_sweep, half_sweeps;
  std::uint32_t* stored;  ///< [pack] tiles that have been stored, all parts together
  std::uint32_t* flags;   ///< [group][tile][row]

  /// Returns when the part before is stored.
  __device__ void wait_for(std::uint32_t pack, std::uint32_t part, std::uint32_t tiles) const {
    if (threadIdx.x == 0)
      while (load_strong(stored + pack) < part * tiles) __nanosleep(100);
    __syncthreads();
    __threadfence();
  }
  __device__ void set_stored(std::uint32_t pack) const {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(stored + pack, 1);
  }
};

/// The flags of one warp: it watches the same row of the tiles above and below and, at an edge, the row beyond it.
template <class T>
__device__ __forceinline__ TileFlags make_flags(std::uint32_t* of_group, std::uint32_t tile) {
  const std::uint32_t row = threadIdx.x / 32, lane = threadIdx.x % 32, y = tile % T::across, z = tile / T::across;
  const auto flag = [&](std::uint32_t ty, std::uint32_t tz, std::uint32_t r) {
    return of_group + (tz % T::deep * T::across + ty % T::across) * T::rows + r;
  };
  const bool low = row == 0, edge = low || row == T::rows - 1;
  const std::uint32_t* beside = low ? flag(y + T::across - 1, z, T::rows - 1) : flag(y + 1, z, 0);
  const std::uint32_t* other = lane == 0 ? flag(y, z + 1, row) : lane == 1 ? flag(y, z + T::deep - 1, row) : beside;
  return {flag(y, z, row), other, lane < 2 || (lane == 2 && edge), lane == 2 && edge, 0};
}

/// This thread's column between global and shared memory.
template <class T, int G>
__device__ __forceinline__ void load_column(const TileColumn<T>& c, std::uint32_t* shared) {
  for (std::uint32_t z = 0; z < T::planes; ++z) {
    const std::uint32_t i = z * T::plane + threadIdx.x, site = c.first + z * T::lattice_plane;
    for (int parity = 0; parity < 2; ++parity) {
      for (int r = 0; r < G; ++r)
        shared[(parity * G + r) * T::words + i] = load_strong(c.global.spins(parity) + r * T::sites + site);
      for (int mu = 0; mu < 3; ++mu)
        shared[(2 * G + parity * 3 + mu) * T::words + i] = c.global.couplings(parity)[mu * T::sites + site];
    }
  }
}
template <class T, int G>
__device__ __forceinline__ void store_column(const TileColumn<T>& c, const std::uint32_t* shared) {
  for (std::uint32_t z = 0; z < T::planes; ++z)
    for (int parity = 0; parity < 2; ++parity)
      for (int r = 0; r < G; ++r)
        store_strong(c.global.spins(parity) + r * T::sites + c.first + z * T::lattice_plane,
                     shared[(parity * G + r) * T::words + z * T::plane + threadIdx.x]);
}

/// Grid (groups x tiles), cooperative.
template <class T, class Decision>
__global__ void __launch_bounds__(T::threads)
    tile_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                const __grid_constant__ KeySchedule keys, TileSchedule schedule, std::uint32_t first_replica,
                const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group;
  extern __shared__ std::uint32_t shared[];
  const std::uint32_t group = blockIdx.x / T::tiles, tile = blockIdx.x % T::tiles;
  TileColumn<T> c(tile);
  TileFlags flags = make_flags<T>(schedule.flags + group * T::tiles * T::rows, tile);
  std::uint32_t event = 0;
  for (std::uint32_t task = group; task < schedule.packs * schedule.parts; task += schedule.groups) {
    const std::uint32_t pack = task % schedule.packs, part = task / schedule.packs;
    c.global = layout.view<3>(spins, couplings, pack, first_replica);
    schedule.wait_for(pack, part, T::tiles);
    load_column<T, G>(c, shared);
    __syncthreads();
    const std::uint32_t begin = schedule.first_half_sweep + part * schedule.length,
                        end = begin + min(schedule.length, schedule.half_sweeps - part * schedule.length);
    HalfSweep s(keys, layout.first_pack + pack, begin, first_replica);
    auto drawn = decide.draw(s, c.first + TileMarch<T, G>::plane_of(0) * T::lattice_plane);
    for (std::uint32_t h = begin; h != end; ++h, ++event) {
      const HalfSweep next(keys, layout.first_pack + pack, h + 1, first_replica);
      // two copies, so that the addresses of both parities are constants
      if (h & 1u)
        update_tile<T>(c, shared, 1, s, next, event, flags, decide, drawn);
      else
        update_tile<T>(c, shared, 0, s, next, event, flags, decide, drawn);
      s = next;
      __syncthreads();
    }
    store_column<T, G>(c, shared);
    schedule.set_stored(pack);
  }
}

inline constexpr std::uint32_t fewest_tiled_half_sweeps = 12;  ///< fewer do not pay for loading and storing

/// Does the job when its lattice is T::L wide and its tiles fit; false when not.
template <class T, class Decision>
bool advance_tiled(const Decision& decide, const PackJob& job) {
  constexpr int G = Decision::group;
  // groups of replicas must agree where the spins are in the end, so none may be left for another kernel
  if (job.layout.L != T::L || job.layout.replicas % G != 0 || job.half_sweeps < fewest_tiled_half_sweeps) return false;
  if (T::bytes(G) > static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))) return false;
  const auto kernel = with_shared_memory(tile_kernel<T, Decision>, T::bytes(G));
  const std::uint32_t most = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount)) / T::tiles,
                      groups = std::min(job.packs, most);
  if (groups == 0) return false;
  const std::uint32_t parts = choose_parts(job.packs, groups, job.half_sweeps), flags = groups * T::tiles * T::rows;
  if (job.progress.size() < job.packs + flags) job.progress = DeviceArray<std::uint32_t>(job.packs + flags);
  check(cudaMemsetAsync(job.progress.data(), 0, job.progress.size() * 4), "schedule");
  const TileSchedule schedule{job.packs,
                              groups,
                              parts,
                              (job.half_sweeps + parts - 1) / parts,
                              job.first_half_sweep,
                              job.half_sweeps,
                              job.progress.data(),
                              job.progress.data() + job.packs};
  Launcher launcher({1, 0, 0, T::threads}, T::bytes(G));
  launcher.config.gridDim = groups * T::tiles;
  check(cudaLaunchKernelEx(&launcher.config, kernel, job.spins.data(), job.couplings, job.layout, KeySchedule(job.key),
                           schedule, job.first_replica, decide),
        "sweeps in tiles");
  return true;
}

}  // namespace psflip::cuda
