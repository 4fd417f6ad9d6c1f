#pragma once
#include "engine/cuda/device/shared_memory.hpp"
#include "engine/cuda/sweep/persistent/group_schedule.cuh"
#include "engine/cuda/sweep/sublattice_blocks/z_sweep.cuh"

/// Many half sweeps of packs that are distributed over the shared memory of many thread blocks. Each thread block holds
/// some rows of some planes, its sublattice block, and sends the words at the faces to its neighbours as halo packets.
namespace psflip::cuda {

/// Copies this thread's column from global to shared memory. Sends the words at the faces of the parity that is updated
/// second with `sequence`, as if a half sweep had just updated them.
template <class T, int G>
__device__ __forceinline__ void load_column(const SublatticeColumn<T, G>& c, const PackView& global,
                                            std::uint32_t* shared, std::uint32_t first_parity, std::uint32_t sequence) {
#pragma unroll 1
  for (std::uint32_t z = 0; z < c.planes && c.exists; ++z) {
    const std::uint32_t i = z * T::plane + c.index, site = c.first + z * T::lattice_plane;
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      HaloPacket* to = c.packets + parity * HaloOrder<T, G>::of_parity;
      for (int r = 0; r < G; ++r) {
        const std::uint32_t spin = __ldcg(global.spins(parity) + r * T::sites + site);  // others may have written it
        shared[(parity * G + r) * T::words + i] = spin;
        if (parity == first_parity) continue;
        if (c.edge) store_packet(to + c.to_adjacent + (z * G + r) * T::width, spin, sequence);
        if (z == 0) store_packet(to + c.to_below + r * T::plane, spin, sequence);
        if (z + 1 == c.planes) store_packet(to + c.to_above + r * T::plane, spin, sequence);
      }
      for (std::uint32_t mu = 0; mu < 3; ++mu)
        shared[(2 * G + parity * 3 + mu) * T::words + i] = global.couplings(parity)[mu * T::sites + site];
    }
  }
}
template <class T, int G>
__device__ __forceinline__ void store_column(const SublatticeColumn<T, G>& c, const PackView& global,
                                             const std::uint32_t* shared) {
#pragma unroll 1
  for (std::uint32_t z = 0; z < c.planes && c.exists; ++z)
    for (std::uint32_t parity = 0; parity < 2; ++parity)
      for (int r = 0; r < G; ++r)
        global.spins(parity)[r * T::sites + c.first + z * T::lattice_plane] =
            shared[(parity * G + r) * T::words + z * T::plane + c.index];
}

/// Waits for the warps of the rows next to this one, the only ones whose words it reads. Barrier p + 1 joins rows p and
/// p + 1. Faster than a barrier of the block, where all would wait for the warps at the edges.
__device__ __forceinline__ void synchronize_rows(std::uint32_t row, std::uint32_t rows) {
  const bool even = row % 2 == 0;
  if (!even || row + 1 < rows) synchronize_some(even ? row + 1 : row, 64);
  if (even ? row != 0 : row + 1 < rows) synchronize_some(even ? row : row + 1, 64);
}

/// Half sweeps `begin` ... `end` - 1 of a row of a sublattice block. `sequence` is an unused sequence number; it is
/// advanced.
template <class T, std::uint32_t PLANES, class Decision>
__device__ __forceinline__ void sweep_row(const SublatticeColumn<T, Decision::group>& c, const PackView& global,
                                          std::uint32_t* shared, const KeySchedule& keys, std::uint64_t pack,
                                          std::uint32_t first_replica, std::uint32_t begin, std::uint32_t end,
                                          std::uint32_t& sequence, const Decision& decide) {
  load_column(c, global, shared, begin & 1u, sequence++);
  synchronize_rows(c.row, c.rows);
  HalfSweep s(keys, pack, begin, first_replica);
  auto drawn = decide.draw(s, c.first + PLANES / 2 * T::lattice_plane);
  for (std::uint32_t h = begin; h != end; ++h, ++sequence) {
    HalfSweep next = s;
    next.numbers.move_to(h + 1);
    update_sublattice_block<T, PLANES>(c, shared, global, h & 1u, sequence, s, next, decide, drawn);
    s = next;
    synchronize_rows(c.row, c.rows);
  }
  store_column(c, global, shared);
}

/// Grid (groups x sublattice blocks), cooperative launch; one warp for each row of a sublattice block.
template <class T, class Decision>
__global__ void __launch_bounds__(T::threads)
    sublattice_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                      const __grid_constant__ KeySchedule keys, GroupSchedule schedule, HaloPacket* packets,
                      std::uint32_t first_replica, const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group;
  if constexpr (!fits_architecture(T::bytes(G))) return;
  const std::uint32_t group = blockIdx.x / T::blocks;
  const SublatticeColumn<T, G> c(blockIdx.x % T::blocks, packets + std::size_t{group} * HaloOrder<T, G>::of_group);
  std::uint32_t sequence = 1;
  for (std::uint32_t task = group; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t pack = schedule.pack(task), interval = schedule.interval(task);
    const PackView global = layout.view<3>(spins, couplings, pack, first_replica);
    schedule.wait(pack, interval, group, task, T::blocks);
    const std::uint32_t begin = schedule.begin(interval), end = schedule.end(interval);
    const auto sweep = [&]<std::uint32_t PLANES>() {
      sweep_row<T, PLANES>(c, global, shared_memory(), keys, layout.first_pack + pack, first_replica, begin, end,
                           sequence, decide);
    };
    if (c.row < c.rows) {
      if constexpr (T::L % T::deep == 0)
        sweep.template operator()<T::planes>();
      else if (c.planes == T::planes)
        sweep.template operator()<T::planes>();
      else
        sweep.template operator()<T::planes - 1>();
    }
    schedule.set_stored(pack);
  }
}

}  // namespace psflip::cuda
