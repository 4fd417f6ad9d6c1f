#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "engine/core/domain.hpp"
#include "engine/driver/engine.hpp"
#include "engine/driver/neighbours.hpp"

/// Interface for a backend that holds a share of a System while other processes hold the others (docs/mpi.md).
namespace psflip {

/// The share of one rank: some planes of the lattice, or some temperature slots, and all of the other.
struct Share {
  Planes planes;
  Slots slots;
  std::uint32_t fewest_planes;  ///< that any rank has
};

/// A share that is the full system.
inline Share full_share(const System& system) {
  const auto L = static_cast<std::uint32_t>(system.L);
  return {{0, L}, {0, system.slots()}, L};
}

/// Of a configuration of the full lattice the planes that a domain stores, ghosts too, in their order there.
template <int D>
void copy_stored_planes(const std::uint32_t* full, const Domain<D>& domain, std::uint32_t* stored) {
  const std::size_t plane = domain.sites_in_plane();
  for (std::uint32_t p = 0; p < domain.stored_planes(); ++p)
    copy_bits(full, domain.plane(p) * plane, plane, stored, p * plane);
}

/// True if round `round` tries to exchange the configurations of slots k and k + 1.
inline bool is_exchanged(std::size_t k, std::uint64_t round) { return k % 2 == round % 2; }

/// Memory of messages to two neighbours and from them: [0] towards smaller coordinates (colder slots), [1] towards
/// larger. On either side as many bytes as it takes: the data that the neighbour needs, or a notice if the engine sends
/// the data on a path of its own. No bytes: the step needs no message.
struct Halo {
  const std::byte* send[2];
  std::byte* receive[2];
  std::size_t bytes[2];
};

/// A step is a half sweep if planes are shared and a round if slots are shared.
class PartEngine {
 public:
  virtual ~PartEngine() = default;

  /// Called by all ranks together before the first step: neighbours may agree on a path of their own for messages.
  /// Returns on how many of the two sides there is one, or nothing if there never is.
  virtual std::optional<int> connect(const Neighbours&) { return std::nullopt; }

  /// Batches (samples that share words, single lattices) that do not depend on each other. They are simulated one after
  /// the other, so that a batch stays in a cache.
  virtual std::size_t batches() const = 0;
  /// Own outer planes of the parity of the half sweep and the neighbours' planes next to them; or own first and last
  /// slot with energies and flow labels, and the neighbours' slots next to them.
  virtual Halo halo(std::size_t batch, std::uint64_t step) = 0;

  /// A step of a batch in three stages. Planes or slots that neighbours need: on return they are in the memory to send
  /// from. All others, while messages are sent; `poll` is called now and then. The rest of the step, when the
  /// neighbours' messages are in the memory to receive in: ghosts, exchanges, measurements.
  virtual void update_outer(std::size_t batch, std::uint64_t step) = 0;
  virtual void update_inner(std::size_t batch, std::uint64_t step, const std::function<void()>& poll) = 0;
  virtual void finish(std::size_t batch, std::uint64_t step) = 0;
  /// Called after the last of some steps of a batch. An engine that collects steps finishes them here, so that the time
  /// of the steps is measured.
  virtual void finish_steps(std::size_t /*batch*/) {}

  /// As in Engine. Of some planes: the integers of these planes, see Observation, and the sites of these planes. Of
  /// some slots: [own slot] instead of [slot], [pair of slots] those whose colder slot is own. Round trips are counted
  /// where slot 0 is.
  virtual Observation observe() const { return {}; }
  virtual Sums sums() const { return {}; }
  virtual void clear_sums() {}
  virtual PackedSigns packed_spins(std::size_t slot) const = 0;
  virtual std::vector<FlowLabel> flow_labels() const { return {}; }
  virtual PackedSigns packed_couplings() const { return {}; }
  virtual PackedSigns packed_fields() const { return {}; }
  /// Continue from a configuration of the full lattice, and from labels and sums of the own slots.
  virtual void restore_spins(std::size_t slot, const PackedSigns& spins) = 0;
  virtual void restore(const std::vector<FlowLabel>&, const Sums&) {}
  /// As in Engine, from rows of the full lattice.
  virtual void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) = 0;
};

using MakePart = std::function<std::unique_ptr<PartEngine>(const System&, const Share&)>;

}  // namespace psflip
