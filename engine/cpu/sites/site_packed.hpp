#pragma once
#include <omp.h>

#include <algorithm>
#include <vector>

#include "engine/core/domain.hpp"
#include "engine/core/interleave.hpp"
#include "engine/core/site_decision.hpp"
#include "engine/cpu/measure/lane_counts.hpp"
#include "engine/cpu/ranges.hpp"
#include "engine/cpu/words/plane_decisions.hpp"
#include "engine/cpu/words/residual_queue.hpp"
#include "engine/driver/part_engine.hpp"
#include "engine/models/tables.hpp"

/// Square lattices without disorder and field: a chunk holds 32 sites of one parity of one row, a word the chunks next
/// to each other. Some rows of the lattice or all (Domain). A batch is a lattice.
namespace psflip::cpu {

template <class W>
class SitePacked {
 public:
  using Word = W;
  static constexpr bool has_rounds = false;
  SitePacked(const System& system, const Share& share, int threads);
  /// Bytes of a share.
  static double bytes(System system, const Share& share, int threads);

  const Domain<2>& domain() const { return domain_; }
  std::size_t batches() const { return lattices_.size(); }
  std::size_t words_in_row() const { return (chunks_in_row() + W::packs - 1) / W::packs; }
  std::size_t batch_bytes() const { return lattices_[0].size() * sizeof(W); }
  static constexpr bool has_tiles() { return false; }
  void update(std::size_t index, HalfSweeps half_sweeps, RowRange rows, ResidualQueue<W>& queue);
  /// The chunks of one parity of a stored row.
  std::uint32_t* plane(std::size_t index, std::uint32_t parity, std::uint32_t stored) {
    return chunks(lattices_[index]) + row_start(parity, stored);
  }
  std::size_t plane_bytes() const { return chunks_in_row() * sizeof(std::uint32_t); }

  Observation observe() const;
  PackedSigns packed_spins(std::size_t slot) const;
  void restore_spins(std::size_t slot, const PackedSigns& spins);
  void restore(const std::vector<FlowLabel>&, const Sums&) {}
  Sums sums() const { return {}; }
  void clear_sums() {}
  std::vector<FlowLabel> flow_labels() const { return {}; }
  void restore_disorder(const PackedSigns&, const PackedSigns&) {}  // there is none
  PackedSigns packed_couplings() const { return {}; }
  PackedSigns packed_fields() const { return {}; }

 private:
  /// One lattice: rows of chunks with a copy of the last chunk before the first and of the first behind the last, so
  /// that neighbours in a row are always at the next address in memory.
  using Chunks = std::vector<W>;

  std::uint32_t chunks_in_row() const { return domain_.L / 64; }
  std::size_t stride() const { return (words_in_row() + 2) * W::packs; }
  std::size_t row_start(std::uint32_t parity, std::uint32_t stored) const {
    return (std::size_t{parity} * domain_.stored_rows() + stored) * stride() + W::packs;
  }
  std::size_t words_of_lattice() const { return 2 * domain_.stored_rows() * stride() / W::packs; }
  static std::uint32_t* chunks(Chunks& c) { return reinterpret_cast<std::uint32_t*>(c.data()); }
  static const std::uint32_t* chunks(const Chunks& c) { return reinterpret_cast<const std::uint32_t*>(c.data()); }
  /// Of row number `y` of the domain.
  std::uint32_t shift(std::uint32_t parity, std::uint32_t y) const { return (parity + domain_.first + y) & 1u; }

  void close_row(std::uint32_t* row) const;
  void fill(Chunks& lattice, std::uint64_t sample) const;
  struct HalfSweep;
  void update_row(HalfSweep& sweep, std::uint32_t* spins, std::uint32_t y, ResidualQueue<W>& queue) const;
  W valid_lanes(std::uint32_t word) const;
  struct RowSums;
  std::int64_t unsatisfied_bonds(const Chunks& lattice, std::uint32_t first, std::uint32_t last) const;
  RowSums sum_rows(const Chunks& lattice, std::uint32_t first, std::uint32_t last) const;

  System system_;
  Domain<2> domain_;
  int threads_;
  FieldThresholds thresholds_;
  FourierTable table_;
  std::vector<Chunks> lattices_;
  using Model = Traits<2, ModelCouplings::ferromagnet, ModelField::none>;
  using Scheme = NoField<2>;
};

/// One half sweep of one lattice. It lives in a local of the row loop, since vector stores may alias anything that has
/// an address elsewhere.
template <class W>
struct SitePacked<W>::HalfSweep {
  std::uint32_t parity;
  PlaneDecisions<W, Scheme, SiteNumbers<W>> decide;
};

/// Sums over rows of a lattice; re and im are the Fourier components along x and y.
template <class W>
struct SitePacked<W>::RowSums {
  std::int64_t unsatisfied = 0, total = 0, re[2] = {}, im[2] = {};

  RowSums& operator+=(const RowSums& other) {
    unsatisfied += other.unsatisfied;
    total += other.total;
    for (int axis = 0; axis < 2; ++axis) {
      re[axis] += other.re[axis];
      im[axis] += other.im[axis];
    }
    return *this;
  }
};

}  // namespace psflip::cpu

#include "engine/cpu/sites/site_packed.ipp"
