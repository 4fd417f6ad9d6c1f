#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/laboratory/layouts/update.hpp"
#include "engine/models/system.hpp"

namespace psflip::laboratory {

/// The spin glass with random bonds in three dimensions, shared random numbers, four replicas: the system of psflip
/// that the layouts simulate. Samples 0 ... 32 packs - 1.
System glass_system(int L, double beta, std::uint32_t packs, std::uint32_t seed);

/// (most + 1) exp(-4 beta (3 - n)) for n = 0, 1, 2, of numbers 0 ... most: psflip's integer threshold, scaled.
Thresholds glass_thresholds(double beta, std::uint32_t most);

/// The addressed numbers of a half sweep of glass_system().
AddressedNumbers metropolis_numbers(const System& system, std::uint32_t half_sweep);

/// A layout of some slices, which one of several processes holds.
template <class Layout>
concept PartOfLattice = requires {
  Layout::is_part;
};

/// A System of glass_system() in the memory of the host, in one layout, at the start.
template <class Layout>
class Glass {
 public:
  /// L must be one that Layout::allows().
  explicit Glass(const System& system) : Glass(system, Layout(static_cast<std::uint32_t>(system.L))) {}
  Glass(const System& system, const Layout& layout);

  const Layout& layout() const { return layout_; }
  GlassView view() {
    return {{spins_[0].data(), spins_[1].data()}, couplings_.data(), packs_, static_cast<std::uint32_t>(sites())};
  }
  std::size_t sites() const { return sites_; }  ///< of one parity

  /// f(pack, index) for every site of one parity of every pack.
  template <class F>
  void for_each_site(F f) {
    for (std::uint32_t pack = 0; pack < packs_; ++pack)
      for (std::uint32_t index = 0; index < sites_; ++index) f(pack, index);
  }
  template <int PARITY, class Numbers>
  void half_sweep(const Thresholds& thresholds, Numbers numbers) {
    const GlassView glass = view();
    for_each_site([&](std::uint32_t pack, std::uint32_t index) {
      update_site<PARITY>(glass, layout_, thresholds, pack, index, numbers);
    });
  }
  /// The sites `begin` ... `end` - 1 of one pack.
  template <int PARITY, class Numbers>
  void update(std::uint32_t pack, std::size_t begin, std::size_t end, const Thresholds& thresholds, Numbers numbers) {
    const GlassView glass = view();
    for (std::size_t index = begin; index < end; ++index)
      update_site<PARITY>(glass, layout_, thresholds, pack, static_cast<std::uint32_t>(index), numbers);
  }

  /// [sample][replica][site], +1 or -1, as Engine::spins().
  std::vector<std::int8_t> spins() const requires(!PartOfLattice<Layout>);

  std::vector<std::uint32_t>& words(int parity) { return spins_[parity]; }
  const std::vector<std::uint32_t>& couplings() const { return couplings_; }

 private:
  void draw_disorder(const System& system);
  void draw_spins(const System& system);

  Layout layout_;
  std::uint32_t L_, packs_;
  std::size_t sites_;
  std::vector<std::uint32_t> spins_[2];  ///< as GlassView
  std::vector<std::uint32_t> couplings_;
};

}  // namespace psflip::laboratory
