#pragma once
#include <omp.h>

#include <cstdint>
#include <vector>

#include "engine/cpu/engines/progress.hpp"
#include "engine/cpu/ranges.hpp"
#include "engine/cpu/words/residual_queue.hpp"

namespace psflip::cpu {

/// A batch larger than this is shared by the team: several at once would not fit in the last level cache.
inline constexpr std::size_t largest_private_batch = std::size_t{8} << 20;
/// A batch larger than this is private again if it is updated in tiles, of which a thread keeps one in its own cache. A
/// team that shares the batch makes no tiles. Measured between L = 32 and L = 40 of ea3d with four replicas.
inline constexpr std::size_t smallest_batch_in_tiles = std::size_t{20} << 20;

/// Whether each thread takes whole batches.
template <class Lattices>
bool has_private_batches(const Lattices& lattices, int threads) {
  const auto team = static_cast<std::size_t>(threads);
  if (team == 1) return true;
  const std::size_t batches = lattices.batches(), bytes = lattices.batch_bytes();
  if (bytes <= largest_private_batch) return batches >= team;
  return lattices.has_tiles() && bytes >= smallest_batch_in_tiles && batches % team == 0;
}

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
  const bool one_each = has_private_batches(lattices, threads);
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
