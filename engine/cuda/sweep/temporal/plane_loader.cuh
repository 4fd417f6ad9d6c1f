#pragma once
#include <cstdint>

#include "engine/cuda/device/assembly.cuh"

/// Copies of the planes of a row block from global to shared memory.
namespace psflip::cuda {

/// Asynchronous copies of CHUNK words from ARRAYS arrays, which are consecutive in a slot and have the rows of a row
/// block each. MOST: copies of a thread.
template <int ARRAYS, int CHUNK, int MOST>
struct ArrayLoader {
  const std::uint32_t* base;   ///< of the pack
  std::uint32_t offset[MOST];  ///< in plane 0, bytes
  std::uint32_t chunks, threads;

  /// `second` is the distance from the first half of the arrays, parity 0, to the second. `shift` is the index of the
  /// first word of a row block in an array of the slot, 0 or 1. `block_threads`: of the block, known at compile time
  /// if possible.
  __device__ __forceinline__ ArrayLoader(const std::uint32_t* first, std::uint32_t second, std::uint32_t sites,
                                         std::uint32_t L, std::uint32_t first_row, std::uint32_t words,
                                         std::uint32_t shift, std::uint32_t block_threads)
      : base(first), chunks(ARRAYS * words / CHUNK), threads(block_threads) {
    const std::uint32_t half = L / 2;
#pragma unroll
    for (int k = 0; k < MOST; ++k) {
      const std::uint32_t id = threadIdx.x + k * threads, array = id * CHUNK / words,
                          word = id * CHUNK % words + half - shift,  // counted from the row before the first
          y = (first_row + L - 2 + word / half) % L;
      const std::uint32_t of_parity = array < ARRAYS / 2 ? array * sites : second + (array - ARRAYS / 2) * sites;
      offset[k] = 4 * (of_parity + y * half + word % half);
    }
  }

  /// Starts the copies of a plane that begins `plane_offset` words after plane 0.
  __device__ __forceinline__ void start(std::uint32_t plane_offset, std::uint32_t* to) const {
    const auto address = shared_address(to) + threadIdx.x * (4 * CHUNK);
    const char* from = reinterpret_cast<const char*>(base + plane_offset);  // the same for all threads
#pragma unroll
    for (int k = 0; k < MOST; ++k) {
      if (threadIdx.x + k * threads < chunks) copy_async<CHUNK>(address + k * threads * (4 * CHUNK), from + offset[k]);
    }
  }
};

}  // namespace psflip::cuda
