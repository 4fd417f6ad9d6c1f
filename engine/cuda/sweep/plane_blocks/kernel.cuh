#pragma once
#include "engine/cuda/device/shared_memory.hpp"
#include "engine/cuda/sweep/persistent/group_schedule.cuh"
#include "engine/cuda/sweep/plane_blocks/z_sweep.cuh"

/// Many half sweeps of packs whose planes are divided among thread blocks.
namespace psflip::cuda {

/// Copies the planes of this block to shared memory. Sends the words at the faces of the parity that is updated second
/// with `sequence`, as if a half sweep had just updated them.
template <class T>
__device__ __forceinline__ void load_planes(const PlaneBlock<T>& block, const PackView& global,
                                            std::uint32_t first_parity, std::uint32_t sequence) {
  const std::uint32_t top = (block.planes - 1) * T::plane;
  for (std::uint32_t i = threadIdx.x; i < T::plane * block.planes; i += T::threads) {
    const std::uint32_t site = block.first_plane * T::plane + i;
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      std::uint32_t spin[T::group];
      for (int r = 0; r < T::group; ++r) {
        spin[r] = __ldcg(global.spins(parity) + r * T::sites + site);  // other blocks may have written them
        block.shared[block.spins(parity) + r * T::words + i] = spin[r];
      }
      for (int mu = 0; mu < T::directions; ++mu)
        block.shared[block.bonds(parity, mu) + i] = global.couplings(parity)[mu * T::sites + site];
      if (T::blocks == 1 || parity == first_parity) continue;
      const std::uint32_t at = parity * PlaneHalo<T>::of_parity;
      if (i < T::plane) FacePackets<T>::send(block.halo.to_below + at + i, spin, sequence);
      if (i >= top) FacePackets<T>::send(block.halo.to_above + at + i - top, spin, sequence);
    }
  }
}
template <class T>
__device__ __forceinline__ void store_planes(const PlaneBlock<T>& block, const PackView& global) {
  for (std::uint32_t i = threadIdx.x; i < T::plane * block.planes; i += T::threads)
    for (std::uint32_t parity = 0; parity < 2; ++parity)
      for (int r = 0; r < T::group; ++r)
        global.spins(parity)[r * T::sites + block.first_plane * T::plane + i] =
            block.shared[block.spins(parity) + r * T::words + i];
}

/// The segment that a thread updates next, with its first couplings and random numbers.
template <class T, class Decision>
struct NextSegment {
  ColumnSegment<T> segment;
  FirstCouplings words;
  typename Decision::Drawn drawn;

  template <std::uint32_t LENGTH, std::uint32_t PARITY>
  __device__ __forceinline__ void fetch(const PlaneBlock<T>& block, const HalfSweep& s, const Decision& decide,
                                        std::uint32_t number) {
    segment = ColumnSegment<T>(number);
    const std::uint32_t z = segment.z0 + PlaneOrder<T, LENGTH>::first;
    drawn = decide.draw(s, (block.first_plane + z) * T::plane + segment.column.index);
    if (T::rounds * T::threads <= T::units || segment.exists)
      SegmentCouplings<T, LENGTH, PARITY>(block, segment).first(words);
  }
};

/// Half sweep `s` of this block. `ahead` holds the first segment of the thread, on return that of the half sweep
/// `next`.
template <class T, std::uint32_t LENGTH, std::uint32_t PARITY, class Decision>
__device__ __forceinline__ void update_planes(const PlaneBlock<T>& block, std::uint32_t sequence, const HalfSweep& s,
                                              const HalfSweep& next, const Decision& decide,
                                              NextSegment<T, Decision>& ahead) {
#pragma unroll 1
  for (std::uint32_t number = threadIdx.x; number < T::rounds * T::threads; number += T::threads) {
    const ColumnSegment<T> segment = ahead.segment;
    const auto fetch = [&] {
      if (number + T::threads < T::rounds * T::threads)
        ahead.template fetch<LENGTH, PARITY>(block, s, decide, number + T::threads);
      else
        ahead.template fetch<LENGTH, 1 - PARITY>(block, next, decide, threadIdx.x);
    };
    if (T::rounds * T::threads <= T::units || segment.exists)
      update_column_segment<T, LENGTH, PARITY>(block, segment, sequence, s, decide, ahead.drawn, ahead.words, fetch);
    else
      fetch();
  }
}

