#pragma once
#include <string>
#include <vector>

#include "engine/laboratory/generators/generators.hpp"
#include "engine/laboratory/glass2d/update.hpp"
#include "engine/models/system.hpp"

namespace psflip::laboratory {

/// The 2D spin glass with shared random numbers, as psflip simulates it: realizations 0 ... realizations - 1.
System square_glass_system(int L, double beta, std::uint64_t realizations, int replicas, std::uint32_t seed);

/// (most + 1) exp(-4 beta (2 - n)) for n = 0, 1, of numbers 0 ... most: psflip's integer threshold, scaled.
Thresholds square_glass_thresholds(double beta, std::uint32_t most);

/// The addressed numbers of a half sweep for the group that begins with this pack.
AddressedGlassNumbers glass_numbers(const System& system, std::uint32_t half_sweep, std::uint64_t pack);

/// Generators of the timings: calls f.template operator()<G>() for each.
template <class F>
void for_each_glass_generator(F f) {
  f.template operator()<Minstd>();
  f.template operator()<Xorwow>();
  f.template operator()<AddressedPhilox>();
}
std::vector<std::string> glass_generators();

/// A System of square_glass_system() with one replica in the memory of the host, at the start.
template <class E>
class SquareGlass {
 public:
  explicit SquareGlass(const System& system);

  std::size_t groups() const { return groups_; }
  std::size_t sites() const { return sites_; }  ///< of both parities
  SquareGlassView<E> view(std::size_t group) {
    return {&spins_[group * sites_], &couplings_[group * 2 * sites_], L_, 1};
  }
  /// A sweep of all groups, one after the other. `numbers(parity, group)`: those of a half sweep.
  template <class Numbers>
  void sweep(const Thresholds& thresholds, Numbers numbers) {
    for (std::size_t group = 0; group < groups_; ++group) {
      glass_half_sweep<0>(view(group), thresholds, numbers(0, group));
      glass_half_sweep<1>(view(group), thresholds, numbers(1, group));
    }
  }

  /// [realization][site], +1 or -1, as Engine::spins().
  std::vector<std::int8_t> spins() const;

  std::vector<E>& elements() { return spins_; }                   ///< [group][place]
  const std::vector<E>& couplings() const { return couplings_; }  ///< [group][direction][place]

 private:
  std::uint32_t L_;
  std::size_t groups_, sites_;
  std::vector<E> spins_, couplings_;
};

}  // namespace psflip::laboratory
