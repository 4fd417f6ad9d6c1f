#pragma once
#include <array>
#include <vector>

#include "engine/core/lattice.hpp"
#include "engine/cpu/field_decision.hpp"
#include "engine/cpu/field_measurement.hpp"
#include "engine/cpu/sample_rows.hpp"
#include "engine/driver/tempering_part.hpp"
#include "engine/driver/tempering_tables.hpp"

/// Exchange Monte Carlo of the random-field Ising model: many samples of one lattice, one bit each. Of the temperature
/// slots some or all; WholeTempering and PartTempering make a door of it.
namespace psflip::cpu {

/// The samples of one word. A *unit* is one configuration of all of them: of slot number `slot` in memory and set `set`
/// it is number slot * 2 + set.
template <class W>
struct TemperingSlab {
  std::uint64_t first_pack;
  std::array<std::uint32_t, W::packs> packs;                 ///< [chunk], lower halves of the numbers of the packs
  int first_lane, end_lane;                                  ///< of the samples of the job
  std::size_t first_sample;                                  ///< in the job, of lane first_lane
  std::vector<W> fields;                                     ///< [parity][site], sites by compact index
  std::vector<std::vector<W>> spins;                         ///< [unit][parity][site]
  std::vector<W> from_cold, from_hot;                        ///< [unit], flow labels of the configurations
  std::vector<std::vector<std::int32_t>> bonds, field_sums;  ///< [unit][lane], of the present configurations
  std::vector<std::vector<double>> set_sums;                 ///< [unit][SetSum * bits + lane]
  std::vector<std::vector<double>> pair_sums;                ///< [slot in memory][PairSum * bits + lane]
  std::vector<std::vector<std::int32_t>> accepted;           ///< [unit of the colder slot][lane]
  std::vector<std::int32_t> round_trips;                     ///< [set * bits + lane]
};

/// Memory of the measurements of one thread.
template <class W>
struct TemperingMemory {
  CounterBank<W> energies, overlap;  ///< unsatisfied bonds and spins against their field; sites where the sets differ
  FieldMeasurement<W, 3> fields[tempering_sets];  ///< the spins of each set
  std::vector<W> words;
  std::vector<std::int32_t> minus;  ///< [set 0, set 1, overlap][lane]

  TemperingMemory(const Lattice<3>& lattice, const FourierTable& table)
      : energies(2, std::bit_width(6 * lattice.sites_per_parity())),
        overlap(1, std::bit_width(2 * lattice.sites_per_parity())),
        fields{{lattice, 1, table}, {lattice, 1, table}},
        words(std::size_t{3} * lattice.L),
        minus((tempering_sets + 1) * W::bits) {}
};

/// Some slots have in memory a neighbour on either side, a copy of the slot that another process holds, for the
/// exchanges between them: [ghost][slots][ghost]. At the ends of the grid there is none.
template <class W>
class Tempering {
 public:
  using Word = W;
  using Slab = TemperingSlab<W>;
  using Memory = TemperingMemory<W>;
  static constexpr std::size_t sets = tempering_sets;

  Tempering(const TemperingSystem& system, const Slots& own, int threads);

  std::size_t parts() const { return slabs_.size(); }
  const Slots& own() const { return own_; }
  std::uint32_t half_row() const { return lattice_.half(); }
  Memory make_memory() const { return Memory(lattice_, table_); }

  /// Calls f.template operator()<Scheme>() with the scheme of the decisions.
  template <class F>
  void with_scheme(F f) const {
    with_field_scheme(thresholds_, f);
  }

  /// The sweeps of a round of one configuration, and its energies.
  template <class Scheme>
  void sweep(std::size_t part, std::size_t slot, std::size_t set, std::uint64_t round,
             ResidualQueue<W, Scheme::bits>& queue, Memory& memory);
  /// Groups of slots that a round exchanges: pairs, or one slot at an end. Those with own slots.
  Slots groups_of(std::uint64_t round) const;
  /// The exchange of a group and, if it is time, its measurements, as far as they concern own slots.
  void finish_group(std::size_t part, std::size_t group, std::uint64_t round, Memory& memory);

  /// What another process needs of a slot to exchange with it.
  std::size_t message_bytes() const;
  void pack(std::size_t part, std::size_t slot, std::byte* message) const;
  void unpack(std::size_t part, std::size_t slot, const std::byte* message);

  TemperingSums sums() const;
  void clear_sums();
  PackedSigns packed_spins(std::size_t slot) const;
  std::vector<FlowLabel> flow_labels() const;
  PackedSigns packed_fields() const;
  void restore_spins(std::size_t slot, const PackedSigns& spins);
  void restore(const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums);

 private:
  std::size_t unit(std::size_t slot, std::size_t set) const { return (slot - stored_.first) * sets + set; }
  bool is_own(std::size_t slot) const { return slot >= own_.first && slot < own_.first + own_.count; }

  void divide_samples();
  void start(Slab& slab) const;
  PackNumbers<W> numbers(const Slab& slab, Stream stream, std::uint32_t half_sweep, std::size_t slot) const {
    return {tempering_key(system_, stream), half_sweep, W::load(slab.packs.data()), slab.first_pack,
            static_cast<std::uint32_t>(slot)};
  }
  void clear_sums(Slab& slab) const;
  template <class Scheme, class Resolve>
  void half_sweep(Slab& slab, std::size_t u, std::uint32_t h, FieldDecision<W, Scheme> decide, Resolve resolve) const;
  void sum_energies(Slab& slab, std::size_t u, Memory& memory) const;
  void exchange_pair(Slab& slab, std::size_t k, std::uint64_t round) const;
  W accepted_lanes(Slab& slab, std::size_t k, std::size_t set, const std::uint32_t* numbers) const;
  void turn_hottest(Slab& slab) const;
  void count_round_trips(Slab& slab) const;
  void measure_fields(const Slab& slab, std::size_t slot, Memory& memory) const;
  void measure_slot(Slab& slab, std::size_t slot, Memory& memory) const;

  /// Calls f(slab, lane, sample) for every simulated sample that belongs to the job.
  template <class F>
  void for_each_sample(F f) const;
  /// The rows of the samples of a slab, from `first` of the job's first sample on, `stride` words apart.
  template <class Bits>
  LaneRows<Bits> sample_rows(const Slab& slab, Bits* first, std::size_t stride) const;
  Checkerboard board() const;
  template <class Slabs, class Sums, class Copy>
  void for_each_sum(Slabs& slabs, Sums& sums, Copy copy) const;

  TemperingSystem system_;
  Slots own_, stored_;
  Lattice<3> lattice_;
  int threads_;
  std::vector<FieldThresholds> thresholds_;  ///< of each slot
  ExchangeTable exchange_;
  FourierTable table_;
  std::vector<Slab> slabs_;
};

}  // namespace psflip::cpu

#include "engine/cpu/tempering_measure.ipp"
#include "engine/cpu/tempering_message.ipp"
#include "engine/cpu/tempering_state.ipp"
#include "engine/cpu/tempering_update.ipp"
