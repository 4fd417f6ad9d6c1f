#pragma once
#include <cstddef>
#include <cstdint>
#include <future>

namespace psflip::cuda {

/// A file of the operating system that exists in memory only. Any process of the machine can map it.
class MemoryFile {
 public:
  /// Starts to reserve the memory in a thread, since the system must clear it: 20 ms for 32 MiB.
  explicit MemoryFile(std::size_t bytes);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  int descriptor() const { return file_; }
  std::size_t bytes() const { return bytes_; }
  /// Waits until the memory is reserved. Throws UserError if the machine has too little.
  void wait();

 private:
  int file_;
  std::size_t bytes_;
  std::future<int> reserved_;  ///< error number
};

/// Such a file in the address space of this process. Throws nothing: is_mapped() is false if there is no such file.
class MappedFile {
 public:
  MappedFile() = default;
  /// `descriptor` of the process `process`.
  MappedFile(std::int64_t process, int descriptor, std::size_t bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&& o) noexcept;
  ~MappedFile();

  bool is_mapped() const { return data_ != nullptr; }
  std::uint32_t* data() const { return data_; }
  /// Makes copies between this memory and the GPU work of the GPU alone. Does nothing the second time. If the driver
  /// refuses, copies are slower and no less correct.
  void pin();

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_pinned_ = false, was_tried_ = false;
};

}  // namespace psflip::cuda
