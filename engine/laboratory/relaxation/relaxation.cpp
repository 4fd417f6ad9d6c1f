#include "engine/laboratory/relaxation/relaxation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "engine/laboratory/layouts/timing.hpp"

namespace psflip::laboratory {

namespace {

/// Half sweeps of one pack with addressed numbers.
class AddressedUpdate {
 public:
  AddressedUpdate(const System& numbers, std::uint32_t pack)
      : numbers_(numbers), thresholds_(glass_thresholds(numbers.betas[0], AddressedNumbers::most)), pack_(pack) {}

  template <int PARITY>
  void half_sweep(Glass<Sliced>& glass, std::uint32_t number) const {
    const GlassView view = glass.view();
    AddressedNumbers numbers = metropolis_numbers(numbers_, number);
    for (std::uint32_t index = 0; index < view.sites; ++index)
      update_site<PARITY>(view, glass.layout(), thresholds_, pack_, index, numbers);
  }

 private:
  System numbers_;
  Thresholds thresholds_;
  std::uint32_t pack_;
};

/// Unsatisfied bonds of the 32 samples of a pack together, in one replica.
std::uint64_t unsatisfied_bonds(const GlassView& glass, const Sliced& layout, std::uint32_t pack,
                                std::uint32_t replica) {
  const std::uint32_t *even = glass.spins_of(0, pack, replica), *odd = glass.spins_of(1, pack, replica);
  std::uint64_t total = 0;
  for (std::uint32_t index = 0; index < glass.sites; ++index) {
    const Six six = layout.neighbours<0>(index);
    for (std::uint32_t k = 0; k < 6; ++k)
      total += static_cast<std::uint64_t>(std::popcount(even[index] ^ odd[six.of[k]] ^ glass.coupling(k, pack, index)));
  }
  return total;
}

/// Squared overlap of two replicas, mean over the 32 samples of a pack.
double squared_overlap(const GlassView& glass, std::uint32_t pack, std::uint32_t a, std::uint32_t b) {
  std::array<std::uint32_t, 32> different{};  // [sample], sites
  for (const int parity : {0, 1}) {
    const std::uint32_t *mine = glass.spins_of(parity, pack, a), *other = glass.spins_of(parity, pack, b);
    for (std::uint32_t index = 0; index < glass.sites; ++index) {
      const std::uint32_t word = mine[index] ^ other[index];
      for (std::uint32_t sample = 0; sample < 32; ++sample) different[sample] += (word >> sample) & 1u;
    }
  }
  const double sites = 2.0 * glass.sites;
  return std::transform_reduce(different.begin(), different.end(), 0.0, std::plus<>(),
                               [&](std::uint32_t n) { return (1 - 2 * n / sites) * (1 - 2 * n / sites); }) /
         32;
}

}  // namespace

std::vector<std::uint64_t> doubling_times(std::uint64_t sweeps) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t time = 1; time < sweeps; time *= 2) times.push_back(time);
  times.push_back(sweeps);
  return times;
}

System system_of(const RelaxationPlan& plan) { return glass_system(plan.L, 1 / plan.T, plan.packs, plan.seed); }

void measure(Glass<Sliced>& glass, std::uint32_t pack, std::vector<double>& energy, std::vector<double>& q2) {
  const GlassView view = glass.view();
  std::uint64_t unsatisfied = 0;
  double squares = 0;
  for (std::uint32_t a = 0; a < glass_replicas; ++a) {
    unsatisfied += unsatisfied_bonds(view, glass.layout(), pack, a);
    for (std::uint32_t b = 0; b < a; ++b) squares += squared_overlap(view, pack, a, b);
  }
  const double spins = 2.0 * view.sites * 32 * glass_replicas;
  energy.push_back(2 * static_cast<double>(unsatisfied) / spins - 3);
  q2.push_back(squares / (0.5 * glass_replicas * (glass_replicas - 1)));
}

Relaxation relax_with_addresses(const RelaxationPlan& plan, std::uint32_t seed) {
  System numbers = system_of(plan);
  numbers.seed = seed;
  return relax(plan, [&](std::uint32_t pack) { return AddressedUpdate(numbers, pack); });
}

std::vector<std::string> relaxation_generators() {
  std::vector<std::string> names = layout_generators();
  std::erase(names, "none");
  return names;
}

Relaxation relax_with(const std::string& generator, const RelaxationPlan& plan) {
  if (generator == AddressedNumbers::name) return relax_with_addresses(plan, plan.seed + 1);
  Relaxation relaxation;
  for_each_stateful([&]<class G>() {
    if (generator != G::name) return;
    // Pack p has the states p threads ... (p + 1) threads - 1 of all: as one launch for all packs.
    relaxation = relax_with_states<G>(
        plan, [&](std::uint32_t pack) { return states_of<G>(plan.threads, plan.seed + pack * plan.threads); });
  });
  return relaxation;
}

}  // namespace psflip::laboratory
