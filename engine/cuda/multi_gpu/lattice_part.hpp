#pragma once
#include <algorithm>
#include <memory>
#include <utility>

#include "engine/cuda/device/check.hpp"
#include "engine/cuda/lattice/lattices.hpp"
#include "engine/cuda/multi_gpu/halo_exchange.hpp"

namespace psflip::cuda {

/// The GPU that was current when the engine was created. The current device is a property of the calling thread.
class OwnDevice {
 public:
  OwnDevice() { check(cudaGetDevice(&device_), "device"); }
  void use() const { check(cudaSetDevice(device_), "device"); }

 private:
  int device_ = 0;
};

/// Half sweeps of steps that an engine collects to start them in one launch.
class CollectedSteps {
 public:
  struct HalfSweeps {
    std::uint64_t first;
    std::uint32_t count;
  };

  void add(std::uint64_t half_sweep) {
    next_ = half_sweep + 1;
    ++count_;
  }
  /// Removes the first ones, at most `most`.
  HalfSweeps take(std::uint32_t most = ~0u) {
    const HalfSweeps taken{next_ - count_, std::min(count_, most)};
    count_ -= taken.count;
    return taken;
  }

 private:
  std::uint64_t next_ = 0;  ///< after those of all steps
  std::uint32_t count_ = 0;
};

/// Base class of engines that hold some planes or rows. `Kind` of Lattices.
template <class Kind>
class LatticePart : public PartEngine {
 public:
  std::size_t batches() const override { return 1; }

  std::optional<int> connect(const Neighbours& neighbours) override {
    device_.use();
    return exchange_.connect(neighbours);
  }

  Observation observe() const override {
    Reading reading;
    finished().start_reading();
    lattices_->finish_reading(0, reading);
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

 protected:
  /// `numbers` of a side in SlabNeighbours.
  explicit LatticePart(std::unique_ptr<Kind> lattices, std::uint32_t numbers = 1)
      : lattices_(std::move(lattices)), exchange_(lattices_->memory().in_message(), numbers) {}

  /// Waits for all work on the streams.
  virtual void wait_for_streams() const = 0;

  OwnDevice device_;
  std::unique_ptr<Kind> lattices_;
  HaloExchange exchange_;

 private:
  Kind& finished() const {
    device_.use();
    wait_for_streams();
    return *lattices_;
  }
};

}  // namespace psflip::cuda
