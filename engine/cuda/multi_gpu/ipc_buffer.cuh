#pragma once
#include <cstddef>
#include <cstdint>

namespace psflip::cuda {

/// Memory of this GPU that neighbours write into. Other processes may know its address for longer than an engine lives,
/// so that it is handed back for the next engine and never freed.
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
