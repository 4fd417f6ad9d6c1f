#pragma once
#include <string>
#include <vector>

#include "engine/laboratory/generators/generators.hpp"
#include "engine/laboratory/layouts/glass.hpp"

namespace psflip::laboratory {

/// Calls f.template operator()<G>() for each generator with a state that updates the spin glass.
template <class F>
void for_each_stateful(F f) {
  f.template operator()<Minstd>();
  f.template operator()<ParisiRapuano>();
  f.template operator()<MersenneTwister>();
  f.template operator()<Xorwow>();
}

/// cuRAND's MTGP32, of a GPU only, and its largest number.
inline constexpr const char* mtgp32_name = "mtgp32";
inline constexpr std::uint32_t mtgp32_most = 0xffffffffu;

/// Their names, "philox" for psflip's addressed numbers, and "none" for the memory access alone.
std::vector<std::string> layout_generators();
std::vector<std::string> layout_names();

/// Compulsory traffic of an update of one site of a pack, in bytes: six couplings; for each of four replicas the spin
/// is read and written, and one spin of the other parity is read (the others are read for other sites as well).
inline constexpr double bytes_per_site = 4 * (6 + glass_replicas * 3.0);

/// Seconds of a sweep of glass_system() by one thread of a CPU.
template <class Layout>
double seconds_per_sweep(const System& system, const std::string& generator, double seconds);

}  // namespace psflip::laboratory
