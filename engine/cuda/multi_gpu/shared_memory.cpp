#include "engine/cuda/multi_gpu/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "engine/cuda/device/check.hpp"
#include "engine/io/error.hpp"

namespace psflip::cuda {

namespace {

[[noreturn]] void refuse(std::size_t bytes, int error) {
  throw UserError(
      fmt::format("a message to another rank needs {:.1f} MiB of host memory, which the system refuses "
                  "({}); use fewer samples or free memory.",
                  static_cast<double>(bytes) / (1 << 20), std::strerror(error)));
}

/// Error number. A signal may interrupt the call.
int reserve(int file, std::size_t bytes) {
  int error = 0;
  do error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  while (error == EINTR);
  return error;
}

}  // namespace

MappedMemory::MappedMemory(const MemoryAddress& address, std::size_t bytes) {
  if (address.descriptor < 0) return;
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.descriptor);
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || status.st_dev != address.device || status.st_ino != address.number) return;
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  map(file, bytes);
  close(file);
}

MappedMemory& MappedMemory::operator=(MappedMemory&& o) noexcept {
  std::swap(data_, o.data_);
  std::swap(bytes_, o.bytes_);
  std::swap(is_pinned_, o.is_pinned_);
  std::swap(was_pin_tried_, o.was_pin_tried_);
  return *this;
}

MappedMemory::~MappedMemory() {
  if (is_pinned_) cudaHostUnregister(data_);
  if (data_ != nullptr) munmap(data_, bytes_);
}

void MappedMemory::pin() {
  if (was_pin_tried_ || !is_mapped()) return;
  was_pin_tried_ = true;
  is_pinned_ = cudaHostRegister(data_, bytes_, cudaHostRegisterDefault) == cudaSuccess;
  if (!is_pinned_) cudaGetLastError();
}

/// A negative `file`: memory of this process alone.
void MappedMemory::map(int file, std::size_t bytes) {
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind, file, 0);
  if (mapped == MAP_FAILED) return;
  data_ = static_cast<std::uint32_t*>(mapped);
  bytes_ = bytes;
}

SharedMemory::SharedMemory(std::size_t bytes) : bytes_(bytes), file_(memfd_create("psflip-messages", MFD_CLOEXEC)) {
  map(file_, bytes);
  if (!is_mapped()) refuse(bytes, errno);
  if (file_ >= 0) reserved_ = std::async(std::launch::async, reserve, file_, bytes);
}

SharedMemory::~SharedMemory() {
  if (reserved_.valid()) reserved_.wait();
  if (file_ >= 0) close(file_);
}

MemoryAddress SharedMemory::address() const {
  struct stat status {};
  const bool exists = file_ >= 0 && fstat(file_, &status) == 0;
  return {getpid(), exists ? file_ : -1, status.st_dev, status.st_ino};
}

void SharedMemory::wait() {
  if (!reserved_.valid()) return;
  if (const int error = reserved_.get()) refuse(bytes_, error);
}

}  // namespace psflip::cuda
