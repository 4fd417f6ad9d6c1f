#pragma once
#include <cstddef>
#include <cstdint>
#include <future>

namespace psflip::cuda {

/// Where other processes of the machine find memory of this one: as a file that exists in memory only.
struct MemoryAddress {
  std::int64_t process;
  std::int64_t descriptor;       ///< in that process; negative: no other process can use the memory
  std::uint64_t device, number;  ///< of the file: in a container another process may have the number of that one
};

/// Host memory in the address space of this process.
class MappedMemory {
 public:
  MappedMemory() = default;
  /// Of another process. is_mapped() is false afterwards if this process cannot open the file.
  MappedMemory(const MemoryAddress& address, std::size_t bytes);
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  MappedMemory& operator=(MappedMemory&& o) noexcept;
  ~MappedMemory();

  bool is_mapped() const { return data_ != nullptr; }
  std::uint32_t* data() const { return data_; }
  /// After the first call the GPU copies from and to this memory without the CPU. If the driver refuses, copies are
  /// slower and no less correct.
  void pin();

 protected:
  void map(int file, std::size_t bytes);

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_pinned_ = false, was_pin_tried_ = false;
};

/// Host memory that other processes of the machine can map, if the system has memory files.
class SharedMemory : public MappedMemory {
 public:
  /// Starts to reserve the memory in a thread, since the system must clear it: 20 ms for 32 MiB. Throws UserError if
  /// the address space is too small.
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();

  MemoryAddress address() const;
  /// Waits until the memory is reserved, so that it can be used. Throws UserError if the system refuses it.
  void wait();

 private:
  std::size_t bytes_;
  int file_;                   ///< -1: there are no memory files
  std::future<int> reserved_;  ///< error number
};

}  // namespace psflip::cuda
