#pragma once
#include "engine/core/fourier.hpp"
#include "engine/cuda/measure/site_rows.cuh"
#include "engine/cuda/sweep/half_sweep/site_kernel.cuh"
#include "engine/cuda/sweep/persistent/site_kernel.cuh"
#include "engine/cuda/sweep/persistent/small_square_kernel.cuh"

/// ising2d with packed sites on the GPU: a few large lattices or many small ones.
namespace psflip::cuda {

class SitePacked final : public Engine {
 public:
  explicit SitePacked(const System& system);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  Observation observe() const override;
  PackedSigns packed_spins() const override;
  void restore(std::uint64_t half_sweeps, const PackedSigns& spins) override;
  std::vector<std::int8_t> couplings() const override { return {}; }

 private:
  SiteLayout with_rows(std::uint32_t rows) const { return {layout_.L, rows, layout_.first_sample}; }
  bool use_persistent_kernel() const;
  SiteLayout persistent_layout() const;
  SiteLayout half_sweep_layout() const;
  SiteLayout counting_layout() const;
  template <int LEADING>
  void launch(std::uint64_t count);
  template <class Decision>
  void launch_persistent(const Decision& decide, std::uint64_t count);
  template <class Square, class Decision>
  void launch_small(const Decision& decide, std::uint64_t count);
  template <class Decision>
  void launch_any_size(const Decision& decide, std::uint64_t count);
  template <class Decision>
  void launch_half_sweeps(const Decision& decide, std::uint64_t count);

  System system_;
  SiteLayout layout_;  ///< `rows` as used by the updates
  Thresholds thresholds_;
  std::uint32_t samples_, multiprocessors_;
  bool persistent_;  ///< use the persistent kernel
  std::uint64_t half_sweeps_ = 0;
  DeviceArray<std::uint32_t> spins_;
  SiteFourier fourier_;
  mutable DeviceArray<SiteSums> sums_;  ///< of a measurement
  PinnedArray<SiteSums> sums_on_host_;
};

}  // namespace psflip::cuda
