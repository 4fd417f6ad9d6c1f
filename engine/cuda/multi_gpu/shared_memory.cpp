#include "engine/cuda/multi_gpu/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/cuda/device/check.hpp"
#include "engine/io/error.hpp"

namespace psflip::cuda {

MemoryFile::MemoryFile(std::size_t bytes) : file_(memfd_create("psflip-messages", MFD_CLOEXEC)), bytes_(bytes) {
  if (file_ < 0) throw std::runtime_error(fmt::format("memfd_create: {}", std::strerror(errno)));
  reserved_ = std::async(std::launch::async,
                         [file = file_, bytes] { return posix_fallocate(file, 0, static_cast<off_t>(bytes)); });
}

MemoryFile::~MemoryFile() {
  if (reserved_.valid()) reserved_.wait();
  close(file_);
}

void MemoryFile::wait() {
  if (!reserved_.valid()) return;
  if (const int error = reserved_.get())
    throw UserError(
        fmt::format("messages between ranks need {} MiB of host memory for each rank and neighbour, and "
                    "the system refuses them ({}); use fewer samples or free memory.",
                    bytes_ >> 20, std::strerror(error)));
}

MappedFile::MappedFile(std::int64_t process, int descriptor, std::size_t bytes) : bytes_(bytes) {
  const int file = open(fmt::format("/proc/{}/fd/{}", process, descriptor).c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) data_ = static_cast<std::uint32_t*>(mapped);
}

MappedFile& MappedFile::operator=(MappedFile&& o) noexcept {
  std::swap(data_, o.data_);
  std::swap(bytes_, o.bytes_);
  std::swap(is_pinned_, o.is_pinned_);
  std::swap(was_tried_, o.was_tried_);
  return *this;
}

MappedFile::~MappedFile() {
  if (is_pinned_) cudaHostUnregister(data_);
  if (data_ != nullptr) munmap(data_, bytes_);
}

void MappedFile::pin() {
  if (was_tried_ || !is_mapped()) return;
  was_tried_ = true;
  is_pinned_ = cudaHostRegister(data_, bytes_, cudaHostRegisterDefault) == cudaSuccess;
  if (!is_pinned_) cudaGetLastError();
}

}  // namespace psflip::cuda
