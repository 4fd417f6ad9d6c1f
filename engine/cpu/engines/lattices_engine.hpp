#pragma once
#include <vector>

#include "engine/cpu/words/residual_queue.hpp"
#include "engine/driver/part_engine.hpp"

namespace psflip::cpu {

/// The state of an engine on the CPU and its interface to the driver. Lattices holds a System or a share of it:
/// SamplePacked or SitePacked. Base is Engine or PartEngine.
template <class Lattices, class Base>
class LatticesEngine : public Base {
 public:
  template <class... OfBase>
  LatticesEngine(const System& system, const Share& share, int threads, const OfBase&... of_base)
      : Base(of_base...), lattices_(system, share, threads), threads_(threads) {}

  /// Bytes of the lattices and of a queue for each thread.
  static double bytes(const System& system, const Share& share, int threads) {
    const std::size_t most_words_in_row =
        static_cast<std::size_t>(system.L) * static_cast<std::size_t>(system.replicas);
    return Lattices::bytes(system, share, threads) + threads * static_cast<double>(Queue::bytes(most_words_in_row));
  }

  Observation observe() const override { return lattices_.observe(); }
  Sums sums() const override { return lattices_.sums(); }
  void clear_sums() override { lattices_.clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override { return lattices_.packed_spins(slot); }
  PackedSigns packed_couplings() const override { return lattices_.packed_couplings(); }
  PackedSigns packed_fields() const override { return lattices_.packed_fields(); }
  std::vector<FlowLabel> flow_labels() const override { return lattices_.flow_labels(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override { lattices_.restore_spins(slot, spins); }
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override {
    lattices_.restore_disorder(couplings, fields);
  }

 protected:
  using Queue = ResidualQueue<typename Lattices::Word>;

  Lattices lattices_;
  int threads_;
};

/// An engine for a share of a System.
template <class Lattices>
class SharedLatticesEngine : public LatticesEngine<Lattices, PartEngine> {
 public:
  SharedLatticesEngine(const System& system, const Share& share, int threads)
      : LatticesEngine<Lattices, PartEngine>(system, share, threads) {
    for (int thread = 0; thread < threads; ++thread) queues_.emplace_back(this->lattices_.words_in_row());
  }

  std::size_t batches() const override { return this->lattices_.batches(); }
  void restore(const std::vector<FlowLabel>& labels, const Sums& sums) override {
    this->lattices_.restore(labels, sums);
  }

 protected:
  std::vector<typename SharedLatticesEngine::Queue> queues_;  ///< one for each thread
};

}  // namespace psflip::cpu
