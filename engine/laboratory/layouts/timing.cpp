#include "engine/laboratory/layouts/timing.hpp"

#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory {

std::vector<std::string> layout_generators() {
  std::vector<std::string> names;
  for_each_stateful([&]<class G>() { names.emplace_back(G::name); });
  names.emplace_back(AddressedNumbers::name);
  names.emplace_back("none");
  return names;
}

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for_each_layout([&]<class Layout>() { names.emplace_back(Layout::name); });
  return names;
}

template <class Layout>
double seconds_per_sweep(const System& system, const std::string& generator, double seconds) {
  Glass<Layout> glass(system);
  const double beta = system.betas[0];
  double passed = 0;
  if (generator == "none") {
    const GlassView view = glass.view();
    passed = seconds_of(
        [&] {
          glass.for_each_site([&](auto pack, auto index) { stencil_site<0>(view, glass.layout(), pack, index); });
          glass.for_each_site([&](auto pack, auto index) { stencil_site<1>(view, glass.layout(), pack, index); });
        },
        seconds);
  }
  if (generator == AddressedNumbers::name) {
    std::uint32_t h = 0;
    const Thresholds thresholds = glass_thresholds(beta, AddressedNumbers::most);
    passed = seconds_of(
        [&] {
          glass.template half_sweep<0>(thresholds, metropolis_numbers(system, h++));
          glass.template half_sweep<1>(thresholds, metropolis_numbers(system, h++));
        },
        seconds);
  }
  for_each_stateful([&]<class G>() {
    if (generator != G::name) return;
    std::vector<std::uint32_t> state = states_of<G>(1, system.seed);
    G numbers(StridedState{state.data(), 1});
    const Thresholds thresholds = glass_thresholds(beta, G::most);
    passed = seconds_of(
        [&] {
          glass.template half_sweep<0>(thresholds, NextNumbers<G>{numbers});
          glass.template half_sweep<1>(thresholds, NextNumbers<G>{numbers});
        },
        seconds);
  });
  return passed;
}

template double seconds_per_sweep<Sliced>(const System&, const std::string&, double);
template double seconds_per_sweep<Standard>(const System&, const std::string&, double);
template double seconds_per_sweep<Bitwise>(const System&, const std::string&, double);

}  // namespace psflip::laboratory
