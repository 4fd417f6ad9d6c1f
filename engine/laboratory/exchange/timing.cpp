#include "engine/laboratory/exchange/timing.hpp"

#include <initializer_list>

#include "engine/cpu/cpu.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/laboratory/exchange/counting_ranks.hpp"
#include "engine/laboratory/exchange/own_neighbours.hpp"
#include "engine/laboratory/exchange/seconds_on_ranks.hpp"

namespace psflip::laboratory {

namespace {

/// Runs `sweep` once and counts, then times it. A sweep is two half sweeps.
template <class Sweep>
ExchangeTime time_sweeps(const CountingRanks& ranks, const Sweep& sweep, double seconds,
                         const std::function<void()>& wait) {
  ExchangeTime time;
  sweep();
  time.messages = static_cast<double>(ranks.messages()) / 2;
  time.bytes = static_cast<double>(ranks.bytes()) / 2;
  time.seconds = seconds_on_ranks(ranks, sweep, seconds, wait) / 2;
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

const std::function<void()> no_wait = [] {};  // the work of a CPU is done when a call returns

}  // namespace

ExchangeTime time_one_way(const System& system, Ranks& ranks, double seconds) {
  CountingRanks counting(ranks);
  SlicedRanks sliced(system, counting);
  const auto sweep = [&] {
    sliced.half_sweep();
    sliced.half_sweep();
  };
  ExchangeTime time = time_sweeps(counting, sweep, seconds, no_wait);
  Messages messages(ranks, static_cast<std::size_t>(time.bytes / time.messages));
  const auto alone = [&] {
    messages.exchange({0});
    messages.exchange({1});
  };
  time.seconds_of_messages = time.messages / 2 * seconds_on_ranks(ranks, alone, seconds, no_wait);
  return time;
}

ExchangeTime time_two_way(const System& system, Ranks& ranks, const SlabBackend& backend, double seconds) {
  System sweeps = system;
  sweeps.round.half_sweeps = 2;
  ExchangeTime time;
  {
    CountingRanks counting(ranks);
    Decomposed psflip(sweeps, counting, backend.make_part);
    time = time_sweeps(
        counting, [&] { psflip.advance(1); }, seconds, backend.wait);
  }
  OwnNeighbours own(ranks.rank(), ranks.count());
  Decomposed alone(sweeps, own, backend.make_part);
  alone.advance(1);
  time.seconds_without_neighbours = seconds_on_ranks(
                                        ranks, [&] { alone.advance(1); }, seconds, backend.wait) /
                                    2;
  return time;
}

double seconds_of_two_way_messages(Ranks& ranks, std::size_t bytes, double seconds) {
  Messages messages(ranks, bytes);
  return seconds_on_ranks(
      ranks,
      [&] {
        messages.exchange({0, 1});
      },
      seconds, no_wait);
}

SlabBackend cpu_slabs(int word_bits) {
  return {[=](const System& part, const Share& share) { return cpu::make_part(part, share, 1, word_bits); }, no_wait};
}

}  // namespace psflip::laboratory
