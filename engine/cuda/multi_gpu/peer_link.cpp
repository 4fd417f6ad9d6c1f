#include "engine/cuda/multi_gpu/peer_link.hpp"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>

#include "engine/cuda/multi_gpu/machine.hpp"

namespace psflip::cuda {

namespace {

/// Bus address of a GPU. Device numbers of two processes may name the same GPU in different ways.
std::string gpu_identity(int device) {
  char address[32] = {};
  check(cudaDeviceGetPCIBusId(address, sizeof address, device), "device");
  return address;
}

/// Whether a call has succeeded. A failure is cleared, since host memory is the alternative.
bool succeeded(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return error == cudaSuccess;
}

}  // namespace

struct PeerLink::Offer {
  MachineName machine;
  std::int64_t process;
  std::int32_t device;        ///< device number in that process
  std::int32_t is_open;       ///< other processes may write into it
  cudaIpcMemHandle_t handle;  ///< for other processes
  std::uint32_t* buffer;      ///< for ranks that are threads of the same process
};

PeerLink::PeerLink(std::size_t words, std::size_t numbers)
    : words_(words), numbers_(numbers), buffers_(4 * words + 2 * numbers), notices_(8) {
  std::fill_n(notices_.data(), notices_.size(), 0u);
}

PeerLink::~PeerLink() {
  for (Path& path : paths_) close(path);
}

std::uint64_t PeerLink::gpu() {
  int device = 0;
  check(cudaGetDevice(&device), "device");
  return std::hash<std::string>()(machine_name().text + gpu_identity(device));
}

PeerLink::Offer PeerLink::offer() const {
  Offer o{};
  o.machine = machine_name();
  o.process = getpid();
  check(cudaGetDevice(&o.device), "device");
  o.buffer = buffers_.data();
  o.is_open = shares_memory_with(o.machine) && succeeded(cudaIpcGetMemHandle(&o.handle, buffers_.data()));
  return o;
}

/// Maps the neighbour's IPC buffer into the memory of this process, if possible.
PeerLink::Path PeerLink::open(const Offer& theirs) {
  int device = 0;
  check(cudaGetDevice(&device), "device");
  if (!theirs.is_open || !shares_memory_with(theirs.machine)) return {};
  if (theirs.process != getpid()) {
    void* mapped = nullptr;
    if (!succeeded(cudaIpcOpenMemHandle(&mapped, theirs.handle, cudaIpcMemLazyEnablePeerAccess))) return {};
    return {static_cast<std::uint32_t*>(mapped), true};
  }
  int possible = theirs.device == device;
  if (!possible) {
    check(cudaDeviceCanAccessPeer(&possible, device, theirs.device), "access to another GPU");
    const cudaError_t enabled = possible ? cudaDeviceEnablePeerAccess(theirs.device, 0) : cudaSuccess;
    if (!succeeded(enabled) && enabled != cudaErrorPeerAccessAlreadyEnabled) return {};
  }
  return {possible ? theirs.buffer : nullptr, false};
}

void PeerLink::close(Path& path) {
  if (path.imported) cudaIpcCloseMemHandle(path.buffer);
  path = {};
}

int PeerLink::connect(const Neighbours& neighbours) {
  check(cudaMemset(numbers(), 0, 2 * numbers_ * sizeof(std::uint32_t)), "numbers of messages");
  check(cudaDeviceSynchronize(), "numbers of messages");  // before a neighbour can write there
  const Offer mine[2] = {offer(), offer()};
  Offer theirs[2];
  neighbours.exchange(mine, theirs);
  std::int32_t opened[2], opened_there[2];
  for (const int side : {0, 1}) {
    paths_[side] = open(theirs[side]);
    opened[side] = paths_[side].buffer != nullptr;
  }
  neighbours.exchange(opened, opened_there);
  for (const int side : {0, 1})
    if (!opened_there[side]) close(paths_[side]);
  if (!is_direct(0) || !is_direct(1)) {
    sent_ = PinnedArray<std::uint32_t>(2 * words_);
    received_ = PinnedArray<std::uint32_t>(4 * words_);
  }
  return is_direct(0) + is_direct(1);
}

Halo PeerLink::messages(std::uint32_t buffer) const {
  Halo halo{};
  for (const int side : {0, 1}) {
    std::uint32_t* notice = notices_.data() + 4 * buffer + side;
    std::uint32_t* from = is_direct(side) ? notice : sent_.data() + offset(0, side);
    std::uint32_t* to = is_direct(side) ? notice + 2 : received_.data() + offset(buffer, side);
    halo.send[side] = reinterpret_cast<std::byte*>(from);
    halo.receive[side] = reinterpret_cast<std::byte*>(to);
    halo.bytes[side] = 4 * (is_direct(side) ? 1 : words_);
  }
  return halo;
}

/// A message to the smaller side arrives from the larger side there.
std::uint32_t* PeerLink::out(std::uint32_t buffer, int side) const {
  return is_direct(side) ? paths_[side].buffer + offset(buffer, 1 - side) : sent_.data() + offset(0, side);
}

DirectSides PeerLink::direct(std::uint32_t buffer) const {
  DirectSides sides{};
  for (const int side : {0, 1}) {
    sides.message[side] = out(buffer, side);
    sides.number[side] = paths_[side].buffer + 4 * words_ + static_cast<std::size_t>(1 - side) * numbers_;
  }
  return sides;
}

const std::uint32_t* PeerLink::in(std::uint32_t buffer, int side) const {
  return is_direct(side) ? buffers_.data() + offset(buffer, side) : received_.data() + offset(buffer, side);
}

}  // namespace psflip::cuda
