#pragma once
#include <algorithm>
#include <memory>

#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/device/streams.cuh"
#include "engine/cuda/measure/observer.cuh"
#include "engine/cuda/measure/sample_rows.cuh"
#include "engine/cuda/sweep/half_sweep/half_sweep_kernel.cuh"
#include "engine/cuda/update/start_samples.cuh"
#include "engine/driver/tables.hpp"

/// Many samples of one lattice on the GPU: ea3d (D = 3) and ising2d (D = 2).
namespace psflip::cuda {

template <int D>
class SamplePacked final : public Engine {
 public:
  explicit SamplePacked(const System& system);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  double advance_during(std::uint64_t count, const std::function<void()>& host_work) override;
  Observation observe() const override;
  void start_observing() override;
  const Observation& observed() override;
  PackedSigns packed_spins() const override;
  void restore(std::uint64_t half_sweeps, const PackedSigns& spins) override;
  std::vector<std::int8_t> couplings() const override;

 private:
  dim3 site_grid() const { return {blocks_for(layout_.sites, 256), packs_}; }
  void start_advancing(std::uint64_t count);
  template <int G>
  void advance_group(std::uint32_t first_replica, std::uint64_t count);
  template <class Decision>
  void launch(const Decision& decide, std::uint32_t first_replica, std::uint64_t count);
  SampleWords where(std::size_t fields) const;

  System system_;
  Layout layout_;
  std::uint32_t packs_;
  Thresholds thresholds_;
  std::uint64_t half_sweeps_ = 0;
  DeviceArray<std::uint32_t> spins_, scratch_, couplings_, progress_;
  bool spins_in_scratch_ = false;  ///< between the groups of one advance()
  DeviceArray<std::uint64_t> sublattice_packets_;
  DeviceArray<uint4> row_block_packets_;
  DeviceArray<uint4> queue_;
  std::unique_ptr<Observer<D>> observer_;
  DomainObservation observed_;
  TimedEvent sweeps_begin_, sweeps_end_;  ///< of advance_during()
};

}  // namespace psflip::cuda
