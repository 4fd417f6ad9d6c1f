#pragma once
#include <omp.h>

#include <cstdint>

#include "engine/cpu/residual_queue.hpp"

namespace psflip::cpu {

/// A part larger than this is shared by the team: several at once would not fit in the last level cache, and its rows
/// are long enough to hide the barriers.
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

/// Runs half sweeps `from` ... `to` - 1 of `parts` independent parts (slabs, lattices) of `rows` rows and `bytes` bytes
/// each on a team of threads: update(part, half_sweep, first_row, last_row, queue).
template <class W, class Update>
void run_half_sweeps(int threads, std::size_t parts, std::uint32_t rows, std::size_t words_in_row, std::size_t bytes,
                     std::uint64_t from, std::uint64_t to, Update update) {
  const bool one_each = parts >= static_cast<std::size_t>(threads) && (threads == 1 || bytes <= largest_private_part);
#pragma omp parallel num_threads(threads)
  {
    ResidualQueue<W> queue(words_in_row);
    if (one_each) {  // a thread keeps a part in its cache for all sweeps
#pragma omp for schedule(dynamic)
      for (std::size_t k = 0; k < parts; ++k)
        for (std::uint64_t h = from; h < to; ++h) update(k, h, 0, rows, queue);
    } else {  // the team shares the rows of a part: sites of one parity do not see each other
      const auto me = static_cast<std::uint64_t>(omp_get_thread_num());
      const auto team = static_cast<std::uint64_t>(omp_get_num_threads());
      const auto first = static_cast<std::uint32_t>(rows * me / team);
      const auto last = static_cast<std::uint32_t>(rows * (me + 1) / team);
      for (std::size_t k = 0; k < parts; ++k)
        for (std::uint64_t h = from; h < to; ++h) {
          update(k, h, first, last, queue);
#pragma omp barrier
        }
    }
  }
}

}  // namespace psflip::cpu
