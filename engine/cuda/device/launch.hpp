#pragma once
#include <algorithm>
#include <cstddef>

#include "engine/cuda/device/check.hpp"

/// Grids and shared memory of launches.
namespace psflip::cuda {

inline unsigned blocks_for(std::size_t items, unsigned threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

/// Most bytes of shared memory that a thread block can request.
inline std::size_t most_shared_bytes() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

/// The same if `blocks` of them run on a multiprocessor.
inline std::size_t most_shared_bytes(std::size_t blocks) {
  const auto all = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)),
             reserved = static_cast<std::size_t>(attribute(cudaDevAttrReservedSharedMemoryPerBlock));
  return std::min(most_shared_bytes(), all / blocks - reserved);
}

/// Returns `kernel`, which may then use `bytes` of dynamic shared memory per thread block.
template <class Kernel>
Kernel with_shared_memory(Kernel kernel, std::size_t bytes) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "shared memory");
  return kernel;
}

}  // namespace psflip::cuda
