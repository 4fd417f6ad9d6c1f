#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "engine/cuda/update/plane_memory.hpp"

/// Messages written into the memory of the neighbours' GPUs in the order of a stream, without the ranks.
namespace psflip::cuda {

/// Memory of the neighbours, [0] towards smaller coordinates: for the message, and for the number of the last one.
struct DirectSides {
  std::uint32_t* message[2];
  std::uint32_t* number[2];
};

/// Copies the outer planes by the driver, without multiprocessors, and then writes the number of the message.
void start_copying(const PlaneMemory& memory, std::uint32_t parity, const DirectSides& to, std::uint32_t number,
                   cudaStream_t stream);
/// Copies two consecutive messages, [0] from smaller coordinates, to the ghosts by the driver.
void start_storing(const PlaneMemory& memory, std::uint32_t parity, std::uint32_t* messages, cudaStream_t stream);
/// Sends the outer planes with the number of the message, by a kernel. `finished` is a zero that the kernel needs.
void start_sending(const PlaneMemory& memory, std::uint32_t parity, const DirectSides& to, std::uint32_t number,
                   std::uint32_t* finished, cudaStream_t stream);
/// The stream continues when all of `count` numbers, which other GPUs write, are this one or later.
void start_waiting(const std::uint32_t* numbers, std::uint32_t count, std::uint32_t number, cudaStream_t stream);

}  // namespace psflip::cuda
