#pragma once
#include <vector>

#include "engine/core/lattice.hpp"
#include "engine/cpu/field_decision.hpp"
#include "engine/cpu/field_measurement.hpp"
#include "engine/driver/tempering_engine.hpp"
#include "engine/driver/tempering_tables.hpp"

/// Exchange Monte Carlo of the random-field Ising model: many samples of one lattice, one bit each.
namespace psflip::cpu {

/// The samples of one word. A *unit* is one configuration of all of them: the slot and set number slot * 2 + set.
template <class W>
struct TemperingSlab {
  std::uint64_t first_pack;
  std::vector<W> fields;                                     ///< [parity][site], sites by compact index
  std::vector<std::vector<W>> spins;                         ///< [unit][parity][site]
  std::vector<W> from_cold, from_hot;                        ///< [unit], journeys of the configurations
  std::vector<std::vector<std::int32_t>> bonds, field_sums;  ///< [unit][lane], of the present configurations
  std::vector<std::vector<double>> set_sums;                 ///< [unit][SetSum * bits + lane]
  std::vector<std::vector<double>> pair_sums;                ///< [slot][PairSum * bits + lane]
  std::vector<std::vector<std::int32_t>> accepted;           ///< [2 * pair of slots + set][lane]
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

template <class W>
class Tempering final : public TemperingEngine {
 public:
  Tempering(const TemperingSystem& system, int threads);

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override;
  TemperingSums sums() const override;
  void clear_sums() override;
  std::vector<std::int8_t> spins(std::size_t slot) const override;
  std::vector<Journey> journeys() const override;
  std::vector<std::int8_t> fields() const override;
  void restore_spins(std::size_t slot, const std::vector<std::int8_t>& spins) override;
  void restore(std::uint64_t rounds, const std::vector<Journey>& journeys, const TemperingSums& sums) override;

 private:
  using Slab = TemperingSlab<W>;
  using Memory = TemperingMemory<W>;
  static constexpr std::size_t sets = tempering_sets;

  void start(Slab& slab) const;
  void clear_sums(Slab& slab) const;
  template <class Scheme>
  void run_rounds(std::uint64_t rounds);
  template <class Scheme>
  void run_round(Slab& slab, std::uint64_t round, ResidualQueue<W, Scheme::bits>& queue, Memory& memory) const;
  template <class Scheme>
  void share_round(std::uint64_t round, ResidualQueue<W, Scheme::bits>& queue, Memory& memory);
  template <class Scheme>
  void sweep_unit(Slab& slab, std::size_t unit, std::uint64_t round, ResidualQueue<W, Scheme::bits>& queue) const;
  template <class Scheme, class Resolve>
  void half_sweep(Slab& slab, std::size_t unit, std::uint32_t h, FieldDecision<W, Scheme> decide,
                  Resolve resolve) const;
  void sum_energies(Slab& slab, std::size_t unit, Memory& memory) const;
  void exchange_pair(Slab& slab, std::size_t k, std::uint64_t round) const;
  W accepted_lanes(Slab& slab, std::size_t k, std::size_t set, const std::uint32_t* numbers) const;
  /// Pairs of slots that a round exchanges and slots that it leaves alone.
  std::size_t groups_of(std::uint64_t round) const { return (system_.slots() + round % 2 + 1) / 2; }
  void finish_group(Slab& slab, std::size_t group, std::uint64_t round, Memory& memory) const;
  void turn_hottest(Slab& slab) const;
  void count_round_trips(Slab& slab) const;
  void measure_fields(const Slab& slab, std::size_t slot, Memory& memory) const;
  void measure_slot(Slab& slab, std::size_t slot, Memory& memory) const;

  /// Calls f(slab, lane, sample) for every simulated sample that belongs to the job.
  template <class F>
  void for_each_sample(F f) const;
  template <class Slabs, class Sums, class Copy>
  void for_each_sum(Slabs& slabs, Sums& sums, Copy copy) const;

  TemperingSystem system_;
  Lattice<3> lattice_;
  int threads_;
  std::vector<FieldThresholds> thresholds_;  ///< of each slot
  ExchangeTable exchange_;
  FourierTable table_;
  std::uint64_t rounds_ = 0;
  std::vector<Slab> slabs_;
};

}  // namespace psflip::cpu

#include "engine/cpu/tempering_measure.ipp"
#include "engine/cpu/tempering_state.ipp"
#include "engine/cpu/tempering_update.ipp"
