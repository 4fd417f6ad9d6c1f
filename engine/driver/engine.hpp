#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/driver/clock.hpp"
#include "engine/driver/memory/arrays.hpp"
#include "engine/driver/packed_signs.hpp"
#include "engine/models/observation.hpp"
#include "engine/models/sums.hpp"
#include "engine/models/system.hpp"

namespace psflip {

/// Sums over the measurements since they were last cleared; row-major, the last index fastest. The first index of `set`
/// and `pair` is a place in the lists of sum_lists_of().
struct Sums {
  std::vector<double> set;                   ///< [sum][slot][sample][replica]
  std::vector<double> pair;                  ///< [sum][slot][sample][pair of replicas]
  std::vector<std::int32_t> accepted;        ///< [pair of slots][sample][replica]
  std::vector<std::int32_t> round_trips;     ///< [sample][replica]
  std::vector<std::int32_t> overlap_counts;  ///< [slot][sample][bin of the overlap], all pairs of replicas together
  std::vector<std::int32_t> flow_cold;       ///< [slot][sample][replica], of configurations last at slot 0 of both ends
  std::vector<std::int32_t> flow_hot;        ///< [slot][sample][replica], the same for the hottest slot
  std::vector<std::int64_t> overlap_link_sums;  ///< [slot of link_slots][sample][bin of the overlap], of all pairs
};

/// How many slots, pairs of slots by their colder one, and slots of SumLists::link_slots have sums.
struct SumSizes {
  std::size_t slots, pairs, link_slots;
};
inline SumSizes sum_sizes(const System& system, const Slots& own) {
  return {own.count, std::min(own.count, system.slots() - 1 - own.first),
          sum_lists_of(system).link_slots_among(own).count};
}

/// The arrays of the sums; see MakeArrays.
template <class F>
void for_each_array(Sums& sums, const System& system, const SumSizes& sizes, F& f) {
  const SumLists lists = sum_lists_of(system);
  const std::size_t slots = sizes.slots, samples = system.samples, replicas = static_cast<std::size_t>(system.replicas);
  f(sums.set, {lists.set.size(), slots, samples, replicas});
  f(sums.pair, {lists.pair.size(), slots, samples, lists.pairs});
  f(sums.accepted, {sizes.pairs, samples, replicas});
  f(sums.round_trips, {samples, replicas});
  f(sums.overlap_counts, {slots, samples, lists.overlap_bins});
  f(sums.flow_cold, {slots, samples, replicas});
  f(sums.flow_hot, {slots, samples, replicas});
  f(sums.overlap_link_sums, {sizes.link_slots, samples, lists.overlap_bins});
}

/// All sums zero.
inline Sums empty_sums(const System& system, const Slots& own) {
  Sums sums;
  const MakeArrays make;
  for_each_array(sums, system, sum_sizes(system, own), make);
  return sums;
}
inline Sums empty_sums(const System& system) { return empty_sums(system, {0, system.slots()}); }

/// Replica-flow label: the end of the temperature grid that a configuration visited last. It counts round trips, so
/// `from_hot` is one that has visited slot 0 before and `hot_first` one that never has.
enum class FlowLabel : std::int8_t { none, from_cold, from_hot, hot_first };

/// The same as two bits, as engines store it; `hot_first` has both.
inline FlowLabel flow_label(bool cold_bit, bool hot_bit) {
  return static_cast<FlowLabel>((cold_bit ? 1 : 0) + (hot_bit ? 2 : 0));
}
inline bool has_cold_bit(FlowLabel label) { return (static_cast<int>(label) & 1) != 0; }
inline bool has_hot_bit(FlowLabel label) { return (static_cast<int>(label) & 2) != 0; }

/// Data that the host reads: the integers of one moment, or the sums of a System with Round::rounds_per_sum.
struct Reading {
  Observation moment;
  Sums sums;
};

/// Rounds that have ended, and how long they took.
struct EndedRounds {
  std::uint64_t rounds = 0;
  double seconds = 0;
};

/// Numbers of rounds that are all the same.
struct Intervals {
  std::uint64_t rounds, count = 1;

