#pragma once
#include "engine/cuda/device/array.hpp"
#include "engine/cuda/lattice/lattices.hpp"
#include "engine/cuda/measure/sample_rows.hpp"
#include "engine/cuda/tempering/arrays.hpp"
#include "engine/driver/part_engine.hpp"
#include "engine/models/tables.hpp"

/// Exchange Monte Carlo of the random-field Ising model on the GPU.
namespace psflip::cuda {

/// Some slots of a System in the memory of one GPU, and the steps of a round. On each side there is a copy of
/// the neighbouring slot, which another rank holds, for exchanges; at the ends of the temperature grid there is none.
/// Slots are numbered as in the grid.
class Tempering final : public Configurations {
 public:
  Tempering(const System& system, const Slots& own);

  const Slots& own() const { return own_; }

  /// Steps of a round: begin_round(), then sweep() once for each own slot, in any stream, then finish_round().
  void begin_round(cudaStream_t stream);
  void sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream);
  void finish_round(std::uint64_t round, cudaStream_t stream);

  /// Messages of one slot, own or a copy, in memory that the GPU can access.
  std::size_t message_words() const { return std::size_t{shape_.packs} * words().words(); }
  void write_message(std::size_t slot, std::uint32_t* message, cudaStream_t stream);
  void read_message(std::size_t slot, const std::uint32_t* message, cudaStream_t stream);

  void start_rounds(std::uint64_t first, std::uint64_t count) override;
  /// Reads the sums and clears them.
  void start_reading() override;
  void finish_reading(Reading& reading) override { reading.sums = read_; }
  /// Of the own slots, as in PartEngine.
  Sums sums() const override;
  void clear_sums() override;
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  PackedSigns packed_fields() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore(const std::vector<FlowLabel>& labels, const Sums& sums) override;

 private:
  void allocate();
  void start();
  SlotWords words() const {
    return {shape_, arrays_.spins, arrays_.counts, arrays_.labels.from_cold, arrays_.labels.from_hot};
  }

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

  System system_;
  Slots own_;
  DeviceArray<std::uint64_t> pack_numbers_;
  TemperingShape shape_;
  std::vector<FieldThresholds> thresholds_;  ///< of all slots of the grid
  ExchangeTable exchange_;
  DeviceArray<std::uint32_t> spins_, fields_, masks_, from_cold_, from_hot_;
  DeviceArray<int> counts_, accepted_, round_trips_, cosine_, sine_;
  DeviceArray<ExchangeWeights> weights_;
  DeviceArray<double> set_sums_, pair_sums_;
  TemperingArrays arrays_;
  Sums read_;  ///< by start_reading()
};

}  // namespace psflip::cuda
