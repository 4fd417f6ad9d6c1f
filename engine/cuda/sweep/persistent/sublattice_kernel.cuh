#pragma once
#include "engine/cuda/device/shared_memory.hpp"
#include "engine/cuda/sweep/persistent/group_launch.cuh"
#include "engine/cuda/sweep/persistent/sublattice_z_sweep.cuh"

/// Many half sweeps of packs that are distributed over the shared memory of many thread blocks, and their launch.
namespace psflip::cuda {

/// Copies this thread's column from global to shared memory. Sends the words at the faces of the parity that is updated
/// second with `sequence`, as if a half sweep had just updated them.
template <class T, int G, bool EDGE>
__device__ __forceinline__ void load_column(const SublatticeColumn<T, G>& c, const PackView& global,
                                            std::uint32_t* shared, std::uint32_t first_parity, std::uint32_t sequence) {
  for (std::uint32_t z = 0; z < T::planes; ++z) {
    const std::uint32_t i = z * T::plane + threadIdx.x, site = c.first + z * T::lattice_plane;
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      std::uint32_t spin[G];
      for (int r = 0; r < G; ++r) {
        spin[r] = __ldcg(global.spins(parity) + r * T::sites + site);  // other blocks may have written them
        shared[(parity * G + r) * T::words + i] = spin[r];
      }
      if (parity != first_parity) c.template send_faces<EDGE>(spin, parity, z, sequence);
      for (std::uint32_t mu = 0; mu < 3; ++mu)
        shared[(2 * G + parity * 3 + mu) * T::words + i] = global.couplings(parity)[mu * T::sites + site];
    }
  }
}
template <class T, int G>
__device__ __forceinline__ void store_column(const SublatticeColumn<T, G>& c, const PackView& global,
                                             const std::uint32_t* shared) {
  for (std::uint32_t z = 0; z < T::planes; ++z)
    for (std::uint32_t parity = 0; parity < 2; ++parity)
      for (int r = 0; r < G; ++r)
        global.spins(parity)[r * T::sites + c.first + z * T::lattice_plane] =
            shared[(parity * G + r) * T::words + z * T::plane + threadIdx.x];
}

/// Half sweeps `begin` ... `end` - 1 of a row of a sublattice block. `sequence` is an unused sequence number; it is
/// advanced.
template <class T, bool EDGE, class Decision>
__device__ __forceinline__ void sweep_row(const SublatticeColumn<T, Decision::group>& c, const PackView& global,
                                          std::uint32_t* shared, const KeySchedule& keys, std::uint64_t pack,
                                          std::uint32_t first_replica, std::uint32_t begin, std::uint32_t end,
                                          std::uint32_t& sequence, const Decision& decide) {
  load_column<T, Decision::group, EDGE>(c, global, shared, begin & 1u, sequence++);
  __syncthreads();
  HalfSweep s(keys, pack, begin, first_replica);
  auto drawn = decide.draw(s, c.first + T::plane_of(0) * T::lattice_plane);
  for (std::uint32_t h = begin; h != end; ++h, ++sequence) {
    const HalfSweep next(keys, pack, h + 1, first_replica);
    // two copies, so that the addresses of both parities are constants
    if (h & 1u)
      update_sublattice_block<T, EDGE>(c, shared, global, 1, sequence, s, next, decide, drawn);
    else
      update_sublattice_block<T, EDGE>(c, shared, global, 0, sequence, s, next, decide, drawn);
    s = next;
    __syncthreads();
  }
  store_column<T, Decision::group>(c, global, shared);
}

/// Grid (groups x sublattice blocks), cooperative launch; one warp for each row of a sublattice block.
template <class T, class Decision>
__global__ void __launch_bounds__(T::plane)
    sublattice_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                      const __grid_constant__ KeySchedule keys, GroupSchedule schedule, HaloPacket* packets,
                      std::uint32_t first_replica, const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group;
  if constexpr (!fits_architecture(T::bytes(G))) return;
  extern __shared__ std::uint32_t shared[];
  const std::uint32_t group = blockIdx.x / T::blocks, block = blockIdx.x % T::blocks;
  using Buffer = HaloBuffer<T, G>;
  const SublatticeColumn<T, G> c(block, Buffer{packets + std::size_t{group} * Buffer::of_group});
  std::uint32_t sequence = 1;
  for (std::uint32_t task = group; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t pack = schedule.pack(task), interval = schedule.interval(task);
    const PackView global = layout.view<3>(spins, couplings, pack, first_replica);
    schedule.wait(pack, interval, group, task, T::blocks);
    const std::uint32_t begin = schedule.begin(interval), end = schedule.end(interval);
    const auto sweep = [&]<bool EDGE>() {
      sweep_row<T, EDGE>(c, global, shared, keys, layout.first_pack + pack, first_replica, begin, end, sequence,
                         decide);
    };
    if (c.at_edge())
      sweep.template operator()<true>();
    else
      sweep.template operator()<false>();
    schedule.set_stored(pack);
  }
}

inline constexpr std::uint32_t fewest_half_sweeps_of_sublattices = 12;  ///< fewer do not pay for load and store

/// Executes the job if its lattice has the size T::L and its blocks fit; else returns false.
template <class T, class Decision>
bool advance_sublattice_blocks(const Decision& decide, const PackJob& job) {
  constexpr int G = Decision::group;
  // all replica groups must leave the spins in the same array, so none may remain for another kernel
  if (job.layout.L != T::L || job.layout.replicas % G != 0 || job.half_sweeps < fewest_half_sweeps_of_sublattices)
    return false;
  if (T::bytes(G) > DeviceLimits().shared_bytes) return false;
  const GroupShape shape{T::blocks, T::plane, T::bytes(G), HaloBuffer<T, G>::of_group};
  return launch_groups(shape, decide, job, job.sublattice_packets,
                       [](const auto& d) { return sublattice_kernel<T, std::decay_t<decltype(d)>>; });
}

}  // namespace psflip::cuda
