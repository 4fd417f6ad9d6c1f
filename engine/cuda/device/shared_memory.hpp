#pragma once
#include <cstddef>

#include "engine/core/platform.hpp"

namespace psflip::cuda {

/// Most bytes of shared memory of a thread block before compute capability 9.0.
inline constexpr std::size_t shared_bytes_before_hopper = 163 * 1024;

/// False if no GPU of the architecture that is compiled has `bytes` of shared memory for a thread block. Such kernels
/// are never launched there and slow to compile.
PSFLIP_HD constexpr bool fits_architecture([[maybe_unused]] std::size_t bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  return bytes <= shared_bytes_before_hopper;
#else
  return true;
#endif
}

}  // namespace psflip::cuda
