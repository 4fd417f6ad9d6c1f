#include "engine/laboratory/generators/timing.hpp"

#include <algorithm>
#include <random>

#include "engine/laboratory/generators/generators.hpp"
#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory {

namespace {

constexpr std::uint32_t seed = 5489;

/// The odd numbers of all timings; without a reader the compiler would leave the numbers out.
volatile std::uint64_t odd_total;

/// Times numbers of `next`, which are 0 ... most.
template <class Next>
void time_numbers(GeneratorTime& time, Next next, double most, std::size_t count, double seconds) {
  std::vector<float> numbers(count);
  const auto scale = static_cast<float>(1 / (most + 1));
  time.numbers_filled = static_cast<double>(count);
  time.seconds_fill = seconds_of(
      [&] {
        for (float& number : numbers) number = static_cast<float>(next()) * scale;
      },
      seconds);
  const double seconds_counting = seconds_of(
      [&] {
        std::uint64_t odd = 0;
        for (std::size_t i = 0; i < count; ++i) odd += next() & 1u;
        odd_total = odd;
      },
      seconds);
  time.numbers_per_second = static_cast<double>(count) / seconds_counting;
}

template <class G>
GeneratorTime time_own(std::size_t count, double seconds) {
  GeneratorTime time{G::name, "psflip", G::words * sizeof(std::uint32_t), 1};
  std::vector<std::uint32_t> state;
  time.seconds_init = seconds_of([&] { state = states_of<G>(1, seed); }, seconds / 10);
  G generator(StridedState{state.data(), 1});
  time_numbers(
      time, [&] { return generator(); }, G::most, count, seconds);
  return time;
}

template <class Standard>
GeneratorTime time_standard(const char* name, std::size_t count, double seconds) {
  GeneratorTime time{name, "std", sizeof(Standard), 1};
  Standard generator;
  time.seconds_init = seconds_of([&] { generator.seed(seed); }, seconds / 10);
  time_numbers(
      time, [&] { return static_cast<std::uint32_t>(generator()); }, Standard::max(), count, seconds);
  return time;
}

}  // namespace

std::vector<std::string> gpu_generators() { return {"mtgp32"}; }

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for_each_generator([&]<class G>() { names.emplace_back(G::name); });
  for (const std::string& name : gpu_generators()) names.push_back(name);
  return names;
}

std::vector<GeneratorTime> time_on_cpu(const std::vector<std::string>& names, std::size_t count, double seconds) {
  std::vector<GeneratorTime> times;
  const auto is_named = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  for_each_generator([&]<class G>() {
    if (is_named(G::name)) times.push_back(time_own<G>(count, seconds));
  });
  if (is_named(Minstd::name)) times.push_back(time_standard<std::minstd_rand0>(Minstd::name, count, seconds));
  if (is_named(MersenneTwister::name))
    times.push_back(time_standard<std::mt19937>(MersenneTwister::name, count, seconds));
  return times;
}

}  // namespace psflip::laboratory
