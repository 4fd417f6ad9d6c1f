#include "engine/cuda/tempering/kernels.hpp"

#include <algorithm>

#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/tempering/exchange_kernel.cuh"
#include "engine/cuda/tempering/message.cuh"
#include "engine/cuda/tempering/start_kernel.cuh"
#include "engine/cuda/tempering/swap_kernel.cuh"

namespace psflip::cuda {

void start_spins(const TemperingShape& shape, std::uint32_t* spins, const Key& key) {
  fill_slots_kernel<<<dim3(blocks_for(shape.sites, 256), shape.slots, shape.packs), 256>>>(spins, shape, key);
  check(cudaGetLastError(), "start");
}

void start_exchange(const TemperingShape& shape, const TemperingArrays& a, const Key& key, std::uint32_t round,
                    bool waits, cudaStream_t stream) {
  const dim3 block(32, std::min(shape.slots, 32u));  // one warp for a slot: its loads need not wait for those of others
  launch_early("round", exchange_kernel, dim3(shape.packs, shape.sets), block, 0, stream,
               waits ? After::event : After::anything, shape, key, round, a.weights, a.shift, a.energies, a.masks,
               a.labels, a.sums);
}

void start_swaps(const TemperingShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t pairs,
                 cudaStream_t stream) {
  const dim3 grid(blocks_for(shape.sites / 2, 256), pairs * 2 * shape.sets, shape.packs);
  launch_early("round", swap_slots_kernel, grid, 256, 0, stream, After::kernel, reinterpret_cast<uint2*>(a.spins),
               shape, first, a.masks);
}

void start_gather(const SlotWords& words, std::uint32_t slot, std::uint32_t* message, cudaStream_t stream) {
  const dim3 grid(blocks_for(words.words(), 256), words.shape.packs);
  gather_slot_kernel<<<grid, 256, 0, stream>>>(words, slot, message);
  check(cudaGetLastError(), "message");
}

void start_scatter(const SlotWords& words, std::uint32_t slot, const std::uint32_t* message, cudaStream_t stream) {
  const dim3 grid(blocks_for(words.words(), 256), words.shape.packs);
  scatter_slot_kernel<<<grid, 256, 0, stream>>>(words, slot, message);
  check(cudaGetLastError(), "message");
}

}  // namespace psflip::cuda
