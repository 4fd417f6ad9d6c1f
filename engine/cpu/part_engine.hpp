#pragma once
#include <omp.h>

#include <algorithm>
#include <vector>

#include "engine/cpu/team.hpp"
#include "engine/driver/domain_engine.hpp"

namespace psflip::cpu {

/// Some planes of a System. Lattices holds them: SamplePacked or SitePacked. Messages leave from and arrive in the
/// memory of the spins themselves.
template <class Lattices>
class PartEngine final : public DomainEngine {
 public:
  PartEngine(const System& system, const Planes& planes, int threads)
      : lattices_(system, planes, threads), rows_(lattices_.rows()), threads_(threads) {
    for (int thread = 0; thread < threads_; ++thread) queues_.emplace_back(rows_.words_in_row);
  }

  std::size_t parts() const override { return rows_.parts; }

  Halo halo(std::size_t part, std::uint32_t parity) override {
    const std::uint32_t planes = lattices_.domain().planes;
    const auto memory = [&](std::uint32_t stored) {
      return reinterpret_cast<std::byte*>(lattices_.plane(part, parity, stored));
    };
    const std::size_t bytes = lattices_.plane_bytes();
    return {{memory(1), memory(planes)}, {memory(0), memory(planes + 1)}, {bytes, bytes}};
  }

  void update_boundary(std::size_t part, std::uint64_t h) override {
    const std::uint32_t reach = rows_.reach, upper = std::max(reach, rows_.count - reach);  // perhaps a single plane
#pragma omp parallel num_threads(threads_)
    {
      update_share(part, h, {0, reach});
      update_share(part, h, {upper, rows_.count});
    }
  }

  void update_interior(std::size_t part, std::uint64_t h, const std::function<void()>& poll) override {
    if (rows_.count <= 2 * rows_.reach) return;
    const std::uint32_t begin = rows_.reach, count = rows_.count - 2 * rows_.reach;
#pragma omp parallel num_threads(threads_)
    for (int piece = 0; piece < pieces; ++piece) {  // only the first thread may talk to other processes
      const RowRange rows = rows_of_thread(count, piece, pieces);
      update_share(part, h, {begin + rows.first, begin + rows.last});
      if (omp_get_thread_num() == 0) poll();
    }
  }

  void accept_halo(std::size_t, std::uint64_t) override {}

  DomainObservation observe() const override { return lattices_.observe(); }
  PackedSigns packed_spins() const override { return lattices_.packed_spins(); }
  PackedSigns packed_couplings() const override { return lattices_.packed_couplings(); }
  void restore(const PackedSigns& spins) override { lattices_.restore(spins); }

 private:
  static constexpr int pieces = 8;  ///< of the interior; messages get on in between

  /// One thread's share of some rows.
  void update_share(std::size_t part, std::uint64_t h, RowRange rows) {
    const int me = omp_get_thread_num();
    const RowRange mine = rows_of_thread(rows.last - rows.first, me, omp_get_num_threads());
    if (mine.first == mine.last) return;
    lattices_.update(part, h, rows.first + mine.first, rows.first + mine.last, queues_[static_cast<std::size_t>(me)]);
  }

  Lattices lattices_;
  Rows rows_;
  int threads_;
  std::vector<ResidualQueue<typename Lattices::Word>> queues_;  ///< one a thread
};

}  // namespace psflip::cpu
