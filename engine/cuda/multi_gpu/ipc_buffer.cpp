#include "engine/cuda/multi_gpu/ipc_buffer.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "engine/cuda/device/check.hpp"

namespace psflip::cuda {

namespace {

/// IPC buffers that no engine of this process uses at present, by device and bytes.
struct UnusedBuffers {
  std::mutex mutex;
  std::multimap<std::pair<int, std::size_t>, std::uint32_t*> free;
};
UnusedBuffers& unused_buffers() {
  static UnusedBuffers all;
  return all;
}

}  // namespace

IpcBuffer::IpcBuffer(std::size_t words) {
  // Multiples of the allocation granularity of the driver: the handle must not expose other allocations.
  constexpr std::size_t granularity = std::size_t{2} << 20;
  bytes_ = (4 * words + granularity - 1) / granularity * granularity;
  check(cudaGetDevice(&device_), "device");
  const std::lock_guard lock(unused_buffers().mutex);
  const auto found = unused_buffers().free.find({device_, bytes_});
  if (found != unused_buffers().free.end()) {
    data_ = found->second;
    unused_buffers().free.erase(found);
  } else {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes_), "cudaMalloc");
  }
}

IpcBuffer::~IpcBuffer() {
  const std::lock_guard lock(unused_buffers().mutex);
  unused_buffers().free.insert({{device_, bytes_}, data_});
}

}  // namespace psflip::cuda
