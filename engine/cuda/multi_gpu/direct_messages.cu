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

/// One thread for each side, after the message in the order of the stream.
__global__ void write_number_kernel(const __grid_constant__ DirectSides to, std::uint32_t number) {
  __threadfence_system();
  *static_cast<volatile std::uint32_t*>(threadIdx.x == 0 ? to.number[0] : to.number[1]) = number;
}

/// One block. Numbers may overflow.
__global__ void wait_for_messages_kernel(const volatile std::uint32_t* numbers, std::uint32_t count,
                                         std::uint32_t number) {
  for (std::uint32_t k = threadIdx.x; k < count; k += blockDim.x)
    while (static_cast<std::int32_t>(numbers[k] - number) < 0) {
    }
  __threadfence_system();
}

/// `ghosts` planes from plane number `first` on as the driver copies them: rows are the words of a field.
struct PitchedPlanes {
  cudaPitchedPtr in_memory, in_message;
  cudaExtent extent;

  PitchedPlanes(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t first, std::uint32_t* message) {
    const std::size_t row = std::size_t{4} * memory.ghosts * memory.plane, both = std::size_t{2} * memory.fields,
                      fields = memory.sends_both_parities ? both : memory.fields;
    in_memory = make_cudaPitchedPtr(memory.words + memory.index(0, parity, first), std::size_t{4} * memory.in_field(),
                                    row, both);
    in_message = make_cudaPitchedPtr(message, row, row, fields);
    extent = make_cudaExtent(row, fields, memory.packs);
  }
};

void start_copy(const cudaPitchedPtr& from, const cudaPitchedPtr& to, const cudaExtent& extent, cudaStream_t stream) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = from;
  copy.dstPtr = to;
  copy.extent = extent;
  copy.kind = cudaMemcpyDefault;
  check(cudaMemcpy3DAsync(&copy, stream), "planes of a slab");
}

}  // namespace

void start_sending(const PlaneMemory& memory, std::uint32_t parity, const DirectSides& to, std::uint32_t number,
                   std::uint32_t* finished, cudaStream_t stream) {
  send_planes_kernel<<<blocks_for(2 * memory.in_message(), 256), 256, 0, stream>>>(memory, parity, to, number,
                                                                                   finished);
  check(cudaGetLastError(), "message to another GPU");
}

void start_copying(const PlaneMemory& memory, std::uint32_t parity, const DirectSides& to, std::uint32_t number,
                   cudaStream_t stream) {
  for (const int side : {0, 1}) {
    const PitchedPlanes planes(memory, parity, memory.outer(side), to.message[side]);
    start_copy(planes.in_memory, planes.in_message, planes.extent, stream);
  }
  write_number_kernel<<<1, 2, 0, stream>>>(to, number);
  check(cudaGetLastError(), "number of a message");
}

void start_storing(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t* messages, cudaStream_t stream) {
  for (const int side : {0, 1}) {
    const PitchedPlanes planes(memory, parity, memory.ghost(side), messages + side * memory.in_message());
    start_copy(planes.in_message, planes.in_memory, planes.extent, stream);
  }
}

void start_waiting(const std::uint32_t* numbers, std::uint32_t count, std::uint32_t number, cudaStream_t stream) {
  wait_for_messages_kernel<<<1, std::min(count, 256u), 0, stream>>>(numbers, count, number);
  check(cudaGetLastError(), "message of another GPU");
}

}  // namespace psflip::cuda
