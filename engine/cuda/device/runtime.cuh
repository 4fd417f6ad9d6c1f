#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/io/error.hpp"

/// Owners of device memory and the check of every CUDA call.
namespace psflip::cuda {

inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorMemoryAllocation)
    throw UserError("the GPU has not enough memory for this job; use fewer --samples per job or --backend cpu.");
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMalloc");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& o) noexcept : data_(o.data_), size_(o.size_) { o.data_ = nullptr; }
  DeviceArray& operator=(DeviceArray&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void upload(const std::vector<T>& host) {
    check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An array in pinned host memory, which the GPU accesses directly.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t size) : size_(size) {
    check(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMallocHost");
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  PinnedArray& operator=(PinnedArray&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~PinnedArray() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Returns `kernel`, which may then use `bytes` of dynamic shared memory per thread block.
template <class Kernel>
Kernel with_shared_memory(Kernel kernel, std::size_t bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "shared memory");
  return kernel;
}

inline int attribute(cudaDeviceAttr which) {
  int value = 0, device = 0;
  check(cudaGetDevice(&device), "device");
  check(cudaDeviceGetAttribute(&value, which, device), "device attribute");
  return value;
}

inline unsigned blocks_for(std::size_t items, unsigned threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

}  // namespace psflip::cuda
