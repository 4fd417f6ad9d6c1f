#include "engine/cuda/multi_gpu/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "engine/cuda/device/check.hpp"
#include "engine/io/error.hpp"

namespace psflip::cuda {

static std::uint64_t number_of(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

MemoryFile::MemoryFile(std::size_t bytes) : bytes_(bytes), file_(memfd_create("psflip-messages", MFD_CLOEXEC)) {
  if (file_ < 0) throw std::runtime_error(fmt::format("memfd_create: {}", std::strerror(errno)));
  reserved_ = std::async(std::launch::async,
                         [file = file_, bytes] { return posix_fallocate(file, 0, static_cast<off_t>(bytes)); });
}

MemoryFile::~MemoryFile() {
  if (reserved_.valid()) reserved_.wait();
  close(file_);
}

FileAddress MemoryFile::address() const { return {getpid(), file_, number_of(file_)}; }

void MemoryFile::wait() {
  if (!reserved_.valid()) return;
  if (const int error = reserved_.get())
    throw UserError(
        fmt::format("a message to another rank needs {:.1f} MiB of host memory, which the system refuses "
                    "({}); use fewer samples or free memory.",
                    static_cast<double>(bytes_) / (1 << 20), std::strerror(error)));
}

MappedFile::MappedFile(const FileAddress& address, std::size_t bytes) : bytes_(bytes) {
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.descriptor);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  if (number_of(file) == address.number) {
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) data_ = static_cast<std::uint32_t*>(mapped);
  }
  close(file);
}

MappedFile& MappedFile::operator=(MappedFile&& o) noexcept {
  std::swap(data_, o.data_);
  std::swap(bytes_, o.bytes_);
  std::swap(is_pinned_, o.is_pinned_);
  std::swap(was_pin_tried_, o.was_pin_tried_);
  return *this;
}

MappedFile::~MappedFile() {
  if (is_pinned_) cudaHostUnregister(data_);
  if (data_ != nullptr) munmap(data_, bytes_);
}

void MappedFile::pin() {
  if (was_pin_tried_ || !is_mapped()) return;
  was_pin_tried_ = true;
  is_pinned_ = cudaHostRegister(data_, bytes_, cudaHostRegisterDefault) == cudaSuccess;
  if (!is_pinned_) cudaGetLastError();
}

}  // namespace psflip::cuda
