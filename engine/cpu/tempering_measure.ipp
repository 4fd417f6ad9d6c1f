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

/// Adds the values of one configuration to its sums, [SetSum * bits + lane].
template <class W>
void add_set_values(const std::int32_t* bonds, const std::int32_t* field_sums, const FieldComponents& k, double* sums) {
  const std::int32_t* total = k.total.data();
  const std::int64_t *re = k.re.data(), *im = k.im.data();
#pragma omp simd
  for (int lane = 0; lane < W::bits; ++lane) {
    const LaneComponents<3> at(re, im, W::bits, lane);
    double value[set_sums];
    set_values(bonds[lane], field_sums[lane], total[lane], k2_of_cube(at.re, at.im, at.re, at.im, 3), value);
#pragma GCC unroll 16
    for (int i = 0; i < set_sums; ++i) sums[i * W::bits + lane] = rounded_sum(sums[i * W::bits + lane], value[i]);
  }
}

/// Adds the values of two configurations of a slot to their sums, [PairSum * bits + lane]; `differ` counts the sites
/// where they do.
template <class W>
void add_pair_values(std::int32_t N, const std::int32_t* differ, const FieldComponents& a, const FieldComponents& b,
                     double* sums) {
  const std::int32_t *total_a = a.total.data(), *total_b = b.total.data();
  const std::int64_t *re_a = a.re.data(), *im_a = a.im.data(), *re_b = b.re.data(), *im_b = b.im.data();
#pragma omp simd
  for (int lane = 0; lane < W::bits; ++lane) {
    const LaneComponents<3> at_a(re_a, im_a, W::bits, lane), at_b(re_b, im_b, W::bits, lane);
    double value[pair_sums];
    pair_values(N - 2 * differ[lane], total_a[lane], total_b[lane], k2_of_cube(at_a.re, at_a.im, at_b.re, at_b.im, 3),
                value);
#pragma GCC unroll 5
    for (int i = 0; i < pair_sums; ++i) sums[i * W::bits + lane] = rounded_sum(sums[i * W::bits + lane], value[i]);
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
  for (std::size_t set = 0; set < sets; ++set) {
    const std::size_t unit = slot * sets + set;
    add_set_values<W>(slab.bonds[unit].data(), slab.field_sums[unit].data(), k[set], slab.set_sums[unit].data());
  }
  add_pair_values<W>(static_cast<std::int32_t>(2 * sites), differ.data(), k[0], k[1], slab.pair_sums[slot].data());
}

}  // namespace psflip::cpu
