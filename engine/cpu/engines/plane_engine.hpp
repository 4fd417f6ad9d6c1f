#pragma once
#include <omp.h>

#include <algorithm>

#include "engine/cpu/engines/lattices_engine.hpp"
#include "engine/cpu/engines/team.hpp"

namespace psflip::cpu {

/// Some planes of a System at one temperature. Lattices holds them: SamplePacked or SitePacked. Messages are sent from
/// and received in the memory of the spins themselves.
template <class Lattices>
class PlaneEngine final : public SharedLatticesEngine<Lattices> {
  using Base = SharedLatticesEngine<Lattices>;
  using Base::lattices_, Base::threads_, Base::queues_;

 public:
  using Base::Base;

  Halo halo(std::size_t batch, std::uint64_t step) override {
    const std::uint32_t planes = lattices_.domain().planes, parity = step & 1u;
    const auto memory = [&](std::uint32_t stored) {
      return reinterpret_cast<std::byte*>(lattices_.plane(batch, parity, stored));
    };
    const std::size_t bytes = lattices_.plane_bytes();
    return {{memory(1), memory(planes)}, {memory(0), memory(planes + 1)}, {bytes, bytes}};
  }

  void update_outer(std::size_t batch, std::uint64_t step) override {
    const std::uint32_t upper = std::max(reach(), rows() - reach());  // perhaps a single plane
#pragma omp parallel num_threads(threads_)
    {
      update_share(batch, step, {0, reach()});
      update_share(batch, step, {upper, rows()});
    }
  }

  void update_inner(std::size_t batch, std::uint64_t step, const std::function<void()>& poll) override {
    if (rows() <= 2 * reach()) return;
    const std::uint32_t begin = reach(), count = rows() - 2 * reach();
#pragma omp parallel num_threads(threads_)
    for (int chunk = 0; chunk < chunks; ++chunk) {  // only the first thread may talk to other processes
      const RowRange range = rows_of_thread(count, chunk, chunks);
      update_share(batch, step, {begin + range.first, begin + range.last});
      if (omp_get_thread_num() == 0) poll();
    }
  }

  void finish(std::size_t, std::uint64_t) override {}

 private:
  static constexpr int chunks = 8;  ///< of the interior; messages make progress in between

  std::uint32_t rows() const { return lattices_.domain().rows(); }
  std::uint32_t reach() const { return lattices_.domain().rows_in_plane(); }

  /// One thread's share of some rows.
  void update_share(std::size_t batch, std::uint64_t step, RowRange range) {
    const int me = omp_get_thread_num();
    const RowRange mine = rows_of_thread(range.last - range.first, me, omp_get_num_threads());
    if (mine.first == mine.last) return;
    lattices_.update(batch, {step, step + 1}, {range.first + mine.first, range.first + mine.last},
                     queues_[static_cast<std::size_t>(me)]);
  }
};

}  // namespace psflip::cpu
