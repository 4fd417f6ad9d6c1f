#include "engine/cuda/multi_gpu/halo_kernels.cuh"

#include "engine/cuda/device/launch.hpp"

namespace psflip::cuda {

namespace {

/// Starts one thread for each word of the two messages.
template <class Kernel, class Word>
void start(Kernel kernel, const PlaneMemory& memory, std::uint32_t parity, Word* messages, cudaStream_t stream) {
  kernel<<<blocks_for(2 * memory.in_message(), 256), 256, 0, stream>>>(memory, parity, messages);
  check(cudaGetLastError(), "boundary planes");
}

}  // namespace

void start_gathering(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t* messages, cudaStream_t stream) {
  start(gather_planes_kernel, memory, parity, messages, stream);
}

void start_scattering(const PlaneMemory& memory, std::uint32_t parity, const std::uint32_t* messages,
                      cudaStream_t stream) {
  start(scatter_planes_kernel, memory, parity, messages, stream);
}

}  // namespace psflip::cuda
