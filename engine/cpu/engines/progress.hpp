#pragma once
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace psflip::cpu {

/// How many steps each thread of a team has finished, for the threads that wait for it. These threads can read all data
/// written before the step was published.
class Progress {
 public:
  explicit Progress(int threads) : steps_(static_cast<std::size_t>(threads)) {}

  void publish(int thread, std::uint64_t steps) {
    steps_[static_cast<std::size_t>(thread)].count.store(steps, std::memory_order_release);
  }

  /// Returns when all of `threads` have published at least `steps`.
  void wait_for(const std::vector<int>& threads, std::uint64_t steps) const {
    for (const int thread : threads) {
      const std::atomic<std::uint64_t>& count = steps_[static_cast<std::size_t>(thread)].count;
      for (int spins = 0; count.load(std::memory_order_acquire) < steps; ++spins) {
        if (spins < polls_before_yield) {
          pause();
        } else {
          std::this_thread::yield();  // perhaps there are fewer cores than threads
        }
      }
    }
  }

 private:
  static constexpr int polls_before_yield = 2000;

  static void pause() {
#ifdef __SSE2__
    _mm_pause();
#endif
  }

  struct alignas(64) Padded {  // a cache line each, so that publishing slows no other thread
    std::atomic<std::uint64_t> count{0};
  };
  std::vector<Padded> steps_;
};

}  // namespace psflip::cpu
