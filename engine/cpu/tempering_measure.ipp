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

/// Adds value(lane)[i] to sums[i * bits + lane] for i = I, I + 1, ...: one loop for each sum, which is a vector loop.
template <class W, int I, int COUNT, class Values>
PSFLIP_INLINE void add_values(double* sums, Values values) {
  double* sum = sums + I * W::bits;
#pragma omp simd
  for (int lane = 0; lane < W::bits; ++lane) {
    double value[COUNT];
    values(lane, value);
    sum[lane] = rounded_sum(sum[lane], value[I]);
  }
  if constexpr (I + 1 < COUNT) add_values<W, I + 1, COUNT>(sums, values);
}

/// 1024 times the sum over axes of the product of the Fourier components of two fields, lane by lane.
template <class W>
void multiply_components(const FieldComponents& a, const FieldComponents& b, std::int64_t* products) {
  const std::int64_t *re_a = a.re.data(), *im_a = a.im.data(), *re_b = b.re.data(), *im_b = b.im.data();
#pragma omp simd
  for (int lane = 0; lane < W::bits; ++lane) {
    const LaneComponents<3> at_a(re_a, im_a, W::bits, lane), at_b(re_b, im_b, W::bits, lane);
    products[lane] = k2_of_cube(at_a.re, at_a.im, at_b.re, at_b.im, 3);
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
  alignas(64) std::int64_t product[W::bits];
  for (std::size_t set = 0; set < sets; ++set) {
    const std::size_t unit = slot * sets + set;
    const std::int32_t *B = slab.bonds[unit].data(), *F = slab.field_sums[unit].data(), *M = k[set].total.data();
    multiply_components<W>(k[set], k[set], product);
    add_values<W, 0, psflip::set_sums>(slab.set_sums[unit].data(), [&](int lane, double(&value)[psflip::set_sums]) {
      set_values(B[lane], F[lane], M[lane], product[lane], value);
    });
  }
  const auto N = static_cast<std::int32_t>(2 * sites);
  const std::int32_t *M_0 = k[0].total.data(), *M_1 = k[1].total.data();
  multiply_components<W>(k[0], k[1], product);
  add_values<W, 0, psflip::pair_sums>(slab.pair_sums[slot].data(), [&](int lane, double(&value)[psflip::pair_sums]) {
    pair_values(N - 2 * differ[lane], M_0[lane], M_1[lane], product[lane], value);
  });
}

}  // namespace psflip::cpu
