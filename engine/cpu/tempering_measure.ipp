// Measurements of Tempering; included at the end of tempering.hpp.
#pragma once

namespace psflip::cpu {

/// Bond sum and field sum of every lane. Every bond has one end on an even site.
template <class W>
void Tempering<W>::sum_energies(Slab& slab, std::size_t unit) const {
  const std::size_t sites = lattice_.sites_per_parity();
  const W *even = slab.spins[unit].data(), *odd = even + sites;
  CounterBank<W> bank(2, std::bit_width(6 * sites));
  for (std::uint32_t number = 0; number < lattice_.rows(); ++number) {
    const Row<3> row = lattice_.row(number, 0);
    const auto bonds_to = [&](auto neighbour) {
      bank.add_many(0, lattice_.half(), [&](std::uint32_t c) { return even[row.begin + c] ^ odd[neighbour(c)]; });
    };
    bonds_to([&](std::uint32_t c) { return row.begin + lattice_.right(c, row.shift); });
    bonds_to([&](std::uint32_t c) { return row.begin + lattice_.left(c, row.shift); });
    for (int axis = 0; axis < 2; ++axis) {
      bonds_to([&](std::uint32_t c) { return row.plus[axis] + c; });
      bonds_to([&](std::uint32_t c) { return row.minus[axis] + c; });
    }
  }
  bank.add_many(1, static_cast<std::uint32_t>(2 * sites), [&](std::uint32_t i) { return even[i] ^ slab.fields[i]; });
  const auto N = static_cast<std::int32_t>(2 * sites);
  counts(bank, 0, slab.bonds[unit].data());
  counts(bank, 1, slab.field_sums[unit].data());
  for (int lane = 0; lane < W::bits; ++lane) {
    slab.bonds[unit][lane] = 3 * N - 2 * slab.bonds[unit][lane];
    slab.field_sums[unit][lane] = N - 2 * slab.field_sums[unit][lane];
  }
}

template <class W>
void Tempering<W>::measure_slot(Slab& slab, std::size_t slot) const {
  const std::size_t sites = lattice_.sites_per_parity();
  const W *a = slab.spins[slot * sets].data(), *b = slab.spins[slot * sets + 1].data();
  const auto planes =
      count_planes<W, 3>(lattice_, sets, [&](std::uint32_t set, std::uint32_t parity, std::uint32_t site) {
        return (set == 0 ? a : b)[parity * sites + site];
      });
  const FieldComponents k[sets] = {components_of_field<W, 3>(lattice_, table_, planes.data()),
                                   components_of_field<W, 3>(lattice_, table_, planes.data() + 3)};
  CounterBank<W> bank(1, std::bit_width(2 * sites));
  bank.add_many(0, static_cast<std::uint32_t>(2 * sites), [&](std::uint32_t i) { return a[i] ^ b[i]; });
  const std::vector<std::int32_t> differ = counts(bank, 0);
  const auto N = static_cast<std::int32_t>(2 * sites);
  for (int lane = 0; lane < W::bits; ++lane) {
    const LaneComponents<3> at[sets] = {{k[0], W::bits, lane}, {k[1], W::bits, lane}};
    for (std::size_t set = 0; set < sets; ++set) {
      const std::size_t unit = slot * sets + set;
      double value[psflip::set_sums];
      set_values(slab.bonds[unit][lane], slab.field_sums[unit][lane], k[set].total[lane],
                 k2_from_components(at[set].re, at[set].im, 3), value);
      for (int i = 0; i < psflip::set_sums; ++i) {
        double& sum = slab.set_sums[unit][i * W::bits + lane];
        sum = rounded_sum(sum, value[i]);
      }
    }
    double value[psflip::pair_sums];
    pair_values(N - 2 * differ[lane], k[0].total[lane], k[1].total[lane],
                k2_from_two_components(at[0].re, at[0].im, at[1].re, at[1].im, 3), value);
    for (int i = 0; i < psflip::pair_sums; ++i) {
      double& sum = slab.pair_sums[slot][i * W::bits + lane];
      sum = rounded_sum(sum, value[i]);
    }
  }
}

}  // namespace psflip::cpu
