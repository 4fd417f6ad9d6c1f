#include <utility>

#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/multi_gpu/halo_exchange.hpp"

namespace psflip::cuda {

namespace {

/// The GPU that was current when the engine was created. The current device is a property of the calling thread.
class OwnDevice {
 public:
  OwnDevice() { check(cudaGetDevice(&device_), "device"); }
  void use() const { check(cudaSetDevice(device_), "device"); }

 private:
  int device_ = 0;
};

/// The boundary of half sweep h is updated at the same time as the interior of h, on a stream of its own. Both need the
/// boundary and the interior of h - 1, but the interior needs no ghost: its update continues while planes are sent
/// between GPUs.
class PlaneEngine final : public PartEngine {
 public:
  explicit PlaneEngine(std::unique_ptr<Lattices> lattices)
      : lattices_(std::move(lattices)),
        boundary_stream_(true),
        interior_stream_(false),
        exchange_(lattices_->memory().in_message()) {
    check(cudaDeviceSynchronize(), "start");
  }

  std::size_t batches() const override { return 1; }

  std::optional<int> connect(const Neighbours& neighbours) override {
    device_.use();
    return exchange_.connect(neighbours);
  }

  Halo halo(std::size_t, std::uint64_t h) override { return exchange_.halo(static_cast<std::uint32_t>(h & 1u)); }

  void update_outer(std::size_t, std::uint64_t h) override {
    device_.use();
    interior_done_.hold(boundary_stream_);
    boundary_done_.hold(interior_stream_);
    lattices_->update_boundary(h, boundary_stream_);
    boundary_done_.set(boundary_stream_);
    exchange_.start(lattices_->memory(), static_cast<std::uint32_t>(h & 1u), boundary_stream_);
    lattices_->update_interior(h, interior_stream_);
    interior_done_.set(interior_stream_);
    exchange_.wait();
  }

  /// The GPU has been updating the interior since update_outer(); this process only handles messages.
  void update_inner(std::size_t, std::uint64_t, const std::function<void()>& poll) override { poll(); }

  void finish(std::size_t, std::uint64_t h) override {
    device_.use();
    exchange_.accept(lattices_->memory(), static_cast<std::uint32_t>(h & 1u), boundary_stream_);
  }

  Observation observe() const override {
    Reading reading;
    finished().start_reading();
    lattices_->finish_reading(reading);
    return reading.moment;
  }
  PackedSigns packed_spins(std::size_t slot) const override { return finished().packed_spins(slot); }
  PackedSigns packed_couplings() const override { return finished().packed_couplings(); }
  PackedSigns packed_fields() const override { return finished().packed_fields(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override {
    finished().restore_spins(slot, spins);
    check(cudaDeviceSynchronize(), "restore");
  }
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override {
    finished().restore_disorder(couplings, fields);
    check(cudaDeviceSynchronize(), "restore");
  }

 private:
  /// The lattices after all work on the streams has finished.
  Lattices& finished() const {
    device_.use();
    interior_stream_.wait();
    boundary_stream_.wait();
    return *lattices_;
  }

  OwnDevice device_;
  std::unique_ptr<Lattices> lattices_;
  CudaStream boundary_stream_, interior_stream_;
  CudaEvent boundary_done_, interior_done_;
  HaloExchange exchange_;
};

}  // namespace

std::unique_ptr<PartEngine> make_plane_engine(std::unique_ptr<Lattices> lattices) {
  return std::make_unique<PlaneEngine>(std::move(lattices));
}

}  // namespace psflip::cuda
