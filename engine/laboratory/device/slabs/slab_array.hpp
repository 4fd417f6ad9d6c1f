#pragma once
#include <algorithm>
#include <vector>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/slabs/gpus.hpp"
#include "engine/laboratory/device/slabs/plan.hpp"
#include "engine/laboratory/device/square_kernels.hpp"
#include "engine/laboratory/ising2d/slab.hpp"

namespace psflip::laboratory::device {

/// Managed memory, which cudaFree() frees. Throws UserError if there is too little.
void* managed_memory(std::size_t bytes);

/// Advises the driver about a slab of managed memory: its place is `device`, and the GPUs `above` and `below` it map
/// its first and its last line of `line` bytes.
void advise_slab(void* slab, std::size_t bytes, std::size_t line, int device, int above, int below);

/// An array that is cut into equal slabs, one for each of `devices`, which may name a GPU several times.
template <class T>
class SlabArray {
 public:
  /// `lines` lines of `line` entries for each slab.
  SlabArray(std::size_t line, std::size_t lines, std::vector<int> devices, SlabMemory memory)
      : line_(line), lines_(lines), devices_(std::move(devices)) {
    if (memory == SlabMemory::managed)
      allocate_managed();
    else
      allocate_peers();
  }
  SlabArray(const SlabArray&) = delete;
  SlabArray& operator=(const SlabArray&) = delete;
  ~SlabArray() { cudaFree(managed_); }

  T* own(std::size_t gpu) { return begins_[gpu]; }
  Slab<T> slab(std::size_t gpu) const { return slab_of(begins_, gpu, line_, lines_); }

  /// Starts to give all entries of a slab the same value.
  void fill_slab(std::size_t gpu, T value, cudaStream_t stream) { fill(begins_[gpu], size_of_slab(), value, stream); }
  /// Copies all slabs from the host and back, one after another.
  void upload(const std::vector<T>& all) {
    for (std::size_t gpu = 0; gpu < begins_.size(); ++gpu) copy(begins_[gpu], all.data() + gpu * size_of_slab(), gpu);
  }
  std::vector<T> download() const {
    std::vector<T> all(begins_.size() * size_of_slab());
    for (std::size_t gpu = 0; gpu < begins_.size(); ++gpu) copy(all.data() + gpu * size_of_slab(), begins_[gpu], gpu);
    return all;
  }

 private:
  std::size_t size_of_slab() const { return line_ * lines_; }

  void copy(T* to, const T* from, std::size_t gpu) const {
    const OnDevice on(devices_[gpu]);
    cuda::check(cudaMemcpy(to, from, size_of_slab() * sizeof(T), cudaMemcpyDefault), "copy of a slab");
  }

  void allocate_peers() {
    for (const int device : devices_) {
      const OnDevice on(device);
      slabs_.emplace_back(size_of_slab());
      begins_.push_back(slabs_.back().data());
    }
  }

  void allocate_managed() {
    const std::size_t bytes = size_of_slab() * sizeof(T), count = devices_.size();
    managed_ = static_cast<T*>(managed_memory(count * bytes));
    for (std::size_t gpu = 0; gpu < count; ++gpu) {
      begins_.push_back(managed_ + gpu * size_of_slab());
      advise_slab(begins_[gpu], bytes, line_ * sizeof(T), devices_[gpu], devices_[(gpu + count - 1) % count],
                  devices_[(gpu + 1) % count]);
    }
  }

  std::size_t line_, lines_;
  std::vector<int> devices_;
  std::vector<cuda::DeviceArray<T>> slabs_;  ///< of peers
  T* managed_ = nullptr;
  std::vector<T*> begins_;
};

}  // namespace psflip::laboratory::device
