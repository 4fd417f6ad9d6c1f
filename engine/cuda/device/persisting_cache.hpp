#pragma once
#include <algorithm>
#include <cstddef>

#include "engine/cuda/device/check.hpp"

namespace psflip::cuda {

/// A part of the L2 cache for memory that kernels access through a window(): it stays there until other memory of a
/// window replaces it. Nothing is reserved before reserve(). Not all GPUs can do it, nor do all divisions of a GPU
/// (MIG, MPS); kernels take longer there.
class PersistingCache {
 public:
  PersistingCache() = default;
  PersistingCache(const PersistingCache&) = delete;
  PersistingCache& operator=(const PersistingCache&) = delete;
  /// Gives the cache back to all kernels.
  ~PersistingCache() {
    if (bytes_ == 0) return;
    cudaCtxResetPersistingL2Cache();
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, before_);
  }

  /// Reserves `bytes`, or as much as is possible.
  void reserve(std::size_t bytes) {
    if (asked_ >= bytes) return;
    asked_ = bytes;
    const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMaxPersistingL2CacheSize));
    if (most == 0) return;
    if ((bytes_ == 0 && cudaDeviceGetLimit(&before_, cudaLimitPersistingL2CacheSize) != cudaSuccess) ||
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::min(bytes, most)) != cudaSuccess) {
      cudaGetLastError();  // not possible here (MIG, MPS): the error is not one of the job
      return;
    }
    bytes_ = std::min(bytes, most);
  }

  /// The window of `bytes` from `first` on, of which a kernel accesses `used`: as large a fraction of it persists as
  /// fits. Of size 0 if nothing is reserved.
  cudaAccessPolicyWindow window(void* first, std::size_t bytes, std::size_t used) const {
    cudaAccessPolicyWindow window{};
    const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMaxAccessPolicyWindowSize));
    window.base_ptr = first;
    window.num_bytes = bytes_ == 0 ? 0 : std::min(bytes, most);
    window.hitRatio = std::min(1.0f, static_cast<float>(bytes_) / static_cast<float>(used));
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    return window;
  }

 private:
  std::size_t asked_ = 0, bytes_ = 0, before_ = 0;
};

}  // namespace psflip::cuda
