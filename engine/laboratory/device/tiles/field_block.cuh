#pragma once
#include "engine/laboratory/device/tiles/field_kernels.hpp"

namespace psflip::laboratory::device {

constexpr unsigned warp_size = 32;

/// Adds the changes of a warp; the last warp of a block may have fewer lanes.
__device__ __forceinline__ void add_warp_sum(unsigned long long* sum, std::int64_t change) {
  const unsigned lane = threadIdx.x % warp_size, left = blockDim.x - (threadIdx.x - lane),
                 lanes = left < warp_size ? left : warp_size;
  const unsigned mask = lanes == warp_size ? 0xffffffffu : (1u << lanes) - 1;
  for (unsigned offset = warp_size / 2; offset > 0; offset /= 2) {
    const std::int64_t other = __shfl_down_sync(mask, change, offset);
    if (lane + offset < lanes) change += other;
  }
  if (lane == 0) atomicAdd(sum, static_cast<unsigned long long>(change));
}

/// One block: its box of a parity (blockIdx.x) of a configuration (blockIdx.y). `shared` has bytes_of_block() bytes.
template <class States>
__device__ __forceinline__ void update_block(const FieldArrays& arrays, const TileBox& box, int parity, int hits,
                                             const States& numbers, std::int8_t* shared) {
  const BoxCopy copy{shared, shared + box.copied_sites()};
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  const std::size_t configuration = blockIdx.y, sites = static_cast<std::size_t>(box.L) * box.L * box.L;
  const std::size_t in_all = static_cast<std::size_t>(box.blocks(0)) * box.threads(),
                    number = configuration * in_all + static_cast<std::size_t>(block) * box.threads() + thread;
  std::int8_t* spins = arrays.spins + configuration * sites;
  const IntTriple tile = box.tile_of(block, parity);
  load_part(box, tile, spins, arrays.fields, copy, thread);
  const FieldThresholds thresholds = arrays.thresholds[configuration];
  typename States::State state = numbers.load(number);
  FieldSums change;
  for (int pass = 0; pass < 2 * hits; ++pass) {
    __syncthreads();
    const FieldSums one =
        try_site(box, copy.spins, copy.fields, box.site_of(thread, pass % 2), thresholds, numbers.next(state, number));
    change.bonds += one.bonds;
    change.fields += one.fields;
  }
  __syncthreads();
  store_part(box, tile, copy, spins, thread);
  numbers.store(number, state);
  add_warp_sum(arrays.sums + 2 * configuration, change.bonds);
  add_warp_sum(arrays.sums + 2 * configuration + 1, change.fields);
}

}  // namespace psflip::laboratory::device
