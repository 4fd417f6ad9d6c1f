#pragma once
#include <cstdint>
#include <vector>

#include "engine/driver/engine.hpp"
#include "lattice.hpp"
#include "measure.hpp"

namespace psflip::oracle {

/// The judge of every backend: spin-by-spin Metropolis over +1 and -1, written from docs/randomness.md and
/// docs/file-format.md with plain loops. It shares no code with engine/core, on purpose, and is as slow as it is plain.
class Oracle : public Engine {
 public:
  /// Throws std::invalid_argument for a system that the contract does not define.
  explicit Oracle(const System& system);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  Observation observe() const override;
  PackedSigns packed_spins() const override;
  void restore(std::uint64_t half_sweeps, const PackedSigns& spins) override;
  std::vector<std::int8_t> couplings() const override;

 private:
  struct Sample {
    std::uint64_t id;
    Field couplings;              ///< [direction][site]
    std::vector<Field> replicas;  ///< [replica][site]
  };

  Sample make_sample(std::uint64_t id) const;
  void half_sweep(Sample& sample, int replica) const;
  int local_field(const Sample& sample, const Field& spins, std::size_t site) const;
  bool flips(std::uint64_t sample, int replica, std::size_t site, int energy_change) const;
  void observe_sample(const Sample& sample, Observation& observation) const;

  System system_;
  Lattice lattice_;
  std::vector<Sample> samples_;
  std::uint64_t half_sweeps_ = 0;
};

}  // namespace psflip::oracle
