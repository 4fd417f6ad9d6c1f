#include "engine/cuda/multi_gpu/direct_messages.hpp"

#include <algorithm>

#include "engine/cuda/device/check.hpp"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/multi_gpu/halo_kernels.cuh"

namespace psflip::cuda {

namespace {

/// A thread for each word of the two messages. The last block that finishes writes the number, which the neighbour
/// sees after the words: every thread orders its writes before the count of finished blocks, for the whole system.
__global__ void send_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                   const __grid_constant__ DirectSides to, std::uint32_t number,
                                   std::uint32_t* finished) {
  const std::size_t length = memory.in_message(), i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < 2 * length) {
    const std::uint32_t word = memory.words[outer_index(memory, parity, i, false)];
    (i < length ? to.message[0] : to.message[1] - length)[i] = word;
  }
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(finished, 1u) + 1 != gridDim.x) return;
  *finished = 0;
  __threadfence_system();
  for (volatile std::uint32_t* there : {to.number[0], to.number[1]}) *there = number;
}

/// One block. Numbers may overflow.
__global__ void wait_for_messages_kernel(const volatile std::uint32_t* numbers, std::uint32_t count,
                                         std::uint32_t number) {
  for (std::uint32_t k = threadIdx.x; k < count; k += blockDim.x)
    while (static_cast<std::int32_t>(numbers[k] - number) < 0) {
    }
  __threadfence_system();
}

}  // namespace

void start_sending(const PlaneMemory& memory, std::uint32_t parity, const DirectSides& to, std::uint32_t number,
                   std::uint32_t* finished, cudaStream_t stream) {
  send_planes_kernel<<<blocks_for(2 * memory.in_message(), 256), 256, 0, stream>>>(memory, parity, to, number,
                                                                                   finished);
  check(cudaGetLastError(), "message to another GPU");
}

void start_waiting(const std::uint32_t* numbers, std::uint32_t count, std::uint32_t number, cudaStream_t stream) {
  wait_for_messages_kernel<<<1, std::min(count, 256u), 0, stream>>>(numbers, count, number);
  check(cudaGetLastError(), "message of another GPU");
}

}  // namespace psflip::cuda
