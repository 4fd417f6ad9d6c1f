#pragma once
#include <algorithm>
#include <vector>

#include "engine/core/lattice.hpp"
#include "engine/cpu/observe.hpp"
#include "engine/cpu/team.hpp"
#include "engine/driver/engine.hpp"
#include "engine/driver/tables.hpp"

/// ising2d on large lattices: a chunk holds 32 sites of one parity of one row, a word the chunks next to each other.
namespace psflip::cpu {

template <class W>
class SitePacked final : public Engine {
 public:
  SitePacked(const System& system, int threads);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  Observation observe() const override;
  std::vector<std::int8_t> spins() const override;
  void restore(std::uint64_t half_sweeps, const std::vector<std::int8_t>& spins) override;
  std::vector<std::int8_t> couplings() const override { return {}; }

 private:
  /// One lattice: rows of chunks with a copy of the last chunk before the first and of the first behind the last, so
  /// that neighbours in a row are always at the next place in memory.
  using Chunks = std::vector<W>;

  std::uint32_t chunks_in_row() const { return lattice_.L / 64; }
  std::uint32_t words_in_row() const { return (chunks_in_row() + W::packs - 1) / W::packs; }
  std::size_t stride() const { return (std::size_t{words_in_row()} + 2) * W::packs; }
  std::size_t row_start(std::uint32_t parity, std::uint32_t y) const {
    return (std::size_t{parity} * lattice_.L + y) * stride() + W::packs;
  }
  static std::uint32_t* chunks(Chunks& c) { return reinterpret_cast<std::uint32_t*>(c.data()); }
  static const std::uint32_t* chunks(const Chunks& c) { return reinterpret_cast<const std::uint32_t*>(c.data()); }
  static std::uint32_t shift(std::uint32_t parity, std::uint32_t y) { return (parity + y) & 1u; }

  void close_row(std::uint32_t* row) const;
  void fill(Chunks& lattice, std::uint64_t sample) const;
  void update_rows(std::size_t index, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
                   ResidualQueue<W>& queue);
  struct HalfSweep;
  void update_row(const HalfSweep& sweep, std::uint32_t* spins, std::uint32_t y, ResidualQueue<W>& queue) const;
  void resolve(std::uint32_t* spins, std::uint64_t sample, std::uint32_t half_sweep, ResidualQueue<W>& queue) const;
  W valid_lanes(std::uint32_t word) const;
  struct Sums;
  std::int64_t unsatisfied_bonds(const Chunks& lattice, std::uint32_t first, std::uint32_t last) const;
  Sums sum_rows(const Chunks& lattice, std::uint32_t first, std::uint32_t last) const;

  System system_;
  Lattice<2> lattice_;
  int threads_;
  Thresholds thresholds_;
  FourierTable table_;
  std::uint64_t half_sweeps_ = 0;
  std::vector<Chunks> lattices_;
};

/// The constants of one half sweep of one lattice. It lives in a local of the row loop, since vector stores may alias
/// anything that has an address elsewhere.
template <class W>
struct SitePacked<W>::HalfSweep {
  SiteNumbers<W> numbers;
  std::uint32_t parity;
  W plane[plane_count][2];  ///< bit j of threshold[n], all ones or zero
};

/// Sums over rows of a lattice; re and im are the Fourier components along x and y.
template <class W>
struct SitePacked<W>::Sums {
  std::int64_t unsatisfied = 0, total = 0, re[2] = {}, im[2] = {};

  Sums& operator+=(const Sums& other) {
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

#include "engine/cpu/site_packed.ipp"
