#include "engine/laboratory/tempering/scalar_tempering.hpp"

#include <numeric>
#include <utility>

namespace psflip::laboratory {

/// Bit 0 of eight planes, then the 24 bits of lane 0.
std::uint32_t AddressedTemperingNumbers::metropolis(std::size_t slot, std::size_t site,
                                                    std::uint32_t half_sweep) const {
  std::uint32_t number = at(metropolis_, slot, site, half_sweep, residual_draw) >> plane_count;
  for (std::uint32_t draw = 0; draw < 2; ++draw) {
    const auto planes = numbers_at(metropolis_, static_cast<std::uint32_t>(site / 2), half_sweep, 0, 0, draw,
                                   static_cast<std::uint32_t>(slot));
    for (std::uint32_t j = 0; j < 4; ++j) number |= (planes.x[j] & 1u) << (31 - 4 * draw - j);
  }
  return number;
}

template <class Numbers>
ScalarTempering<Numbers>::ScalarTempering(const System& system)
    : system_(system), numbers_(system), table_(make_exchange_table(system)), lattice_at_(system.slots()) {
  std::iota(lattice_at_.begin(), lattice_at_.end(), std::size_t{0});
  const auto L = static_cast<std::size_t>(system.L);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) {
    const Thresholds of_32_bits = make_thresholds(system.betas[slot], 2);
    std::array<std::uint32_t, 2> thresholds{};
    for (std::size_t n = 0; n < 2; ++n)
      thresholds[n] =
          static_cast<std::uint32_t>((of_32_bits.by_unsatisfied[n] * (std::uint64_t{Numbers::most} + 1)) >> 32);
    thresholds_.push_back(thresholds);
    ScalarLattice<2> lattice{system.L, std::vector<std::int8_t>(L * L), {}};
    for (std::size_t site = 0; site < L * L; ++site)
      lattice.spins[site] = numbers_.starts_down(slot, site, static_cast<int>((site + site / L) % 2)) ? -1 : 1;
    lattices_.push_back(std::move(lattice));
  }
}

template <class Numbers>
void ScalarTempering<Numbers>::advance(std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::size_t slot = 0; slot < system_.slots(); ++slot) sweep(slot);
    exchange();
    ++rounds_;
  }
}

template <class Numbers>
void ScalarTempering<Numbers>::sweep(std::size_t slot) {
  ScalarLattice<2>& lattice = lattices_[lattice_at_[slot]];
  Numbers numbers = numbers_;  // a state in registers
  for (std::uint64_t h = 0; h < system_.round.half_sweeps; ++h) {
    const auto half_sweep = static_cast<std::uint32_t>(rounds_ * system_.round.half_sweeps + h);
    lattice.half_sweep(static_cast<int>(half_sweep % 2), thresholds_[slot],
                       [&](std::size_t site) { return numbers.metropolis(slot, site, half_sweep); });
  }
  numbers_ = numbers;
}

template <class Numbers>
std::int64_t ScalarTempering<Numbers>::bond_sum(std::size_t slot) const {
  const std::vector<std::int8_t>& s = lattices_[lattice_at_[slot]].spins;
  const auto L = static_cast<std::size_t>(system_.L);
  std::int64_t sum = 0;
  for (std::size_t y = 0; y < L; ++y)
    for (std::size_t x = 0; x < L; ++x)
      sum += s[x + L * y] * (s[(x + 1 == L ? 0 : x + 1) + L * y] + s[x + L * (y + 1 == L ? 0 : y + 1)]);
  return sum;
}

template <class Numbers>
void ScalarTempering<Numbers>::exchange() {
  for (std::size_t slot = rounds_ % 2; slot + 1 < system_.slots(); slot += 2) {
    const std::int64_t x = table_.weights[slot].bond * (bond_sum(slot + 1) - bond_sum(slot));
    if (numbers_.exchange(slot, static_cast<std::uint32_t>(rounds_)) >= exchange_threshold(x, table_.shift)) continue;
    std::swap(lattice_at_[slot], lattice_at_[slot + 1]);
    ++exchanges_;
  }
}

template class ScalarTempering<AddressedTemperingNumbers>;
template class ScalarTempering<SerialTemperingNumbers>;

}  // namespace psflip::laboratory
