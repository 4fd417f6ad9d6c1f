#include "engine/laboratory/exchange/equal_bits.hpp"

#include <algorithm>
#include <array>

#include "engine/cpu/cpu.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/laboratory/exchange/sliced_ranks.hpp"
#include "engine/laboratory/reference/scalar.hpp"

namespace psflip::laboratory {

namespace {

std::int8_t sign_of(std::uint32_t word, std::uint32_t lane) { return (word >> lane) & 1u ? -1 : 1; }

/// The bonds of one sample in the directions +x, +y, +z.
std::vector<std::array<std::int8_t, 3>> couplings_of_sample(Glass<Standard>& glass, std::uint32_t sample) {
  const GlassView view = glass.view();
  const std::uint32_t L = glass.layout().L;
  std::vector<std::array<std::int8_t, 3>> couplings(2 * glass.sites());
  for (std::uint32_t site = 0; site < couplings.size(); ++site) {
    std::uint32_t J[6];
    if ((site + site / L + site / (L * L)) % 2 == 0)
      couplings_of<0>(view, sample / 32, site / 2, glass.layout().neighbours<0>(site / 2), J);
    else
      couplings_of<1>(view, sample / 32, site / 2, glass.layout().neighbours<1>(site / 2), J);
    couplings[site] = {sign_of(J[0], sample % 32), sign_of(J[2], sample % 32), sign_of(J[4], sample % 32)};
  }
  return couplings;
}

Glass<Sliced> on_one_rank(const System& system, std::uint32_t half_sweeps) {
  Glass<Sliced> glass(system);
  const Thresholds thresholds = glass_thresholds(system.betas[0], AddressedNumbers::most);
  for (std::uint32_t h = 0; h < half_sweeps; ++h) {
    if (h % 2 == 0)
      glass.half_sweep<0>(thresholds, metropolis_numbers(system, h));
    else
      glass.half_sweep<1>(thresholds, metropolis_numbers(system, h));
  }
  return glass;
}

/// The rows of one sample.
std::vector<std::int8_t> signs_of_sample(const PackedSigns& all, std::uint32_t sample) {
  PackedSigns rows(glass_replicas, all.length);
  std::copy_n(all.row(std::size_t{sample} * glass_replicas), rows.words.size(), rows.words.begin());
  return unpack_signs(rows);
}

}  // namespace

template <class Layout>
std::vector<std::int8_t> spins_of_sample(Glass<Layout>& glass, std::uint32_t sample) {
  const GlassView view = glass.view();
  const Layout& layout = glass.layout();
  const std::uint32_t L = layout.L;
  std::vector<std::int8_t> spins(glass_replicas * 2 * glass.sites());
  for (std::uint32_t replica = 0; replica < glass_replicas; ++replica) {
    for (const int parity : {0, 1}) {
      const std::uint32_t* words = view.spins_of(parity, sample / 32, replica);
      for (std::uint32_t index = 0; index < glass.sites(); ++index) {
        const std::uint32_t even =
            2 * (parity == 0 ? layout.template compact<0>(index) : layout.template compact<1>(index));
        const std::uint32_t site = even + ((even / L + even / (L * L) + static_cast<std::uint32_t>(parity)) & 1u);
        spins[replica * 2 * glass.sites() + site] = sign_of(words[index], sample % 32);
      }
    }
  }
  return spins;
}
template std::vector<std::int8_t> spins_of_sample(Glass<Sliced>&, std::uint32_t);
template std::vector<std::int8_t> spins_of_sample(Glass<Standard>&, std::uint32_t);

std::vector<std::int8_t> scalar_trajectory(const System& system, std::uint32_t sample, std::uint32_t half_sweeps) {
  Glass<Standard> glass(system);
  const std::vector<std::int8_t> start = spins_of_sample(glass, sample);
  ScalarLattice<3> lattice{system.L, {}, couplings_of_sample(glass, sample)};
  const Thresholds thresholds = glass_thresholds(system.betas[0], AddressedNumbers::most);
  const std::array<std::uint32_t, 3> threshold = {thresholds.by_unsatisfied[0], thresholds.by_unsatisfied[1],
                                                  thresholds.by_unsatisfied[2]};
  const auto sites = static_cast<std::ptrdiff_t>(system.sites());
  std::vector<std::int8_t> end;
  for (std::uint32_t replica = 0; replica < glass_replicas; ++replica) {
    lattice.spins.assign(start.begin() + replica * sites, start.begin() + (replica + 1) * sites);
    for (std::uint32_t h = 0; h < half_sweeps; ++h) {
      const Key key = metropolis_numbers(system, h).key;
      lattice.half_sweep(static_cast<int>(h % 2), threshold, [&](std::size_t site) {
        return numbers_at(key, static_cast<std::uint32_t>(site / 2), h, sample / 32, 0, 0).x[replica];
      });
    }
    end.insert(end.end(), lattice.spins.begin(), lattice.spins.end());
  }
  return end;
}

std::vector<std::string> programs_with_equal_bits(const System& system, Ranks& ranks, std::uint32_t half_sweeps) {
  SlicedRanks sliced(system, ranks);
  for (std::uint32_t h = 0; h < half_sweeps; ++h) sliced.half_sweep();
  Glass<Sliced> end = sliced.gathered();
  Decomposed psflip(system, ranks,
                    [](const System& part, const Share& share) { return cpu::make_part(part, share, 1, 0); });
  psflip.advance(half_sweeps);  // a round of glass_system() is a half sweep
  const PackedSigns of_psflip = psflip.packed_spins(0);
  std::vector<std::string> equal;
  if (!ranks.is_first()) return equal;
  Glass<Sliced> one_rank = on_one_rank(system, half_sweeps);
  if (end.words(0) == one_rank.words(0) && end.words(1) == one_rank.words(1)) equal.emplace_back("one rank");
  bool is_scalar = true, is_psflip = true;
  for (const std::uint32_t sample : {0u, static_cast<std::uint32_t>(system.samples) - 1}) {
    const std::vector<std::int8_t> spins = spins_of_sample(end, sample);
    is_scalar = is_scalar && spins == scalar_trajectory(system, sample, half_sweeps);
    is_psflip = is_psflip && spins == signs_of_sample(of_psflip, sample);
  }
  if (is_scalar) equal.emplace_back("scalar");
  if (is_psflip) equal.emplace_back("psflip");
  return equal;
}

}  // namespace psflip::laboratory
