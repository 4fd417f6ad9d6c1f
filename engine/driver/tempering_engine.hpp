#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/tempering_sums.hpp"
#include "engine/driver/engine.hpp"

/// Exchange Monte Carlo of the random-field Ising model: what is simulated, what is summed up, and the door between
/// the driver and the backends. docs/rfim3d.md, docs/randomness.md and docs/file-format.md define every bit of it.
namespace psflip {

/// A System at a list of temperatures whose configurations change places. The member beta is not used, replicas is the
/// number of sets.
struct TemperingSystem : System {
  double J = 1, h = 1;                   ///< H = -J sum s s - h sum h_i s_i
  std::vector<double> betas;             ///< of the slots, strictly decreasing, 2 to 256 of them
  std::uint64_t exchange_interval = 10;  ///< sweeps before each round of exchanges
  std::uint64_t measure_interval = 0;    ///< sweeps between measurements, whole rounds; 0: every round is measured
  /// Of packs of 32 samples, number p those with ids 32 p ... 32 p + 31: the increasing numbers of those that are
  /// simulated, all their samples (then `samples` is 32 packs.size() and first_sample is not used). Empty: the samples
  /// from first_sample on.
  std::vector<std::uint64_t> packs;

  /// The packs that hold the samples; the first sample is lane number first_lane() of the first of them, and no lane
  /// between the first and the last sample is left out.
  std::vector<std::uint64_t> pack_numbers() const {
    std::vector<std::uint64_t> all = packs;
    for (std::uint64_t pack = first_sample / 32; packs.empty() && 32 * pack < first_sample + samples; ++pack)
      all.push_back(pack);
    return all;
  }
  std::size_t first_lane() const { return packs.empty() ? first_sample % 32 : 0; }
  std::size_t slots() const { return betas.size(); }
  std::uint64_t sweeps_per_measurement() const { return measure_interval > 0 ? measure_interval : exchange_interval; }
  std::uint64_t rounds_per_measurement() const { return sweeps_per_measurement() / exchange_interval; }
  bool measures_every_round() const { return sweeps_per_measurement() == exchange_interval; }
  /// True when round `round`, numbered from 0, ends with a measurement.
  bool is_measured(std::uint64_t round) const { return (round + 1) % rounds_per_measurement() == 0; }
};

inline constexpr int tempering_sets = 2;  ///< independent sets of replicas of every sample

/// Sums over the measurements since they were last cleared; row-major, the last index fastest.
struct TemperingSums {
  std::vector<double> set;                ///< [SetSum][slot][sample][set]
  std::vector<double> pair;               ///< [PairSum][slot][sample]
  std::vector<std::int32_t> accepted;     ///< [pair of slots][sample][set]
  std::vector<std::int32_t> round_trips;  ///< [sample][set]
};

/// Replica-flow label: the end of the temperature grid that a configuration visited last. It counts round trips.
enum class FlowLabel : std::int8_t { none, from_cold, from_hot };

/// A TemperingSystem in the memory of some device.
class TemperingEngine {
 public:
  virtual ~TemperingEngine() = default;

  /// Rounds done since the start: exchange_interval sweeps, exchanges, if it is time a measurement added to the sums.
  virtual std::uint64_t rounds() const = 0;
  virtual void advance(std::uint64_t rounds) = 0;

  virtual TemperingSums sums() const = 0;
  virtual void clear_sums() = 0;

  /// Configuration of a slot in canonical order: a row for each [sample][set], in it the sites x + L (y + L z).
  virtual PackedSigns packed_spins(std::size_t slot) const = 0;
  /// The same, one byte each, +1 or -1: [sample][set][site].
  std::vector<std::int8_t> spins(std::size_t slot) const { return unpack_signs(packed_spins(slot)); }
  /// Replica-flow labels of the configurations: [slot][sample][set].
  virtual std::vector<FlowLabel> flow_labels() const = 0;
  /// Fields h_i, +1 or -1: [sample][site].
  virtual std::vector<std::int8_t> fields() const = 0;

  /// Continue from what packed_spins, flow_labels and sums returned after `rounds` rounds.
  virtual void restore_spins(std::size_t slot, const PackedSigns& spins) = 0;
  virtual void restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) = 0;
};

/// All sums zero, in the shapes of `system`.
inline TemperingSums empty_sums(const TemperingSystem& system) {
  const std::size_t samples = system.samples, slots = system.slots(), sets = tempering_sets;
  return {std::vector<double>(set_sums * slots * samples * sets, 0.0),
          std::vector<double>(pair_sums * slots * samples, 0.0),
          std::vector<std::int32_t>((slots - 1) * samples * sets, 0), std::vector<std::int32_t>(samples * sets, 0)};
}

}  // namespace psflip
