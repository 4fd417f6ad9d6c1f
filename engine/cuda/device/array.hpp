#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/cuda/device/check.hpp"

/// Owners of device memory. Free of the containers of the standard library, which every file of nvcc would pay for
/// once for each architecture.
namespace psflip::cuda {

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : data_(static_cast<T*>(device_memory(size * sizeof(T)))), size_(size) {}
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(o.size_) {}
  DeviceArray& operator=(DeviceArray&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Copies a contiguous container of the same size to the GPU.
  template <class Container>
  void upload(const Container& host) {
    check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  /// The same from the GPU to a container of this size.
  template <class Container>
  Container download() const {
    Container host(size_);
    check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
    return host;
  }

  /// Sets all bytes to zero, in the order of the stream.
  void clear(cudaStream_t stream = nullptr) { check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream), "clear"); }

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

}  // namespace psflip::cuda
