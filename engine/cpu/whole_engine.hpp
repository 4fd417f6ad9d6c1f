#pragma once
#include <vector>

#include "engine/cpu/team.hpp"
#include "engine/driver/engine.hpp"

namespace psflip::cpu {

/// A System in one process. Lattices holds all its planes: SamplePacked or SitePacked.
template <class Lattices>
class WholeEngine final : public Engine {
 public:
  WholeEngine(const System& system, int threads)
      : lattices_(system, {0, static_cast<std::uint32_t>(system.L)}, threads), threads_(threads) {}

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override {
    run_half_sweeps<typename Lattices::Word>(
        threads_, lattices_.rows(), half_sweeps_, half_sweeps_ + count,
        [this](std::size_t part, std::uint64_t h, std::uint32_t first, std::uint32_t last, auto& queue) {
          lattices_.update(part, h, first, last, queue);
        });
    half_sweeps_ += count;
  }
  Observation observe() const override { return lattices_.observe().sums; }
  PackedSigns packed_spins() const override { return lattices_.packed_spins(); }
  void restore(std::uint64_t half_sweeps, const PackedSigns& spins) override {
    lattices_.restore(spins);
    half_sweeps_ = half_sweeps;
  }
  std::vector<std::int8_t> couplings() const override { return unpack_signs(lattices_.packed_couplings()); }

 private:
  Lattices lattices_;
  int threads_;
  std::uint64_t half_sweeps_ = 0;
};

}  // namespace psflip::cpu
