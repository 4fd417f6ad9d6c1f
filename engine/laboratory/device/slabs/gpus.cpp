#include "engine/laboratory/device/slabs/gpus.hpp"

#include <fmt/format.h>

#include "engine/io/error.hpp"

namespace psflip::laboratory::device {

namespace {

void open_memory(int reader, int owner) {
  if (reader == owner) return;
  int possible = 0;
  cuda::check(cudaDeviceCanAccessPeer(&possible, reader, owner), "access to another GPU");
  if (possible == 0)
    throw UserError(fmt::format(
        "--memory peer: GPU {} cannot read the memory of GPU {}, give --memory managed or --gpus 1.", reader, owner));
  const OnDevice on(reader);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(owner, 0);
  if (enabled == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();  // cleared
  else
    cuda::check(enabled, "access to another GPU");
}

}  // namespace

int gpu_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // cleared
  return 0;
}

int current_gpu() {
  int device = 0;
  cuda::check(cudaGetDevice(&device), "device");
  return device;
}

void open_memory_of_neighbours(const std::vector<int>& devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const int next = devices[(i + 1) % devices.size()];
    open_memory(devices[i], next);
    open_memory(next, devices[i]);
  }
}

void require_managed_memory(const std::vector<int>& devices) {
  for (const int device : devices) {
    int concurrent = 0;
    cuda::check(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device), "device attribute");
    if (concurrent == 0)
      throw UserError(fmt::format(
          "--memory managed: GPU {} cannot use managed memory while others do, give --memory peer.", device));
  }
}

}  // namespace psflip::laboratory::device