  std::uint64_t all_rounds() const { return rounds * count; }
};

/// Interface between the driver and a backend. An Engine holds one System in the memory of its device.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Rounds done since the start. Half sweep h, counted from the start, updates parity h mod 2.
  virtual std::uint64_t rounds() const = 0;
  virtual void advance(std::uint64_t rounds) = 0;
  /// How many intervals advance_during() takes at most: more than one if a device can keep the spins after each.
  virtual std::uint64_t intervals_at_once() const { return 1; }
  /// advance() by intervals, with work for the host: at the same time if a device does the rounds, else before them.
  /// start_reading() after each interval if `reads`, which several intervals require; a device need not wait for the
  /// host in between. Returns rounds of this or the previous call that have ended and were not returned before: a
  /// device may still work on those of this call.
  virtual EndedRounds advance_during(const Intervals& intervals, const std::function<void()>& host_work, bool reads) {
    host_work();
    const double start = now();
    advance(intervals.rounds);
    const double seconds = now() - start;
    if (reads) start_reading();
    return {intervals.rounds, seconds};
  }

  /// Waits for the rounds that a device still works on, and returns those that advance_during() did not return.
  virtual EndedRounds finish_rounds() { return {}; }

  /// The integers that the system measures, of the first slot.
  virtual Observation observe() const { return {}; }
  virtual Sums sums() const { return {}; }
  virtual void clear_sums() {}

  /// Reads in two steps: reading() returns the moment, or the sums, of the time of start_reading(), from when on the
  /// sums are zero. An engine on a device may advance in between while the host waits for nothing. `interval`: of the
  /// last advance_during() that read.
  virtual void start_reading() {
    reading_ = {};  // before the next one: both would be in memory at the same time
    if (keeps_sums_) {
      reading_.sums = sums();
      clear_sums();
    } else {
      reading_.moment = observe();
    }
  }
  virtual const Reading& reading(std::uint64_t /*interval*/) { return reading_; }

  /// Spins of a slot in canonical order: a row for each [sample][replica], in it the sites x + L (y + L z).
  virtual PackedSigns packed_spins(std::size_t slot = 0) const = 0;
  /// The same, one byte each, +1 or -1: [sample][replica][site].
  std::vector<std::int8_t> spins(std::size_t slot = 0) const { return unpack_signs(packed_spins(slot)); }
  /// Labels of the configurations: [slot][sample][replica]; empty unless slots exchange.
  virtual std::vector<FlowLabel> flow_labels() const { return {}; }

  /// Continue from the state that packed_spins(), flow_labels() and sums() returned after `rounds` rounds.
  virtual void restore_spins(std::size_t slot, const PackedSigns& spins) = 0;
  virtual void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) = 0;
  void restore(std::uint64_t rounds) { restore(rounds, {}, {}); }

  /// Couplings in canonical order, [sample][direction][site], and fields, [sample][site]; empty if the model has none.
  virtual PackedSigns packed_couplings() const { return {}; }
  virtual PackedSigns packed_fields() const { return {}; }
  std::vector<std::int8_t> couplings() const { return unpack_signs(packed_couplings()); }
  std::vector<std::int8_t> fields() const { return unpack_signs(packed_fields()); }

  /// Replaces the disorder that the seed gives, before the first round: rows of the full lattice, as packed_couplings()
  /// and packed_fields() have them. Rows of what the model does not have are empty.
  virtual void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) = 0;

  /// Path of halo messages between the GPUs of several ranks, known after the first half sweep: "device" if all go from
  /// GPU to GPU, "host" if the ranks send all of them, else "mixed". Empty if there are none.
  virtual std::string halo() const { return {}; }

 protected:
  explicit Engine(const System& system) : keeps_sums_(system.round.rounds_per_sum != 0) {}
  Reading reading_;  ///< of engines that read at once

 private:
  bool keeps_sums_;
};

using MakeEngine = std::function<std::unique_ptr<Engine>(const System&)>;

}  // namespace psflip
