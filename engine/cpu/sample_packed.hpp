#pragma once
#include <algorithm>
#include <vector>

#include "engine/core/lattice.hpp"
#include "engine/cpu/decisions.hpp"
#include "engine/cpu/residual_queue.hpp"
#include "engine/cpu/slab_measurement.hpp"
#include "engine/cpu/team.hpp"
#include "engine/driver/engine.hpp"
#include "engine/driver/tables.hpp"

/// Many samples of one lattice, one bit each: ea3d (D = 3, with couplings) and ising2d (D = 2).
namespace psflip::cpu {

template <class W, int D>
class SamplePacked final : public Engine {
 public:
  SamplePacked(const System& system, int threads);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  Observation observe() const override;
  std::vector<std::int8_t> spins() const override;
  void restore(std::uint64_t half_sweeps, const std::vector<std::int8_t>& spins) override;
  std::vector<std::int8_t> couplings() const override;

 private:
  static constexpr bool has_couplings = D == 3;
  void fill_couplings(Slab<W>& slab) const;
  void fill_spins(Slab<W>& slab) const;
  template <int R>
  void update_rows(Slab<W>& slab, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
                   ResidualQueue<W>& queue) const;
  void resolve(std::uint64_t first_pack, W* spins, std::uint32_t half_sweep, ResidualQueue<W>& queue) const;
  std::size_t queue_words() const { return std::size_t{lattice_.half()} * replicas_; }

  /// Calls f(slab, lane, sample) for every simulated sample that belongs to the job.
  template <class F>
  void for_each_sample(F f) const;

  System system_;
  Lattice<D> lattice_;
  std::uint32_t replicas_;
  int threads_;
  Thresholds thresholds_;
  FourierTable table_;
  mutable std::vector<SlabMeasurement<W, D>> measurements_;  ///< memory of observe(), one a thread
  std::uint64_t half_sweeps_ = 0;
  std::vector<Slab<W>> slabs_;
};

}  // namespace psflip::cpu

#include "engine/cpu/sample_packed_state.ipp"
#include "engine/cpu/sample_packed_update.ipp"
