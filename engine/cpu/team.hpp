#pragma once
#include <omp.h>

#include <cstdint>
#include <vector>

#include "engine/cpu/progress.hpp"
#include "engine/cpu/residual_queue.hpp"

namespace psflip::cpu {

/// A part larger than this is shared by the team: several at once would not fit in the last level cache.
inline constexpr std::size_t largest_private_part = std::size_t{8} << 20;

struct RowRange {
  std::uint32_t first, last;
};

/// The share of `rows` rows of one thread of a team.
inline RowRange rows_of_thread(std::uint32_t rows, int thread, int team) {
  const auto share = [=](int t) {
    return static_cast<std::uint32_t>(std::uint64_t{rows} * static_cast<std::uint64_t>(t) /
                                      static_cast<std::uint64_t>(team));
  };
  return {share(thread), share(thread + 1)};
}

/// Rows of independent parts (slabs, lattices), of which each holds `count` rows and `bytes` bytes. Row y has its
/// neighbours among the rows y - reach ... y + reach, periodically.
struct Rows {
  std::size_t parts;
  std::uint32_t count, reach;
  std::size_t words_in_row, bytes;
};

/// The other threads of the team whose rows are within `reach` of those of `thread`.
inline std::vector<int> threads_in_reach(const Rows& rows, int thread, int team) {
  const RowRange mine = rows_of_thread(rows.count, thread, team);
  std::vector<int> near;
  for (int other = 0; other < team; ++other) {
    const RowRange theirs = rows_of_thread(rows.count, other, team);
    bool reached = false;
    for (const std::int64_t turn : {-1, 0, 1}) {
      const std::int64_t shift = turn * rows.count;
      reached |= theirs.first + shift < std::int64_t{mine.last} + rows.reach &&
                 theirs.last + shift > std::int64_t{mine.first} - rows.reach;
    }
    if (reached && other != thread) near.push_back(other);
  }
  return near;
}

/// One thread's rows of all parts in turn. The rows that others see come first and only they wait for others, so a
/// thread is held up only when a neighbour is behind by nearly a whole half sweep.
template <class Update>
void run_shared_rows(const Rows& rows, std::uint64_t from, std::uint64_t to, Progress& progress, Update update) {
  const int me = omp_get_thread_num(), team = omp_get_num_threads();
  const auto [first, last] = rows_of_thread(rows.count, me, team);
  const std::vector<int> near = threads_in_reach(rows, me, team);
  const bool interior = last - first > 2 * rows.reach;
  std::uint64_t done = 0;
  for (std::size_t k = 0; k < rows.parts; ++k) {
    for (std::uint64_t h = from; h < to; ++h) {
      progress.wait_for(near, done);
      if (interior) {
        update(k, h, first, first + rows.reach);
        update(k, h, last - rows.reach, last);
      } else {
        update(k, h, first, last);
      }
      progress.publish(me, ++done);
      if (interior) update(k, h, first + rows.reach, last - rows.reach);
    }
  }
}

/// Runs half sweeps `from` ... `to` - 1 on a team of threads: update(part, half_sweep, first_row, last_row, queue).
template <class W, class Update>
void run_half_sweeps(int threads, const Rows& rows, std::uint64_t from, std::uint64_t to, Update update) {
  const bool one_each =
      rows.parts >= static_cast<std::size_t>(threads) && (threads == 1 || rows.bytes <= largest_private_part);
  Progress progress(threads);
#pragma omp parallel num_threads(threads)
  {
    ResidualQueue<W> queue(rows.words_in_row);
    if (one_each) {  // a thread keeps a part in its cache for all sweeps
#pragma omp for schedule(dynamic)
      for (std::size_t k = 0; k < rows.parts; ++k)
        for (std::uint64_t h = from; h < to; ++h) update(k, h, 0, rows.count, queue);
    } else {  // the team shares the rows of a part: sites of one parity do not see each other
      run_shared_rows(rows, from, to, progress,
                      [&](std::size_t k, std::uint64_t h, std::uint32_t first, std::uint32_t last) {
                        if (first < last) update(k, h, first, last, queue);
                      });
    }
  }
}

}  // namespace psflip::cpu
