#pragma once
#include <algorithm>
#include <vector>

#include "engine/core/domain.hpp"
#include "engine/cpu/decisions.hpp"
#include "engine/cpu/residual_queue.hpp"
#include "engine/cpu/sample_rows.hpp"
#include "engine/cpu/slab_measurement.hpp"
#include "engine/cpu/team.hpp"
#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tables.hpp"

/// Many samples of one lattice, one bit each: ea3d (D = 3, with couplings) and ising2d (D = 2). Of the lattice some
/// planes or all (Domain); WholeEngine and PartEngine make a door of it.
namespace psflip::cpu {

template <class W, int D>
class SamplePacked {
 public:
  using Word = W;
  static constexpr int dimension = D;
  SamplePacked(const System& system, const Planes& planes, int threads);

  const Domain<D>& domain() const { return domain_; }
  Rows rows() const;
  void update(std::size_t part, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
              ResidualQueue<W>& queue);
  /// The spins of one parity of a stored plane.
  W* plane(std::size_t part, std::uint32_t parity, std::uint32_t stored);
  std::size_t plane_bytes() const;

  DomainObservation observe() const;
  PackedSigns packed_spins() const;
  void restore(const PackedSigns& spins);
  PackedSigns packed_couplings() const;

 private:
  static constexpr bool has_couplings = D == 3;
  std::uint32_t address_of(std::uint32_t i) const;
  DomainObservation empty_observation() const;
  void fill_couplings(Slab<W>& slab) const;
  void fill_spins(Slab<W>& slab) const;
  template <int R>
  void update_rows(Slab<W>& slab, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
                   ResidualQueue<W>& queue) const;
  void resolve(std::uint64_t first_pack, W* spins, std::uint32_t half_sweep, ResidualQueue<W>& queue) const;

  /// Lanes first, end of those of a slab that are samples of the job, and the number of the first of these.
  struct Lanes {
    int begin, end;
    std::size_t sample;
  };
  Lanes lanes_of(const Slab<W>& slab) const;
  /// The sites from stored plane `stored` on; a site has `fields` words.
  Checkerboard board(std::uint32_t stored, std::size_t sites, std::size_t fields) const;
  /// [sample][field][own site]
  PackedSigns packed(std::vector<W> Slab<W>::*words, std::size_t fields) const;
  PackedSigns of_stored_planes(const PackedSigns& spins) const;

  System system_;
  Domain<D> domain_;
  std::uint32_t replicas_;
  int threads_;
  Thresholds thresholds_;
  FourierTable table_;
  mutable std::vector<SlabMeasurement<W, D>> measurements_;  ///< memory of observe(), one a thread
  std::vector<Slab<W>> slabs_;
};

}  // namespace psflip::cpu

#include "engine/cpu/sample_packed_state.ipp"
#include "engine/cpu/sample_packed_update.ipp"
