#include "engine/laboratory/glass2d/timing.hpp"

#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory {

template <class E>
double seconds_per_glass_sweep(const System& system, const std::string& generator, double seconds) {
  SquareGlass<E> glass(system);
  double passed = 0;
  for_each_glass_generator([&]<class G>() {
    if (generator != G::name) return;
    std::vector<std::uint32_t> state = state_of<G>(system.seed);
    G numbers(StridedState{state.data(), 1});
    const Thresholds thresholds = square_glass_thresholds(system.betas[0], G::most);
    passed = seconds_of(
        [&] { glass.sweep(thresholds, [&](int, std::size_t) { return GeneratorGlassNumbers<G>{numbers}; }); }, seconds);
  });
  return passed;
}

template double seconds_per_glass_sweep<std::int8_t>(const System&, const std::string&, double);
template double seconds_per_glass_sweep<std::uint32_t>(const System&, const std::string&, double);
template double seconds_per_glass_sweep<std::uint64_t>(const System&, const std::string&, double);

}  // namespace psflip::laboratory