/// Half sweep `s` of the columns that are left over, site by site.
template <class T, std::uint32_t PARITY, class Decision>
__device__ __forceinline__ void update_left_over(const PlaneBlock<T>& block, std::uint32_t sequence, const HalfSweep& s,
                                                 const Decision& decide) {
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < T::left_over * block.planes; i += T::threads) {
    const std::uint32_t z = divided_by<T::left_over>(i);
    const ColumnSegment<T> site(T::rounds * T::threads + i - z * T::left_over, true, z);
    FirstCouplings words;
    SegmentCouplings<T, 1, PARITY>(block, site).first(words);
    update_column_segment<T, 1, PARITY>(block, site, sequence, s, decide,
                                        decide.draw(s, (block.first_plane + z) * T::plane + site.column.index), words,
                                        [] {});
  }
}

/// Half sweeps `begin` ... `end` - 1 of a block with LENGTH planes in a segment. `sequence` is an unused sequence
/// number; it is advanced.
template <class T, std::uint32_t LENGTH, class Decision>
__device__ __forceinline__ void sweep_plane_block(const PlaneBlock<T>& block, std::uint32_t& sequence,
                                                  const KeySchedule& keys, std::uint64_t pack,
                                                  std::uint32_t first_replica, std::uint32_t begin, std::uint32_t end,
                                                  const Decision& decide) {
  HalfSweep s(keys, pack, begin, first_replica);
  NextSegment<T, Decision> ahead{ColumnSegment<T>(threadIdx.x), {}, {}};
  if (begin & 1u)
    ahead.template fetch<LENGTH, 1>(block, s, decide, threadIdx.x);
  else
    ahead.template fetch<LENGTH, 0>(block, s, decide, threadIdx.x);
  for (std::uint32_t h = begin; h != end; ++h, ++sequence) {
    const HalfSweep next(keys, pack, h + 1, first_replica);
    // two copies, so that the addresses of both parities are constants
    if (h & 1u) {
      if constexpr (T::left_over > 0) update_left_over<T, 1>(block, sequence, s, decide);
      update_planes<T, LENGTH, 1>(block, sequence, s, next, decide, ahead);
    } else {
      if constexpr (T::left_over > 0) update_left_over<T, 0>(block, sequence, s, decide);
      update_planes<T, LENGTH, 0>(block, sequence, s, next, decide, ahead);
    }
    s = next;
    __syncthreads();
  }
}

/// Grid (groups x thread blocks of a pack), cooperative launch.
template <class T, class Decision>
__global__ void __launch_bounds__(T::threads)
    plane_block_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                       const __grid_constant__ KeySchedule keys, GroupSchedule schedule, HaloPacket* packets,
                       std::uint32_t first_replica, const __grid_constant__ Decision decide) {
  if constexpr (!fits_architecture(T::bytes)) return;
  const std::uint32_t group = blockIdx.x / T::blocks;
  PlaneBlock<T> block(blockIdx.x % T::blocks, shared_memory(), packets + std::size_t{group} * PlaneHalo<T>::of_group);
  std::uint32_t sequence = 1;
  for (std::uint32_t task = group; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t pack = schedule.pack(task), interval = schedule.interval(task);
    const PackView global = layout.view<3>(spins, couplings, pack, first_replica);
    block.set_couplings(global);
    schedule.wait(pack, interval, group, task, T::blocks);
    const std::uint32_t begin = schedule.begin(interval), end = schedule.end(interval);
    load_planes(block, global, begin & 1u, sequence++);
    __syncthreads();
    const auto sweep = [&]<std::uint32_t LENGTH>() {
      sweep_plane_block<T, LENGTH>(block, sequence, keys, layout.first_pack + pack, first_replica, begin, end, decide);
    };
    if constexpr (T::L % T::blocks == 0)
      sweep.template operator()<T::length>();
    else if (block.planes == T::planes)
      sweep.template operator()<T::length>();
    else
      sweep.template operator()<T::length - 1>();
    store_planes(block, global);
    schedule.set_stored(pack);
  }
}

}  // namespace psflip::cuda
