#include "engine/cuda/tempering/kernels.hpp"

#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/tempering/exchange_kernels.cuh"
#include "engine/cuda/tempering/message.cuh"
#include "engine/cuda/tempering/start_kernels.cuh"

namespace psflip::cuda {

void start_fields(const TemperingArrays& a, const Key& key) {
  fill_fields_kernel<<<dim3(blocks_for(a.shape.sites, 256), a.shape.packs), 256>>>(a.fields, a.shape, key);
  check(cudaGetLastError(), "start");
}

void start_spins(const TemperingArrays& a, const Key& key) {
  const dim3 grid(blocks_for(a.shape.sites, 256), a.shape.slots, a.shape.packs);
  fill_units_kernel<<<grid, 256>>>(a.spins, a.shape, key);
  check(cudaGetLastError(), "start");
}

void start_energies(const TemperingArrays& a, std::uint32_t first, std::uint32_t units, cudaStream_t stream) {
  const std::uint32_t L = a.shape.lattice.L;
  const ZSweepShape z_shape = global_memory_shape(L);
  energy_kernel<<<dim3(blocks_of(z_shape, L), units, a.shape.packs), z_shape.threads, 0, stream>>>(
      a.spins, a.fields, a.shape, first, z_shape, a.counts);
  check(cudaGetLastError(), "count");
}

void start_planes(const TemperingArrays& a, std::uint32_t first, std::uint32_t units, cudaStream_t stream) {
  const Traversals<3> traversals(a.shape.lattice.L);
  const dim3 grid(traversals.first.warp_traversals() + traversals.second.warp_traversals(),
                  blocks_for(units, units_at_once), a.shape.packs);
  plane_kernel<<<grid, dim3(32, units_at_once), 0, stream>>>(a.spins, a.shape, first, first + units, traversals,
                                                             a.counts);
  check(cudaGetLastError(), "count");
}

void start_exchange(const TemperingArrays& a, const Key& key, std::uint32_t round, cudaStream_t stream) {
  exchange_kernel<<<dim3(a.shape.packs, tempering_sets), dim3(32, 8), 0, stream>>>(
      a.shape, key, round, a.weights, a.shift, a.counts, a.masks, a.labels);
  check(cudaGetLastError(), "round");
}

void start_swaps(const TemperingArrays& a, std::uint32_t first, std::uint32_t last, std::uint32_t odd, bool measured,
                 cudaStream_t stream) {
  const std::uint32_t first_group = SlotGroup::number_of(first, odd), last_group = SlotGroup::number_of(last, odd);
  const dim3 grid(blocks_for(2 * a.shape.sites, 8 * swap_steps * swap_threads), last_group - first_group + 1,
                  a.shape.packs);
  const auto swap = measured ? swap_kernel<true> : swap_kernel<false>;
  swap<<<grid, swap_threads, 0, stream>>>(reinterpret_cast<uint4*>(a.spins), a.shape, first_group, odd, a.masks,
                                          a.counts);
  check(cudaGetLastError(), "round");
}

void start_sums(const TemperingArrays& a, std::uint32_t first, std::uint32_t last, std::uint32_t odd,
                cudaStream_t stream) {
  accumulate_kernel<<<dim3(last - first + 1, a.shape.packs), dim3(32, 6), 0, stream>>>(
      a.shape, first, odd, a.masks, a.counts, a.cosine, a.sine, a.sums);
  check(cudaGetLastError(), "round");
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
