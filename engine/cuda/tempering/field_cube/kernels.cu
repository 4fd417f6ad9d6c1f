#include "engine/cuda/tempering/field_cube/kernels.hpp"

#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/tempering/field_cube/sums.cuh"

namespace psflip::cuda {

void start_energies(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t units,
                    cudaStream_t stream) {
  const ZSweepShape z_shape = global_memory_shape(shape.L);
  const auto go = [&](auto kernel) {
    launch_early("count", kernel, dim3(blocks_of(z_shape, shape.L), units, shape.packs), z_shape.threads, 0, stream,
                 After::kernel, a.spins, a.fields, shape, first, z_shape, a.energies.counts);
  };
  if (shape.L == 32) return go(energy_kernel<KnownZSweep<32, false>>);
  if (shape.L == 48) return go(energy_kernel<KnownZSweep<48, false>>);
  if (shape.L == 64) return go(energy_kernel<KnownZSweep<64, false>>);
  go(energy_kernel<KnownZSweep<0, false>>);
}

void start_planes(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t units,
                  cudaStream_t stream) {
  const Traversals<3> traversals(shape.L);
  const dim3 grid(traversals.first.warp_traversals() + traversals.second.warp_traversals(),
                  blocks_for(units, units_at_once), shape.packs);
  launch_early("count", plane_kernel, grid, dim3(32, units_at_once), 0, stream, After::kernel, a.spins, shape, first,
               first + units, traversals, a.energies.counts);
}

void start_swaps(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t last,
                 std::uint32_t odd, bool measured, cudaStream_t stream) {
  const std::uint32_t first_group = SlotGroup::number_of(first, odd), last_group = SlotGroup::number_of(last, odd);
  const dim3 grid(blocks_for(2 * shape.sites, 8 * swap_steps * swap_threads), last_group - first_group + 1,
                  shape.packs);
  const auto swap = measured ? swap_kernel<true> : swap_kernel<false>;
  launch_early("round", swap, grid, swap_threads, 0, stream, After::kernel, reinterpret_cast<uint4*>(a.spins), shape,
               first_group, odd, a.masks, a.energies.counts);
}

void start_sums(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t last,
                std::uint32_t odd, cudaStream_t stream) {
  launch_early("round", accumulate_kernel, dim3(last - first + 1, shape.packs), dim3(32, 6), 0, stream, After::kernel,
               shape, first, odd, a.masks, a.energies.counts, a.cosine, a.sine, a.sums);
}

}  // namespace psflip::cuda
