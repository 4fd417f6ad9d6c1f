#pragma once
#include <omp.h>

#include "engine/cpu/engines/lattices_engine.hpp"
#include "engine/cpu/engines/team.hpp"

namespace psflip::cpu {

/// A System in one process. Lattices holds all of it: SamplePacked or SitePacked.
template <class Lattices>
class WholeEngine final : public LatticesEngine<Lattices, Engine> {
  using Base = LatticesEngine<Lattices, Engine>;
  using Base::lattices_, Base::threads_;
  using typename Base::Queue;

 public:
  WholeEngine(const System& system, int threads)
      : Base(system, full_share(system), threads, system), half_sweeps_(system.round.half_sweeps) {}

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override {
    bool is_done = false;
    if constexpr (Lattices::has_rounds) {
      if (lattices_.does_rounds()) {
        run_rounds(rounds_, rounds_ + rounds);
        is_done = true;
      }
    }
    if (!is_done) run_half_sweeps(lattices_, {rounds_ * half_sweeps_, (rounds_ + rounds) * half_sweeps_}, threads_);
    rounds_ += rounds;
  }

  using Engine::restore;
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) override {
    lattices_.restore(labels, sums);
    rounds_ = rounds;
  }

 private:
  void run_rounds(std::uint64_t first, std::uint64_t last) {
#pragma omp parallel num_threads(threads_)
    {
      Queue queue(lattices_.words_in_row());
      auto& memory = lattices_.memory(omp_get_thread_num());
      if (lattices_.is_private_to_thread()) {  // no thread waits for another
#pragma omp for schedule(dynamic)
        for (std::size_t k = 0; k < lattices_.batches(); ++k)
          for (std::uint64_t round = first; round < last; ++round) run_round(k, round, queue, memory);
      } else {
        for (std::uint64_t round = first; round < last; ++round) share_round(round, queue, memory);
      }
    }
  }

  /// Unit number i of all slots.
  template <class Memory>
  void sweep(std::size_t batch, std::size_t i, std::uint64_t round, Queue& queue, Memory& memory) {
    lattices_.sweep(batch, i / lattices_.units(), i % lattices_.units(), round, queue, memory);
  }

  /// One thread, one batch.
  template <class Memory>
  void run_round(std::size_t batch, std::uint64_t round, Queue& queue, Memory& memory) {
    for (std::size_t i = 0; i < units(); ++i) sweep(batch, i, round, queue, memory);
    for (std::size_t group = 0; group < lattices_.exchange_groups(round).count; ++group)
      lattices_.finish_group(batch, group, round, memory);
  }

  /// The team, all batches. Within a round the units do not read each other, then the exchange groups.
  template <class Memory>
  void share_round(std::uint64_t round, Queue& queue, Memory& memory) {
    const std::size_t groups = lattices_.exchange_groups(round).count;
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < lattices_.batches() * units(); ++i)
      sweep(i / units(), i % units(), round, queue, memory);
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < lattices_.batches() * groups; ++i)
      lattices_.finish_group(i / groups, i % groups, round, memory);
  }

  std::size_t units() const { return lattices_.own_slots().count * lattices_.units(); }

  std::uint64_t half_sweeps_;  ///< of a round
  std::uint64_t rounds_ = 0;
};

}  // namespace psflip::cpu
