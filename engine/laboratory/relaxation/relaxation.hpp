#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/layouts/glass.hpp"

/// Relaxation of the 3D spin glass from random spins with any generator, in the layout sliced. All runs of a plan have
/// the same couplings and the same spins at the start, so that differences between two generators are paired.
namespace psflip::laboratory {

struct RelaxationPlan {
  int L = 0;
  double T = 1;
  std::vector<std::uint64_t> times;  ///< of measurements, in sweeps, increasing
  std::uint32_t packs = 1;           ///< of 32 samples that share random numbers
  std::uint32_t seed = 1;            ///< of couplings and initial spins, and of generators with a state
  std::uint32_t threads = 64;        ///< states of a pack; thread t updates the sites t, t + threads, ...
};

/// Means over the 32 samples of a pack: its samples share random numbers, so a pack is the smallest independent block.
struct Relaxation {
  std::vector<std::vector<double>> energy;  ///< [pack][time], per site, mean over the four replicas
  std::vector<std::vector<double>> q2;      ///< [pack][time], squared overlap, mean over the six pairs of replicas
};

/// 1, 2, 4, ... and `sweeps` itself.
std::vector<std::uint64_t> doubling_times(std::uint64_t sweeps);

System system_of(const RelaxationPlan& plan);

/// Adds the means of a pack at a time.
void measure(Glass<Sliced>& glass, std::uint32_t pack, std::vector<double>& energy, std::vector<double>& q2);

/// Half sweeps of one pack with a state of the generator G for each thread, as a GPU does them.
template <class G>
class StatefulUpdate {
 public:
  StatefulUpdate(const RelaxationPlan& plan, std::uint32_t pack, std::vector<std::uint32_t> states)
      : thresholds_(glass_thresholds(1 / plan.T, G::most)),
        pack_(pack),
        threads_(plan.threads),
        states_(std::move(states)) {}

  template <int PARITY>
  void half_sweep(Glass<Sliced>& glass, std::uint32_t) {
    const GlassView view = glass.view();
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
      G generator(StridedState{states_.data() + thread, threads_});
      NextNumbers<G> numbers{generator};
      for (std::uint32_t index = thread; index < view.sites; index += threads_)
        update_site<PARITY>(view, glass.layout(), thresholds_, pack_, index, numbers);
      generator.store();
    }
  }

 private:
  Thresholds thresholds_;
  std::uint32_t pack_, threads_;
  std::vector<std::uint32_t> states_;
};

/// make_update(pack) returns an object with half_sweep<PARITY>(glass, number of the half sweep) for this pack.
template <class MakeUpdate>
Relaxation relax(const RelaxationPlan& plan, const MakeUpdate& make_update) {
  Glass<Sliced> glass(system_of(plan));
  Relaxation relaxation{std::vector<std::vector<double>>(plan.packs), std::vector<std::vector<double>>(plan.packs)};
  for (std::uint32_t pack = 0; pack < plan.packs; ++pack) {
    auto update = make_update(pack);
    std::uint64_t sweep = 0;
    for (const std::uint64_t time : plan.times) {
      for (; sweep < time; ++sweep) {
        update.template half_sweep<0>(glass, static_cast<std::uint32_t>(2 * sweep));
        update.template half_sweep<1>(glass, static_cast<std::uint32_t>(2 * sweep + 1));
      }
      measure(glass, pack, relaxation.energy[pack], relaxation.q2[pack]);
    }
  }
  return relaxation;
}

/// With states_of_pack(pack), the states of its threads: [word][thread].
template <class G, class StatesOfPack>
Relaxation relax_with_states(const RelaxationPlan& plan, const StatesOfPack& states_of_pack) {
  return relax(plan, [&](std::uint32_t pack) { return StatefulUpdate<G>(plan, pack, states_of_pack(pack)); });
}

/// psflip's addressed numbers of the given seed, which may differ from the seed of the couplings.
Relaxation relax_with_addresses(const RelaxationPlan& plan, std::uint32_t seed);

/// Generators that `relax_with` knows: those of layouts that give numbers.
std::vector<std::string> relaxation_generators();

/// With a generator by name. "philox" has the seed after that of the plan.
Relaxation relax_with(const std::string& generator, const RelaxationPlan& plan);

}  // namespace psflip::laboratory
