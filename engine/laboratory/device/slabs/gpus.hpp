#pragma once
#include <vector>

#include "engine/cuda/device/check.hpp"

/// The GPUs of one process that hold slabs of a lattice.
namespace psflip::laboratory::device {

/// Makes a GPU the current device of this thread, and at the end the one that was current before.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    cuda::check(cudaGetDevice(&before_), "device");
    cuda::check(cudaSetDevice(device), "device");
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

/// Number of GPUs of this machine that the process may use; 0 without a driver.
int gpu_count();

/// The current device.
int current_gpu();

/// Lets each GPU read the memory of the GPUs before and after it in the list, which is periodic. Throws UserError if
/// two of them have no such access.
void open_memory_of_neighbours(const std::vector<int>& devices);

/// Throws UserError if one of the GPUs cannot read managed memory of another while both work.
void require_managed_memory(const std::vector<int>& devices);

}  // namespace psflip::laboratory::device
