#pragma once
#include <cstddef>
#include <cstdint>

namespace psflip::cuda {

/// GPU memory that another process writes through CUDA IPC. Other processes may know its address for longer than an
/// engine lives. The buffer is therefore kept for the next engine and never freed.
class IpcBuffer {
 public:
  explicit IpcBuffer(std::size_t words);
  IpcBuffer(const IpcBuffer&) = delete;
  IpcBuffer& operator=(const IpcBuffer&) = delete;
  ~IpcBuffer();

  std::uint32_t* data() const { return data_; }

 private:
  int device_ = 0;
  std::size_t bytes_;
  std::uint32_t* data_ = nullptr;
};

}  // namespace psflip::cuda
