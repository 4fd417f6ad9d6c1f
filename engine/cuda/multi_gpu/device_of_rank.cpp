#include "engine/cuda/multi_gpu/device_of_rank.hpp"

#include "engine/cuda/device/check.hpp"

namespace psflip::cuda {

void use_device_of(int rank_in_node) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "number of GPUs");
  check(cudaSetDevice(rank_in_node % count), "choice of a GPU");
}

}  // namespace psflip::cuda
