#pragma once
#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/measure/sample_rows.cuh"
#include "engine/cuda/tempering/message.cuh"
#include "engine/cuda/tempering/shape.hpp"
#include "engine/driver/tempering_part.hpp"
#include "engine/driver/tempering_tables.hpp"

/// Exchange Monte Carlo of the random-field Ising model on the GPU.
namespace psflip::cuda {

/// Some slots of a TemperingSystem in the memory of one GPU, and the steps of a round. On each side there is a copy of
/// the neighbouring slot, which another rank holds, for exchanges; at the ends of the temperature grid there is none.
/// Slots are numbered as in the grid.
class Tempering {
 public:
  Tempering(const TemperingSystem& system, const Slots& own);

  const TemperingSystem& system() const { return system_; }
  const Slots& own() const { return own_; }

  /// Steps of a round: begin_round(), then sweep() once for each own slot, in any stream, then finish_round().
  void begin_round(cudaStream_t stream);
  void sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream);
  void finish_round(std::uint64_t round, cudaStream_t stream);

  /// Messages of one slot, own or a copy, in memory that the GPU can access.
  std::size_t message_words() const { return std::size_t{shape_.packs} * words_.words(); }
  void write_message(std::size_t slot, std::uint32_t* message, cudaStream_t stream);
  void read_message(std::size_t slot, const std::uint32_t* message, cudaStream_t stream);

  /// As in TemperingPart.
  TemperingSums sums() const;
  void clear_sums();
  PackedSigns packed_spins(std::size_t slot) const;
  std::vector<FlowLabel> flow_labels() const;
  std::vector<std::int8_t> fields() const;
  void restore_spins(std::size_t slot, const PackedSigns& spins);
  void restore(const std::vector<FlowLabel>& labels, const TemperingSums& sums);

 private:
  void allocate();
  void start();
  void count(const Slots& slots, bool measured, cudaStream_t stream);

  /// Index in memory of a slot of the grid.
  std::uint32_t slot_index(std::size_t slot) const { return static_cast<std::uint32_t>(slot) - shape_.first_slot; }
  /// Location of the configurations of all samples, `fields` of each, which are consecutive in every pack.
  SampleWords where(std::size_t fields, std::size_t per_pack) const;
  /// Number of a sample among the lanes of all packs.
  std::size_t lane_of(std::size_t sample) const { return system_.first_lane() + sample; }
  /// Calls copy(on the device, in `sums`) for every number of the sums.
  template <class Device, class Sums, class Copy>
  void for_each_sum(Device& device, Sums& sums, Copy copy) const;
  /// Calls f(word of labels, lane of a sample in it) in the order of flow_labels().
  template <class F>
  void for_each_label(F f) const;

  TemperingSystem system_;
  Slots own_;
  DeviceArray<std::uint64_t> pack_numbers_;
  TemperingShape shape_;
  std::vector<FieldThresholds> thresholds_;  ///< of all slots of the grid
  ExchangeTable exchange_;
  DeviceArray<std::uint32_t> spins_, fields_, masks_, from_cold_, from_hot_;
  DeviceArray<int> counts_, accepted_, round_trips_, cosine_, sine_;
  DeviceArray<ExchangeWeights> weights_;
  DeviceArray<double> set_sums_, pair_sums_;
  SlotWords words_;
};

}  // namespace psflip::cuda
