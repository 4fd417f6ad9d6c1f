#pragma once
#include <memory>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/lattice/lattices.hpp"
#include "engine/cuda/measure/sample_rows.hpp"
#include "engine/cuda/tempering/arrays.hpp"
#include "engine/driver/part_engine.hpp"
#include "engine/models/tables.hpp"

/// Exchange Monte Carlo on the GPU.
namespace psflip::cuda {

/// Order of the words of a slot: sets of parities, or parities of sets.
enum class SlotOrder { set_parity, parity_set };

/// Some slots of a System in the memory of one GPU, and the steps of a round. On each side there is a copy of the
/// neighbouring slot, which another rank holds, for exchanges; at the ends of the temperature grid there is none. Slots
/// are numbered as in the grid.
class Tempering : public Configurations {
 public:
  const Slots& own() const { return own_; }

  /// Steps of a round: begin_round(), then sweep() once for each own slot, in any stream, then finish_round(). sweep()
  /// returns whether the stream waits for other streams at the end; `waits`: whether that of finish_round() does.
  void begin_round(cudaStream_t stream) { counts_.clear(stream); }
  virtual bool sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream) = 0;
  void finish_round(std::uint64_t round, bool waits, cudaStream_t stream);

  /// Messages of one slot, own or a copy, in memory that the GPU can access.
  std::size_t message_words() const { return std::size_t{shape_.packs} * words().words(); }
  void write_message(std::size_t slot, std::uint32_t* message, cudaStream_t stream);
  void read_message(std::size_t slot, const std::uint32_t* message, cudaStream_t stream);

  void start_rounds(std::uint64_t first, std::uint64_t count) override;
  /// Reads the sums and clears them.
  void start_reading() override;
  void finish_reading(std::uint64_t, Reading& reading) override { reading.sums = read_; }
  /// Of the own slots, as in PartEngine.
  Sums sums() const override;
  void clear_sums() override;
  PackedSigns packed_spins(std::size_t slot) const override;
  std::vector<FlowLabel> flow_labels() const override;
  PackedSigns packed_couplings() const override;
  PackedSigns packed_fields() const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override;
  void restore(const std::vector<FlowLabel>& labels, const Sums& sums) override;

 protected:
  Tempering(const System& system, const Slots& own, SlotOrder order);

  /// Allocates the counts with the integers of the energies, `per_slot` of a pack and slot.
  void allocate_counts(std::size_t per_pack, std::size_t per_slot) {
    counts_ = DeviceArray<int>(per_pack * shape_.packs);
    counts_of_slot_ = per_slot;
  }
  /// The slots `first` to `last` in memory, which are the own ones, after the decisions about exchanges: exchanges
  /// their spins and, if the round is measured, adds to their sums. `odd`: parity of the colder slots of pairs.
  virtual void finish(std::uint32_t first, std::uint32_t last, std::uint32_t odd, bool measured,
                      cudaStream_t stream) = 0;

  /// Index in memory of a slot of the grid.
  std::uint32_t slot_index(std::size_t slot) const { return static_cast<std::uint32_t>(slot) - shape_.first_slot; }
  TemperingArrays arrays() const;
  virtual EnergyCounts energies() const = 0;

  System system_;
  Slots own_;
  SumLists lists_;
  Slots own_links_;  ///< places of own slots in SumLists::link_slots
  DeviceArray<std::uint64_t> pack_numbers_;
  TemperingShape shape_;
  ExchangeTable exchange_;
  mutable DeviceArray<std::uint32_t> spins_;
  mutable DeviceArray<int> counts_;

 private:
  void allocate();
  void start_disorder();
  void start_labels();
  SlotWords words() const;

  /// Location of the configurations of all samples, `fields` of each.
  SampleWords where(std::size_t fields, std::size_t per_pack, std::size_t per_field, std::size_t per_parity) const;
  SampleWords where_spins() const;
  SampleWords where_couplings() const;
  SampleWords where_fields() const;
  /// Number of a sample among the lanes of all packs.
  std::size_t lane_of(std::size_t sample) const { return system_.first_lane() + sample; }
  /// Sums with the sizes of the arrays on the device.
  Sums device_sums() const;
  /// Calls copy(on the device, in `sums`) for every number of the sums.
  template <class Device, class Sums, class Copy>
  void for_each_sum(Device& device, Sums& sums, Copy copy) const;
  /// Calls f(word of labels, lane of a sample in it) in the order of flow_labels().
  template <class F>
  void for_each_label(F f) const;

  std::size_t counts_of_slot_ = 0;
  mutable DeviceArray<std::uint32_t> couplings_, fields_, masks_, from_cold_, from_hot_;
  mutable DeviceArray<int> accepted_, round_trips_, overlap_counts_, flow_cold_, flow_hot_;
  mutable DeviceArray<unsigned long long> overlap_link_sums_;
  DeviceArray<int> cosine_, sine_, link_places_;
  DeviceArray<ExchangeWeights> weights_;
  mutable DeviceArray<double> set_sums_, pair_sums_;
  Sums read_;  ///< by start_reading()
};

/// The kernels of two sets of a random field on a cubic lattice, or those of any preset.
std::unique_ptr<Tempering> make_field_cube_tempering(const System& system, const Slots& own);
std::unique_ptr<Tempering> make_member_tempering(const System& system, const Slots& own);
std::unique_ptr<Tempering> make_tempering(const System& system, const Slots& own);

/// Bytes that make_tempering() allocates on the GPU, at most; copies of other ranks' slots are counted too.
double bytes_of_tempering(const System& system, const Slots& own);
/// Bytes of Tempering::message_words(), at most.
double bytes_of_message(const System& system);

}  // namespace psflip::cuda
