#include <array>
#include <cmath>
#include <numeric>

#include "engine/driver/clock.hpp"
#include "engine/laboratory/multi_hit/multi_hit.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/random/acceptance_threshold.hpp"

namespace psflip::laboratory {

namespace {

/// A periodic lattice of D dimensions whose sites x + L (y + L z) are tried in this order.
template <int D>
struct SequentialFerromagnet {
  int L;
  std::vector<std::int8_t> spins;
  std::array<std::uint32_t, D> below;
  std::int64_t energy;

  template <class Numbers>
  void sweep(Numbers& numbers) {
    const auto sites = static_cast<std::int64_t>(spins.size());
    std::array<int, D> at{};
    for (std::int64_t site = 0; site < sites; ++site) {
      int sum = 0;
      std::int64_t step = 1;
      for (int direction = 0; direction < D; ++direction, step *= L) {
        const int x = at[static_cast<std::size_t>(direction)];
        sum += spins[static_cast<std::size_t>(x + 1 == L ? site - step * (L - 1) : site + step)];
        sum += spins[static_cast<std::size_t>(x == 0 ? site + step * (L - 1) : site - step)];
      }
      try_site(spins[static_cast<std::size_t>(site)], sum, numbers);
      for (int direction = 0; direction < D && ++at[static_cast<std::size_t>(direction)] == L; ++direction)
        at[static_cast<std::size_t>(direction)] = 0;
    }
  }

 private:
  template <class Numbers>
  void try_site(std::int8_t& spin, int sum, Numbers& numbers) {
    const int unsatisfied = (2 * D - spin * sum) / 2;
    if (unsatisfied < D && numbers(Visit{0, 0}) >= below[static_cast<std::size_t>(unsatisfied)]) return;
    energy += 2 * spin * sum;
    spin = static_cast<std::int8_t>(-spin);
  }
};

template <int D>
MultiHitSeries run_of(const MultiHitPlan& plan) {
  const double sites = std::pow(plan.L, D);
  SequentialFerromagnet<D> lattice{plan.L, std::vector<std::int8_t>(static_cast<std::size_t>(sites), 1), {}, 0};
  lattice.energy = -D * static_cast<std::int64_t>(sites);
  for (int n = 0; n < D; ++n)
    lattice.below[static_cast<std::size_t>(n)] = acceptance_threshold(4 * plan.beta * (D - n));
  MultiHitSeries series;
  series.sweeps_between = 1;
  with_thread_generator(plan.generator, 1, 1, plan.seed, [&](auto& numbers) {
    for (std::uint64_t sweep = 0; sweep < plan.discarded; ++sweep) lattice.sweep(numbers);
    double counting = 0;
    const double start = now();
    for (std::uint64_t sweep = 0; sweep < plan.sweeps; ++sweep) {
      lattice.sweep(numbers);
      series.energy.push_back(static_cast<double>(lattice.energy) / sites);
      const double before = now();
      const auto sum = std::accumulate(lattice.spins.begin(), lattice.spins.end(), std::int64_t{0});
      series.magnetization.push_back(std::abs(static_cast<double>(sum)) / sites);
      counting += now() - before;
    }
    series.seconds = now() - start - counting;
  });
  series.flips = sites * static_cast<double>(plan.sweeps);
  return series;
}

}  // namespace

MultiHitSeries run_sequential(const MultiHitPlan& plan) {
  return with_dimension(*plan.preset, [&]<int D>() { return run_of<D>(plan); });
}

}  // namespace psflip::laboratory
