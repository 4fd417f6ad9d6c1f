#pragma once
#include <memory>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/ranks.hpp"

namespace psflip {

/// The planes of one of `count` ranks; their numbers differ by one at most.
Planes planes_of_rank(int L, int rank, int count);

/// Throws UserError when some rank would be left without a plane.
void require_planes(const System& system, const Ranks& ranks);

/// A System whose planes are spread over ranks. Everything but construction is done by all ranks together. Observations
/// are the same on all ranks; spins and couplings are gathered at rank 0 and empty elsewhere.
class Decomposed final : public Engine {
 public:
  Decomposed(const System& system, Ranks& ranks, const MakeDomain& make_domain);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  Observation observe() const override;
  PackedSigns packed_spins() const override;
  void restore(std::uint64_t half_sweeps, const PackedSigns& spins) override;
  std::vector<std::int8_t> couplings() const override;
  std::string halo() const override { return halo_; }

 private:
  void connect();
  void half_sweep(std::size_t part, std::uint64_t half_sweep);
  PackedSigns gather(const PackedSigns& mine) const;

  System system_;
  Ranks& ranks_;
  std::unique_ptr<DomainEngine> domain_;
  bool connected_ = false;
  std::string halo_;
  std::uint64_t half_sweeps_ = 0;
};

}  // namespace psflip
