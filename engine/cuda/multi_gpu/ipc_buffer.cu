#include "engine/cuda/multi_gpu/ipc_buffer.cuh"

#include <map>
#include <mutex>
#include <utility>

#include "engine/cuda/device/runtime.cuh"

namespace psflip::cuda {

namespace {

/// Mailboxes that no engine of this process uses just now, by device and bytes.
struct MailboxShelf {
  std::mutex mutex;
  std::multimap<std::pair<int, std::size_t>, std::uint32_t*> free;
};
MailboxShelf& shelf() {
  static MailboxShelf all;
  return all;
}

}  // namespace

Mailbox::Mailbox(std::size_t words) {
  // Whole allocations of the driver: no memory of others is shared with them.
  constexpr std::size_t granularity = std::size_t{2} << 20;
  bytes_ = (4 * words + granularity - 1) / granularity * granularity;
  check(cudaGetDevice(&device_), "device");
  const std::lock_guard lock(shelf().mutex);
  const auto found = shelf().free.find({device_, bytes_});
  if (found != shelf().free.end()) {
    data_ = found->second;
    shelf().free.erase(found);
  } else {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes_), "cudaMalloc");
  }
}

Mailbox::~Mailbox() {
  const std::lock_guard lock(shelf().mutex);
  shelf().free.insert({{device_, bytes_}, data_});
}

}  // namespace psflip::cuda
