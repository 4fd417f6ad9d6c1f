#include "engine/laboratory/multi_hit/multi_hit.hpp"

#include <cmath>
#include <stdexcept>

#include "engine/driver/clock.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/laboratory/multi_hit/tiles.hpp"
#include "engine/random/acceptance_threshold.hpp"

namespace psflip::laboratory {

namespace {

template <int D>
std::array<std::uint32_t, D> thresholds(double beta) {
  std::array<std::uint32_t, D> below{};
  for (int n = 0; n < D; ++n) below[static_cast<std::size_t>(n)] = acceptance_threshold(4 * beta * (D - n));
  return below;
}

double sites_of(const MultiHitPlan& plan) { return std::pow(plan.L, plan.preset->dimension); }

template <int D>
TiledFerromagnet<D> ordered_lattice(const MultiHitPlan& plan, int tile) {
  const auto sites = static_cast<std::size_t>(sites_of(plan));
  return {plan.L, tile, std::vector<std::int8_t>(sites, 1), thresholds<D>(plan.beta)};
}

/// One round: every spin is tried `hits` times. Calls measure() where the order says so.
template <class Lattice, class Numbers, class Measure>
void round(Lattice& lattice, const MultiHitPlan& plan, Numbers& numbers, Measure measure) {
  if (plan.order == Order::naive) {
    for (const int parity : {0, 1}) lattice.update(parity, plan.hits, numbers);
    measure();
    return;
  }
  for (const int parity : {0, 1}) {
    lattice.update(parity, plan.hits / 2, numbers);
    measure();
    lattice.update(parity, plan.hits / 2, numbers);
  }
}

/// Rounds until `sweeps` sweeps are done.
template <class Lattice, class Numbers, class Measure>
void advance(Lattice& lattice, const MultiHitPlan& plan, std::uint64_t sweeps, Numbers& numbers, Measure measure) {
  for (std::uint64_t done = 0; done < sweeps; done += static_cast<std::uint64_t>(plan.hits))
    round(lattice, plan, numbers, measure);
}

template <class Lattice>
void require_counted(const Lattice& lattice) {
  if (lattice.energy() != lattice.counted_energy())
    throw std::logic_error("the tracked energy is not that of the state");
}

template <int D>
EnergySeries run_tiles_of(const MultiHitPlan& plan) {
  EnergySeries series;
  TiledFerromagnet<D> lattice = ordered_lattice<D>(plan, plan.tile);
  with_thread_generator(plan.generator, lattice.threads(), lattice.blocks(), plan.seed, [&](auto& numbers) {
    advance(lattice, plan, plan.discarded, numbers, [] {});
    const double start = now(), sites = sites_of(plan);
    advance(lattice, plan, plan.sweeps, numbers,
            [&] { series.energy.push_back(static_cast<double>(lattice.energy()) / sites); });
    series.seconds = now() - start;
  });
  require_counted(lattice);
  const double measurements = static_cast<double>(series.energy.size());
  series.sweeps_between = plan.order == Order::naive ? plan.hits : 0.5 * plan.hits;
  series.flips = sites_of(plan) * measurements * series.sweeps_between;
  return series;
}

}  // namespace

EnergySeries run_tiles(const MultiHitPlan& plan) {
  return with_dimension(*plan.preset, [&]<int D>() { return run_tiles_of<D>(plan); });
}

}  // namespace psflip::laboratory
