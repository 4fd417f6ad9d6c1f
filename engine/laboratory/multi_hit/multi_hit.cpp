#include "engine/laboratory/multi_hit/multi_hit.hpp"

#include <cmath>
#include <stdexcept>

#include "engine/laboratory/multi_hit/rounds.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/laboratory/multi_hit/tiles.hpp"
#include "engine/laboratory/multi_hit/tracking_times.hpp"

namespace psflip::laboratory {

namespace {

template <int D>
TiledFerromagnet<D> ordered_lattice(const MultiHitPlan& plan) {
  const auto sites = static_cast<std::size_t>(sites_of(plan));
  return {plan.L, plan.tile, std::vector<std::int8_t>(sites, 1), flip_thresholds<D>(plan.beta)};
}

template <class Lattice>
void require_counted(const Lattice& lattice) {
  if (lattice.energy() != lattice.counted_energy())
    throw std::logic_error("the tracked energy is not that of the state");
}

/// f(lattice, numbers) with the ordered lattice and the generator of the plan.
template <int D, class F>
void with_lattice(const MultiHitPlan& plan, F f) {
  TiledFerromagnet<D> lattice = ordered_lattice<D>(plan);
  with_thread_generator(plan.generator, lattice.threads(), lattice.blocks(), plan.seed,
                        [&](auto& numbers) { f(lattice, numbers); });
}

template <int D>
MultiHitSeries run_tiles_of(const MultiHitPlan& plan) {
  MultiHitSeries series;
  const double sites = sites_of(plan);
  with_lattice<D>(plan, [&](auto& lattice, auto& numbers) {
    const auto update = [&](int parity, int hits) { lattice.update(parity, hits, numbers); };
    do_sweeps(plan, plan.discarded, update, [] {});
    double counting = 0;
    const double start = now();
    do_sweeps(plan, plan.sweeps, update, [&] {
      series.energy.push_back(static_cast<double>(lattice.energy()) / sites);
      const double before = now();
      series.magnetization.push_back(std::abs(static_cast<double>(lattice.magnetization())) / sites);
      counting += now() - before;
    });
    series.seconds = now() - start - counting;
    require_counted(lattice);
  });
  count_flips(series, plan);
  return series;
}

template <int D>
TrackingTimes time_tracking_of(const MultiHitPlan& plan, double seconds) {
  TrackingTimes best;
  with_lattice<D>(plan, [&](auto& lattice, auto& numbers) {
    const auto tracked = [&](int parity, int hits) { lattice.update(parity, hits, numbers); };
    const auto untracked = [&](int parity, int hits) { lattice.template update<false>(parity, hits, numbers); };
    do_sweeps(plan, plan.discarded, untracked, [] {});
    best =
        best_times([&] { do_round(plan, tracked, [] {}); }, [&] { do_round(plan, untracked, [] {}); }, [] {}, seconds);
  });
  return best;
}

}  // namespace

MultiHitSeries run_tiles(const MultiHitPlan& plan) {
  return with_dimension(*plan.preset, [&]<int D>() { return run_tiles_of<D>(plan); });
}

TrackingTimes time_tracking(const MultiHitPlan& plan, double seconds) {
  return with_dimension(*plan.preset, [&]<int D>() { return time_tracking_of<D>(plan, seconds); });
}

}  // namespace psflip::laboratory
