#include "engine/cuda/multi_gpu/host_link.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

#include "engine/cuda/multi_gpu/machine.hpp"

namespace psflip::cuda {

HostLink::HostLink(std::size_t words)
    : words_(words),
      message_(words),
      buffers_{Buffer(sizeof(std::uint32_t) * words), Buffer(sizeof(std::uint32_t) * words)} {
  for (Buffer& buffer : buffers_) {
    buffer.sent = MappedFile(buffer.file.address(), buffer.file.bytes());
    if (!buffer.sent.is_mapped()) throw std::runtime_error("memory for messages between ranks cannot be mapped");
  }
}

HostLink::Offer HostLink::offer() const {
  Offer o{};
  const std::string machine = machine_identity();
  std::strncpy(o.machine, machine.c_str(), sizeof o.machine - 1);
  for (const int i : {0, 1}) o.files[i] = buffers_[i].file.address();
  o.is_open = !machine.empty() && !only_through_ranks();
  return o;
}

bool HostLink::open(const Offer& theirs) {
  if (!theirs.is_open || only_through_ranks() || machine_identity() != theirs.machine) return false;
  for (const int i : {0, 1}) buffers_[i].theirs = MappedFile(theirs.files[i], buffers_[i].file.bytes());
  return buffers_[0].theirs.is_mapped() && buffers_[1].theirs.is_mapped();
}

void HostLink::close() {
  for (Buffer& buffer : buffers_) buffer.theirs = MappedFile();
  received_ = PinnedArray<std::uint32_t>(2 * words_);
}

HostLink::Notice HostLink::notice(std::uint32_t buffer) {
  Buffer& b = buffers_[buffer];
  const std::uint32_t* send = is_shared() ? &b.notices[0] : b.sent.data();
  std::uint32_t* receive = is_shared() ? &b.notices[1] : received_.data() + buffer * words_;
  return {reinterpret_cast<const std::byte*>(send), reinterpret_cast<std::byte*>(receive),
          sizeof(std::uint32_t) * (is_shared() ? 1 : words_)};
}

void HostLink::send(std::uint32_t buffer, cudaStream_t stream) {
  Buffer& b = buffers_[buffer];
  b.file.wait();
  b.sent.pin();
  copy(b.sent.data(), message(), stream);
}

void HostLink::receive(std::uint32_t buffer, cudaStream_t stream) {
  MappedFile& theirs = buffers_[buffer].theirs;
  theirs.pin();
  copy(message(), is_shared() ? theirs.data() : received_.data() + buffer * words_, stream);
}

void HostLink::copy(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) const {
  check(cudaMemcpyAsync(to, from, sizeof(std::uint32_t) * words_, cudaMemcpyDefault, stream), "message");
}

}  // namespace psflip::cuda
