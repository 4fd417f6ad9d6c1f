#include "engine/laboratory/exchange/timing.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "engine/cpu/cpu.hpp"
#include "engine/driver/clock.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/laboratory/exchange/counting_ranks.hpp"

namespace psflip::laboratory {

namespace {

/// Seconds of one call of `work`: the fastest of ten series of at least `least` seconds together, since ranks that
/// share cores with others wait for each other now and then. Rank 0 decides how many calls a series has.
template <class Work>
double seconds_on_ranks(const Ranks& ranks, const Work& work, double least) {
  const auto seconds_of_series = [&](int calls) {
    ranks.of_first(0);  // all start together
    const double start = now();
    for (int call = 0; call < calls; ++call) work();
    return ranks.of_first(now() - start);
  };
  constexpr int count = 10;
  int calls = 1;
  while (seconds_of_series(calls) < least / count) calls *= 2;
  double best = std::numeric_limits<double>::infinity();
  for (int series = 0; series < count; ++series) best = std::min(best, seconds_of_series(calls) / calls);
  return best;
}

/// Runs `sweep` once and counts, then times it. A sweep is two half sweeps.
template <class Sweep>
ExchangeTime time_sweeps(const CountingRanks& ranks, const Sweep& sweep, double seconds) {
  ExchangeTime time;
  sweep();
  time.messages = static_cast<double>(ranks.messages()) / 2;
  time.bytes = static_cast<double>(ranks.bytes()) / 2;
  time.seconds = seconds_on_ranks(ranks, sweep, seconds) / 2;
  return time;
}

/// Memory for messages of one length to both sides, and the messages.
class Messages {
 public:
  Messages(Ranks& ranks, std::size_t bytes) : neighbours_(ranks), sent_(2 * bytes), received_(2 * bytes) {}

  /// To the given sides at once, and from the opposite ones.
  void exchange(std::initializer_list<int> sides) {
    const std::size_t bytes = sent_.size() / 2;
    for (const int side : sides)
      neighbours_.start_receive(1 - side, received_.data() + static_cast<std::size_t>(side) * bytes, bytes);
    for (const int side : sides)
      neighbours_.start_send(side, sent_.data() + static_cast<std::size_t>(side) * bytes, bytes);
    neighbours_.wait();
  }

 private:
  Neighbours neighbours_;
  std::vector<std::byte> sent_, received_;
};

}  // namespace

ExchangeTime time_one_way(const System& system, Ranks& ranks, double seconds) {
  CountingRanks counting(ranks);
  SlicedRanks sliced(system, counting);
  const auto sweep = [&] {
    sliced.half_sweep();
    sliced.half_sweep();
  };
  ExchangeTime time = time_sweeps(counting, sweep, seconds);
  Messages messages(ranks, static_cast<std::size_t>(time.bytes / time.messages));
  const auto alone = [&] {
    messages.exchange({0});
    messages.exchange({1});
  };
  time.seconds_of_messages = time.messages / 2 * seconds_on_ranks(ranks, alone, seconds);
  return time;
}

ExchangeTime time_two_way(const System& system, Ranks& ranks, int word_bits, double seconds) {
  CountingRanks counting(ranks);
  System sweeps = system;
  sweeps.round.half_sweeps = 2;
  Decomposed psflip(sweeps, counting,
                    [&](const System& part, const Share& share) { return cpu::make_part(part, share, 1, word_bits); });
  ExchangeTime time = time_sweeps(
      counting, [&] { psflip.advance(1); }, seconds);
  Messages messages(ranks, static_cast<std::size_t>(time.bytes / time.messages));
  time.seconds_of_messages = time.messages / 2 *
                             seconds_on_ranks(
                                 ranks,
                                 [&] {
                                   messages.exchange({0, 1});
                                 },
                                 seconds);
  return time;
}

}  // namespace psflip::laboratory
