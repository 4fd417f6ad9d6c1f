#pragma once
#include <utility>

#include "engine/cuda/device/streams.cuh"
#include "engine/cuda/multi_gpu/halo_exchange.cuh"
#include "engine/driver/domain_engine.hpp"

namespace psflip::cuda {

/// The GPU that was current when the engine was created. The current device is a property of the calling thread.
class OwnDevice {
 public:
  OwnDevice() { check(cudaGetDevice(&device_), "device"); }
  void use() const { check(cudaSetDevice(device_), "device"); }

 private:
  int device_ = 0;
};

/// Some planes of a System on a GPU, held by Lattices: SampleSlab or SiteSlab. All packs form one batch: the interior
/// is one launch, and each side gets one message.
///
/// The boundary of half sweep h is updated at the same time as the interior of h, on a stream of its own. Both need the
/// boundary and the interior of h - 1, but the interior needs no ghost: its update continues while planes are sent
/// between GPUs.
template <class Lattices>
class SlabEngine final : public DomainEngine {
 public:
  SlabEngine(const System& system, const Planes& planes)
      : lattices_(system, planes),
        boundary_stream_(true),
        interior_stream_(false),
        exchange_(lattices_.memory().in_message()) {
    check(cudaDeviceSynchronize(), "start");
  }

  std::size_t parts() const override { return 1; }

  std::optional<int> connect(const Neighbours& neighbours) override {
    device_.use();
    return exchange_.connect(neighbours);
  }

  Halo halo(std::size_t, std::uint32_t parity) override { return exchange_.halo(parity); }

  void update_boundary(std::size_t, std::uint64_t h) override {
    device_.use();
    interior_done_.hold(boundary_stream_);
    boundary_done_.hold(interior_stream_);
    lattices_.update_boundary(h, boundary_stream_);
    boundary_done_.set(boundary_stream_);
    exchange_.start(lattices_.memory(), static_cast<std::uint32_t>(h & 1u), boundary_stream_);
    lattices_.update_interior(h, interior_stream_);
    interior_done_.set(interior_stream_);
    exchange_.wait();
  }

  /// The GPU has been updating the interior since update_boundary(); this process only handles messages.
  void update_interior(std::size_t, std::uint64_t, const std::function<void()>& poll) override { poll(); }

  void accept_halo(std::size_t, std::uint64_t h) override {
    device_.use();
    exchange_.accept(lattices_.memory(), static_cast<std::uint32_t>(h & 1u), boundary_stream_);
  }

  DomainObservation observe() const override { return finished().observe(); }
  PackedSigns packed_spins() const override { return finished().packed_spins(); }
  PackedSigns packed_couplings() const override { return finished().packed_couplings(); }
  void restore(const PackedSigns& spins) override {
    finished();
    lattices_.restore(spins);
    check(cudaDeviceSynchronize(), "restore");
  }

 private:
  /// The lattices after all work on the streams has finished.
  const Lattices& finished() const {
    device_.use();
    interior_stream_.wait();
    boundary_stream_.wait();
    return lattices_;
  }

  OwnDevice device_;
  Lattices lattices_;
  CudaStream boundary_stream_, interior_stream_;
  CudaEvent boundary_done_, interior_done_;
  HaloExchange exchange_;
};

}  // namespace psflip::cuda
