#pragma once
#include "engine/cuda/device.cuh"
#include "engine/cuda/sample_rows.cuh"
#include "engine/cuda/tempering_shape.hpp"
#include "engine/driver/tempering_engine.hpp"
#include "engine/driver/tempering_tables.hpp"

/// Exchange Monte Carlo of the random-field Ising model on the GPU.
namespace psflip::cuda {

class Tempering final : public TemperingEngine {
 public:
  explicit Tempering(const TemperingSystem& system);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  TemperingSums sums() const override;
  void clear_sums() override;
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<Journey> journeys() const override;
  std::vector<std::int8_t> fields() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore(std::uint64_t rounds, const std::vector<Journey>& journeys, const TemperingSums& sums) override;

 private:
  void allocate();
  void start();
  void run_round(std::uint32_t round);

  /// Configurations of all samples, `fields` of each, that begin side by side in every pack.
  SampleWords where(std::size_t fields, std::size_t per_pack) const;
  /// Number of a sample among the lanes of all packs.
  std::size_t lane_of(std::size_t sample) const { return system_.first_sample % 32 + sample; }
  /// Calls copy(on the device, in `sums`) for every number of the sums.
  template <class Device, class Sums, class Copy>
  void for_each_sum(Device& device, Sums& sums, Copy copy) const;

  TemperingSystem system_;
  TemperingShape shape_;
  std::vector<FieldThresholds> thresholds_;
  ExchangeTable exchange_;
  std::uint64_t rounds_ = 0;
  DeviceArray<std::uint32_t> spins_, fields_, masks_, from_cold_, from_hot_;
  DeviceArray<int> counts_, accepted_, round_trips_, cosine_, sine_;
  DeviceArray<ExchangeWeights> weights_;
  DeviceArray<double> set_sums_, pair_sums_;
};

}  // namespace psflip::cuda
