#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/driver/clock.hpp"
#include "engine/driver/packed_signs.hpp"
#include "engine/models/system.hpp"

namespace psflip {

/// Integers measured at one moment; row-major, sample is the slow index: [sample][replica] or [sample][pair].
/// Pairs in the order (0,1), (0,2), ..., (1,2), ...; k2 quantities as in docs/file-format.md.
struct Observation {
  std::vector<std::int64_t> bond_sum;          ///< [sample][replica]
  std::vector<std::int64_t> magnetization;     ///< [sample][replica]
  std::vector<std::int64_t> magnetization_k2;  ///< [sample], ising2d only, else empty
  std::vector<std::int64_t> overlap;           ///< [sample][pair], ea3d only, else empty
  std::vector<std::int64_t> overlap_k2;        ///< [sample][pair], ea3d only, else empty
};

/// The one virtual door between the driver and the backends: a System in the memory of some device.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Half sweeps done since the start; half sweep h updates parity h mod 2, two half sweeps are one sweep.
  virtual std::uint64_t half_sweeps() const = 0;
  /// Does the next `count` half sweeps.
  virtual void advance(std::uint64_t count) = 0;
  virtual Observation observe() const = 0;

  /// observe() in two steps: what the second one returns, valid until the next first one, is of the moment of the
  /// first. An engine on a device advances between them while the host waits for nothing; no observe() in between.
  virtual void start_observing() { observation_ = observe(); }
  virtual const Observation& observed() { return observation_; }
  /// advance(), with something for the host to do: at the same time where a device does the half sweeps, else before
  /// them. Returns the seconds of the half sweeps.
  virtual double advance_during(std::uint64_t count, const std::function<void()>& host_work) {
    host_work();
    const double start = now();
    advance(count);
    return now() - start;
  }

  /// Spins in canonical order: a row for each [sample][replica], in it the sites x + L (y + L z).
  virtual PackedSigns packed_spins() const = 0;
  /// The same, one byte each, +1 or -1: [sample][replica][site].
  std::vector<std::int8_t> spins() const { return unpack_signs(packed_spins()); }
  /// Continues from a configuration in canonical order after `half_sweeps` half sweeps.
  virtual void restore(std::uint64_t half_sweeps, const PackedSigns& spins) = 0;
  /// Couplings in canonical order: [sample][direction][site]; empty for ising2d.
  virtual std::vector<std::int8_t> couplings() const = 0;

  /// How planes travel between the GPUs of several ranks, known after the first half sweep: "device" when all go from
  /// card to card, "host" when all go through its memory, else "mixed". Empty where nothing does.
  virtual std::string halo() const { return {}; }

 private:
  Observation observation_;  ///< of engines that observe at once
};

}  // namespace psflip
