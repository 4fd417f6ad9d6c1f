#pragma once
#include <cstddef>
#include <functional>
#include <memory>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tempering_engine.hpp"

/// The door for a backend that holds some temperature slots of a TemperingSystem while other processes hold the others
/// (docs/mpi.md).
namespace psflip {

struct Slots {
  std::size_t first, count;
};

/// True when round `round` tries to exchange the configurations of slots k and k + 1.
inline bool is_exchanged(std::size_t k, std::uint64_t round) { return k % 2 == round % 2; }

class TemperingPart {
 public:
  virtual ~TemperingPart() = default;

  /// Called by all ranks together before the first round: neighbours may agree on a way of their own for slots.
  virtual void connect(const Neighbours&) {}

  /// Parts (samples that share words) that do not see each other; they are simulated one after the other.
  virtual std::size_t parts() const = 0;
  /// Memory for the configurations of a whole slot with their energies and flow labels: own first and last slot to send
  /// to the colder [0] and hotter [1] neighbour, theirs next to them to receive.
  virtual Halo halo(std::size_t part, std::uint64_t round) = 0;

  /// A round in three steps: sweeps of the slots that it exchanges with other processes, which are then in the memory
  /// to send from; sweeps of the other slots while messages travel, with calls of `poll` now and then; exchanges and
  /// a measurement if it is time, once the neighbours' slots are in the memory to receive in.
  virtual void sweep_outer(std::size_t part, std::uint64_t round) = 0;
  virtual void sweep_inner(std::size_t part, std::uint64_t round, const std::function<void()>& poll) = 0;
  virtual void finish(std::size_t part, std::uint64_t round) = 0;

  /// As in TemperingEngine, of the slots of this process: [its slots] in place of [slot], [pairs of slots] those whose
  /// colder slot is its. Round trips are counted where slot 0 is.
  virtual TemperingSums sums() const = 0;
  virtual void clear_sums() = 0;
  virtual PackedSigns packed_spins(std::size_t slot) const = 0;
  virtual std::vector<FlowLabel> flow_labels() const = 0;
  virtual std::vector<std::int8_t> fields() const = 0;
  virtual void restore_spins(std::size_t slot, const PackedSigns& spins) = 0;
  virtual void restore(const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) = 0;
};

using MakeTemperingPart = std::function<std::unique_ptr<TemperingPart>(const TemperingSystem&, const Slots&)>;

}  // namespace psflip
