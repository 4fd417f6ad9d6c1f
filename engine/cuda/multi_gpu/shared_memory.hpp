#pragma once
#include <cstddef>
#include <cstdint>
#include <future>

namespace psflip::cuda {

/// Where a process finds the MemoryFile of another one.
struct FileAddress {
  std::int64_t process;
  std::int64_t descriptor;  ///< in that process
  std::uint64_t number;     ///< that no other file of the machine has: in a container a process may have another number
};

/// A file of the operating system that exists in memory only. Any process of the machine can map it.
class MemoryFile {
 public:
  /// Starts to reserve the memory in a thread, since the system must clear it: 20 ms for 32 MiB.
  explicit MemoryFile(std::size_t bytes);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  FileAddress address() const;
  std::size_t bytes() const { return bytes_; }
  /// Waits until the memory is reserved. Throws UserError if the machine has too little.
  void wait();

 private:
  std::size_t bytes_;
  int file_;
  std::future<int> reserved_;  ///< error number
};

/// Such a file in the address space of this process.
class MappedFile {
 public:
  MappedFile() = default;
  /// is_mapped() is false afterwards if this process cannot open the file.
  MappedFile(const FileAddress& address, std::size_t bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile& operator=(MappedFile&& o) noexcept;
  ~MappedFile();

  bool is_mapped() const { return data_ != nullptr; }
  std::uint32_t* data() const { return data_; }
  /// The first call makes the GPU copy from and to this memory without the CPU. If the driver refuses, copies are
  /// slower and no less correct.
  void pin();

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_pinned_ = false, was_pin_tried_ = false;
};

}  // namespace psflip::cuda
