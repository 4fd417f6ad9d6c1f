#include "engine/laboratory/field_tiles/timing.hpp"

#include <algorithm>
#include <random>

#include "engine/cpu/cpu.hpp"
#include "engine/laboratory/field_tiles/scalar_field.hpp"
#include "engine/laboratory/field_tiles/tempering.hpp"
#include "engine/laboratory/field_tiles/tiles.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/laboratory/reference/timing.hpp"
#include "engine/models/tables.hpp"

namespace psflip::laboratory {

namespace {

/// MINSTD, whose 31 bits are the upper ones of a number.
class PlainNumbers {
 public:
  explicit PlainNumbers(std::uint32_t seed) : state_(seed) {}
  std::uint32_t operator()(std::size_t) { return static_cast<std::uint32_t>(state_()) << 1; }

 private:
  alignas(64) std::minstd_rand0 state_;  // threads do not share a line of the cache
};

std::vector<PlainNumbers> plain_numbers(std::size_t count) {
  std::vector<PlainNumbers> numbers;
  for (std::uint32_t i = 0; i < count; ++i) numbers.emplace_back(i + 1);
  return numbers;
}

/// A copy of the configuration for each slot.
template <class Configuration>
FieldTempering<Configuration> tempering_of(const System& system, const Configuration& first) {
  return {std::vector<Configuration>(system.slots(), first), system, FieldExchange::temperatures, system.seed};
}

/// Seconds of exchanges of the masked bits of neighbouring slots, half of the pairs a round.
double move_seconds(std::size_t slots, std::size_t words_of_slot, int threads, double least) {
  std::mt19937_64 numbers(1);
  std::vector<std::vector<std::uint64_t>> spins(slots, std::vector<std::uint64_t>(words_of_slot));
  for (auto& slot : spins)
    for (std::uint64_t& word : slot) word = numbers();
  const std::uint64_t mask = numbers();
  std::size_t odd = 0;
  return seconds_of(
      [&] {
        const int pairs = static_cast<int>((slots - odd) / 2);
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (int pair = 0; pair < pairs; ++pair) {
          std::uint64_t *a = spins[odd + 2 * static_cast<std::size_t>(pair)].data(),
                        *b = spins[odd + 2 * static_cast<std::size_t>(pair) + 1].data();
          for (std::size_t i = 0; i < words_of_slot; ++i) {
            const std::uint64_t differ = (a[i] ^ b[i]) & mask;
            a[i] ^= differ;
            b[i] ^= differ;
          }
        }
        odd = 1 - odd;
      },
      least);
}

}  // namespace

System field_system(int L, std::vector<double> betas) {
  System system;
  system.model = Model::rfim3d;
  system.L = L;
  system.betas = std::move(betas);
  system.samples = 1;
  system.seed = 1;
  system.h = 1;
  return system;
}

double scalar_field_seconds(const System& system, int threads, double least) {
  ScalarField field(random_field_lattice(system.L, system.seed));
  const FieldThresholds thresholds = make_field_thresholds(system, system.betas[0]);
  std::vector<PlainNumbers> numbers = plain_numbers(static_cast<std::size_t>(threads));
  return seconds_of(
      [&] {
        for (const int parity : {0, 1}) {
          if (threads == 1)
            field.half_sweep(parity, thresholds, [&](std::size_t site) { return numbers[0](site); });
          else
            field.half_sweep_by(threads, parity, thresholds,
                                [&](int thread) { return numbers[static_cast<std::size_t>(thread)](0); });
        }
      },
      least);
}

double tiles_field_seconds(const System& system, const FieldTilePlan& plan, int threads, double least) {
  FieldTiles tiles(random_field_lattice(system.L, system.seed), plan.side);
  const FieldThresholds thresholds = make_field_thresholds(system, system.betas[0]);
  double seconds = 0;
  with_thread_generator(plan.generator, tiles.threads(), tiles.blocks(), plan.seed, [&](auto& numbers) {
    seconds = seconds_of([&] { tiles.sweep(plan.hits, thresholds, numbers, threads); }, least);
  });
  return seconds;
}

double scalar_step_seconds(const System& system, int interval, int threads, double least) {
  auto tempering = tempering_of(system, ScalarField(random_field_lattice(system.L, system.seed)));
  std::vector<PlainNumbers> numbers = plain_numbers(system.slots());
  const auto sweep = [&](ScalarField& field, const FieldThresholds& thresholds, std::size_t slot) {
    for (int half_sweep = 0; half_sweep < 2 * interval; ++half_sweep)
      field.half_sweep(half_sweep % 2, thresholds, [&](std::size_t site) { return numbers[slot](site); });
  };
  return seconds_of([&] { tempering.step(threads, sweep); }, least);
}

double tiles_step_seconds(const System& system, const FieldTilePlan& plan, int interval, int threads, double least) {
  const FieldTiles first(random_field_lattice(system.L, system.seed), plan.side);
  auto tempering = tempering_of(system, first);
  double seconds = 0;
  with_thread_generator(plan.generator, first.threads(), first.blocks(), plan.seed, [&](auto& one) {
    std::vector numbers(system.slots(), one);  // the same numbers at every slot, for the time alone
    const auto sweep = [&](FieldTiles& tiles, const FieldThresholds& thresholds, std::size_t slot) {
      for (int i = 0; i < interval; ++i) tiles.sweep(1, thresholds, numbers[slot]);
    };
    seconds = seconds_of([&] { tempering.step(threads, sweep); }, least);
  });
  return seconds;
}

PackedTimes packed_field_times(const System& system, int interval, int threads, double least) {
  PackedTimes times;
  times.word_bits = cpu::supported_word_bits().back();
  times.samples = static_cast<std::uint64_t>(times.word_bits) * static_cast<std::uint64_t>(threads);
  System packed = system;
  packed.samples = times.samples;
  const auto seconds = [&](int sweeps) {
    packed.round.half_sweeps = 2 * static_cast<std::uint64_t>(sweeps);
    const auto engine = cpu::make_engine(packed, threads, times.word_bits);
    return seconds_of([&] { engine->advance(1); }, least);
  };
  if (system.slots() == 1) {
    times.sweep = seconds(1);
    return times;
  }
  times.step = seconds(interval);
  const double shortest = seconds(1);
  // A busy machine disturbs both times: a sweep takes more than nothing and at most its part of the step.
  const double part = times.step / interval;
  times.sweep = std::clamp((times.step - shortest) / (interval - 1), 0.1 * part, part);
  times.exchange = times.step - interval * times.sweep;
  times.move = move_seconds(system.slots(), system.sites() * times.samples / 64, threads, least);
  return times;
}

}  // namespace psflip::laboratory
