#include "engine/cuda/multi_gpu/halo_kernels.cuh"

#include "engine/cuda/device/launch.hpp"

namespace psflip::cuda {

void start_gathering(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t* messages, cudaStream_t stream) {
  gather_planes_kernel<<<blocks_for(2 * memory.in_message(), 256), 256, 0, stream>>>(memory, parity, messages);
  check(cudaGetLastError(), "boundary planes");
}

void start_scattering(const PlaneMemory& memory, std::uint32_t parity, const std::uint32_t* messages,
                      cudaStream_t stream) {
  scatter_planes_kernel<<<blocks_for(2 * memory.in_message(), 256), 256, 0, stream>>>(memory, parity, messages);
  check(cudaGetLastError(), "neighbours' planes");
}

}  // namespace psflip::cuda
