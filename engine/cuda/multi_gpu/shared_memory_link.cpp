#include "engine/cuda/multi_gpu/shared_memory_link.hpp"

namespace psflip::cuda {

SharedMemoryLink::SharedMemoryLink(std::size_t words)
    : words_(words), message_(words), buffers_{Buffer(bytes()), Buffer(bytes())} {}

SharedMemoryLink::Offer SharedMemoryLink::offer() const {
  return {machine_name(), {buffers_[0].sent.address(), buffers_[1].sent.address()}};
}

bool SharedMemoryLink::open(const Offer& theirs) {
  if (!shares_memory_with(theirs.machine)) return false;
  for (const int i : {0, 1}) buffers_[i].theirs = MappedMemory(theirs.buffers[i], bytes());
  return buffers_[0].theirs.is_mapped() && buffers_[1].theirs.is_mapped();
}

void SharedMemoryLink::close() {
  for (Buffer& buffer : buffers_) buffer.theirs = MappedMemory();
  received_ = PinnedArray<std::uint32_t>(2 * words_);
}

void SharedMemoryLink::set_message_of_ranks(std::uint32_t buffer, Halo& halo, int side) {
  Buffer& b = buffers_[buffer];
  std::uint32_t* send = is_shared() ? &b.notices[0] : b.sent.data();
  std::uint32_t* receive = is_shared() ? &b.notices[1] : received_.data() + buffer * words_;
  halo.send[side] = reinterpret_cast<std::byte*>(send);
  halo.receive[side] = reinterpret_cast<std::byte*>(receive);
  halo.bytes[side] = is_shared() ? sizeof(std::uint32_t) : bytes();
}

void SharedMemoryLink::send(std::uint32_t buffer, cudaStream_t stream) {
  SharedMemory& sent = buffers_[buffer].sent;
  sent.wait();
  sent.pin();
  copy(sent.data(), message(), stream);
}

void SharedMemoryLink::receive(std::uint32_t buffer, cudaStream_t stream) {
  MappedMemory& theirs = buffers_[buffer].theirs;
  theirs.pin();
  copy(message(), is_shared() ? theirs.data() : received_.data() + buffer * words_, stream);
}

void SharedMemoryLink::copy(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) const {
  check(cudaMemcpyAsync(to, from, bytes(), cudaMemcpyDefault, stream), "message");
}

}  // namespace psflip::cuda
