#pragma once
#include <omp.h>

#include <cstdint>
#include <vector>

#include "engine/cpu/engines/progress.hpp"
#include "engine/cpu/ranges.hpp"
#include "engine/cpu/words/residual_queue.hpp"

namespace psflip::cpu {

/// A batch larger than this is shared by the team: several at once would not fit in the last level cache. Batches in
/// tiles need less of that cache, since several half sweeps read a tile from the cache of one core.
inline constexpr std::size_t largest_private_batch = std::size_t{8} << 20;

/// The other threads of the team whose rows of `count` rows in all are within `reach` rows, periodically, of those of
/// `thread`.
inline std::vector<int> threads_in_reach(std::uint32_t count, std::uint32_t reach, int thread, int team) {
  const RowRange mine = rows_of_thread(count, thread, team);
  std::vector<int> near;
  for (int other = 0; other < team; ++other) {
    const RowRange theirs = rows_of_thread(count, other, team);
    bool reached = false;
    for (const std::int64_t period : {-1, 0, 1}) {
      const std::int64_t shift = period * count;
      reached |= theirs.first + shift < std::int64_t{mine.last} + reach &&
                 theirs.last + shift > std::int64_t{mine.first} - reach;
    }
    if (reached && other != thread) near.push_back(other);
  }
  return near;
}

/// One thread's rows of all batches, one after another; update(batch, half sweeps, rows). The rows that others read
/// come first and only they wait for others, so a thread waits only if a neighbour is behind by nearly a half sweep.
template <class Lattices, class Update>
void run_shared_rows(const Lattices& lattices, HalfSweeps half_sweeps, Progress& progress, Update update) {
  const int me = omp_get_thread_num(), team = omp_get_num_threads();
  const std::uint32_t count = lattices.domain().rows(), reach = lattices.domain().rows_in_plane();
  const auto [first, last] = rows_of_thread(count, me, team);
  const std::vector<int> near = threads_in_reach(count, reach, me, team);
  const bool has_interior = last - first > 2 * reach;
  std::uint64_t done = 0;
  for (std::size_t k = 0; k < lattices.batches(); ++k) {
    for (std::uint64_t h = half_sweeps.first; h < half_sweeps.last; ++h) {
      const HalfSweeps one{h, h + 1};
      progress.wait_for(near, done);
      if (has_interior) {
        update(k, one, RowRange{first, first + reach});
        update(k, one, RowRange{last - reach, last});
      } else if (first < last) {
        update(k, one, RowRange{first, last});
      }
      progress.publish(me, ++done);
      if (has_interior) update(k, one, RowRange{first + reach, last - reach});
    }
  }
}

/// Half sweeps of all batches on a team of threads.
template <class Lattices>
void run_half_sweeps(Lattices& lattices, HalfSweeps half_sweeps, int threads) {
  const std::size_t batches = lattices.batches();
  const auto team = static_cast<std::size_t>(threads);
  const bool has_tiles = lattices.has_tiles() && batches % team == 0,
             one_each = batches >= team && (team == 1 || has_tiles || lattices.batch_bytes() <= largest_private_batch);
  Progress progress(threads);
#pragma omp parallel num_threads(threads)
  {
    ResidualQueue<typename Lattices::Word> queue(lattices.words_in_row());
    if (one_each) {  // a thread keeps a batch in its cache for all sweeps
#pragma omp for schedule(dynamic)
      for (std::size_t k = 0; k < batches; ++k)
        lattices.update(k, half_sweeps, RowRange{0, lattices.domain().rows()}, queue);
    } else {  // the team shares the rows of a batch: sites of one parity do not read each other
      run_shared_rows(lattices, half_sweeps, progress,
                      [&](std::size_t k, HalfSweeps one, RowRange rows) { lattices.update(k, one, rows, queue); });
    }
  }
}

}  // namespace psflip::cpu
