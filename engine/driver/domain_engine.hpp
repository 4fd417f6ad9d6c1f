#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "engine/core/domain.hpp"
#include "engine/driver/engine.hpp"
#include "engine/driver/neighbours.hpp"

/// The door for a backend that holds some planes of a System while other processes hold the others (docs/mpi.md).
namespace psflip {

/// What the sites of some planes contribute to an Observation. Squares of Fourier components can only be taken of
/// sums over all planes, so the k2 quantities are empty and the components are here.
struct DomainObservation {
  Observation sums;
  std::vector<std::int64_t> components;  ///< [sample][pair of replicas][axis][re, im], carrying 2^20; ising2d: one pair
};

/// Of a configuration of the whole lattice the planes that a domain stores, ghosts too, in their order there.
template <int D>
void copy_stored_planes(const std::uint32_t* whole, const Domain<D>& domain, std::uint32_t* stored) {
  const std::size_t plane = domain.sites_in_plane();
  for (std::uint32_t p = 0; p < domain.stored_planes(); ++p)
    copy_bits(whole, domain.plane(p) * plane, plane, stored, p * plane);
}

/// Memory of messages to two neighbours and from them: [0] towards smaller coordinates (colder slots), [1] towards
/// larger. Of either side as many bytes as it takes: what the neighbour needs, or a note where that has a way of its
/// own.
struct Halo {
  const std::byte* send[2];
  std::byte* receive[2];
  std::size_t bytes[2];
};

class DomainEngine {
 public:
  virtual ~DomainEngine() = default;

  /// Called by all ranks together before the first half sweep: neighbours may agree on a way of their own for planes.
  /// Returns to how many of the two sides there is one, or nothing where there never is.
  virtual std::optional<int> connect(const Neighbours&) { return std::nullopt; }

  /// Parts (samples that share words, single lattices) that do not see each other. They are simulated one after the
  /// other, so that a part stays in a cache.
  virtual std::size_t parts() const = 0;
  virtual Halo halo(std::size_t part, std::uint32_t parity) = 0;  ///< planes

  /// Half sweep `half_sweep` of a part in three steps: the planes that others see; when it returns they are in the
  /// memory to send from. Then all other planes, while messages travel; it calls `poll` now and then. Then, when
  /// the neighbours' planes are in the memory to receive in, they are taken over.
  virtual void update_boundary(std::size_t part, std::uint64_t half_sweep) = 0;
  virtual void update_interior(std::size_t part, std::uint64_t half_sweep, const std::function<void()>& poll) = 0;
  virtual void accept_halo(std::size_t part, std::uint64_t half_sweep) = 0;

  virtual DomainObservation observe() const = 0;
  /// Spins and couplings of these planes in canonical order, see Engine.
  virtual PackedSigns packed_spins() const = 0;
  virtual PackedSigns packed_couplings() const = 0;
  /// Continues from a configuration of the whole lattice.
  virtual void restore(const PackedSigns& spins) = 0;
};

using MakeDomain = std::function<std::unique_ptr<DomainEngine>(const System&, const Planes&)>;

}  // namespace psflip
