// Measurements of Tempering; included at the end of tempering.hpp.
#pragma once

namespace psflip::cpu {

/// Bond sum and field sum of every lane. Every bond has one end on an even site.
template <class W>
void Tempering<W>::sum_energies(Slab& slab, std::size_t u, Memory& memory) const {
  const std::size_t sites = lattice_.sites_per_parity(), half = lattice_.half();
  const W *even = slab.spins[u].data(), *odd = even + sites, *fields = slab.fields.data();
  W* words = memory.words.data();
  memory.energies.clear();
  for (std::uint32_t number = 0; number < lattice_.rows(); ++number) {
    const Row<3> row = lattice_.row(number, 0);
    W* bond = words;
    for (std::uint32_t c = 0; c < half; ++c) {
      const W spin = even[row.begin + c];
      *bond++ = spin ^ odd[row.begin + lattice_.right(c, row.shift)];
      *bond++ = spin ^ odd[row.begin + lattice_.left(c, row.shift)];
      for (int axis = 0; axis < 2; ++axis) {
        *bond++ = spin ^ odd[row.plus[axis] + c];
        *bond++ = spin ^ odd[row.minus[axis] + c];
      }
    }
    memory.energies.add(0, words, 6 * half);
    for (std::size_t c = 0; c < 2 * half; ++c) words[c] = even[2 * row.begin + c] ^ fields[2 * row.begin + c];
    memory.energies.add(1, words, 2 * half);  // rows of the array of all sites, of either parity
  }
  const auto N = static_cast<std::int32_t>(2 * sites);
  counts(memory.energies, 0, slab.bonds[u].data());
  counts(memory.energies, 1, slab.field_sums[u].data());
  for (int lane = 0; lane < W::bits; ++lane) {
    slab.bonds[u][lane] = 3 * N - 2 * slab.bonds[u][lane];
    slab.field_sums[u][lane] = N - 2 * slab.field_sums[u][lane];
  }
}

/// Adds value(lane)[i] to sums[i * bits + lane] for i = I, I + 1, ...: one loop for each sum, which is a vector loop
/// if `values` is a part of it.
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

/// Magnetizations and Fourier components of both sets, overlaps: to `minus` and the fields of `memory`.
template <class W>
void Tempering<W>::measure_fields(const Slab& slab, std::size_t slot, Memory& memory) const {
  const std::size_t sites = lattice_.sites_per_parity(), L = lattice_.L;
  const W *a = slab.spins[unit(slot, 0)].data(), *b = slab.spins[unit(slot, 1)].data();
  memory.overlap.clear();
  for (std::size_t set = 0; set < sets; ++set) memory.fields[set].clear();
  for (std::uint32_t first = 0; first < lattice_.rows(); first += FieldMeasurement<W, 3>::block) {
    for (std::size_t set = 0; set < sets; ++set)
      memory.fields[set].add_rows(
          0, first, [=](std::uint32_t parity, std::size_t site) { return (set == 0 ? a : b)[parity * sites + site]; });
  }
  for (std::size_t set = 0; set < sets; ++set) memory.fields[set].sum(0, &memory.minus[set * W::bits]);
  W* words = memory.words.data();
  for (std::size_t first = 0; first < 2 * sites; first += L) {
    for (std::size_t i = 0; i < L; ++i) words[i] = a[first + i] ^ b[first + i];
    memory.overlap.add(0, words, L);
  }
  counts(memory.overlap, 0, &memory.minus[sets * W::bits]);
}

template <class W>
void Tempering<W>::measure_slot(Slab& slab, std::size_t slot, Memory& memory) const {
  measure_fields(slab, slot, memory);
  const auto N = static_cast<std::int32_t>(system_.sites());
  const std::int32_t *minus = memory.minus.data(), *differ = minus + sets * W::bits;
  alignas(64) std::int64_t k2[W::bits];
  for (std::size_t set = 0; set < sets; ++set) {
    const std::size_t u = unit(slot, set);
    const std::int32_t *B = slab.bonds[u].data(), *F = slab.field_sums[u].data(), *m = minus + set * W::bits;
    memory.fields[set].k2(k2);
    const auto values = [&](int lane, double(&value)[psflip::set_sums]) __attribute__((always_inline)) {
      set_values(B[lane], F[lane], N - 2 * m[lane], k2[lane], value);
    };
    add_values<W, 0, psflip::set_sums>(slab.set_sums[u].data(), values);
  }
  memory.fields[0].k2_product(memory.fields[1], k2);
  const auto values = [&](int lane, double(&value)[psflip::pair_sums]) __attribute__((always_inline)) {
    pair_values(N - 2 * differ[lane], N - 2 * minus[lane], N - 2 * minus[W::bits + lane], k2[lane], value);
  };
  add_values<W, 0, psflip::pair_sums>(slab.pair_sums[slot - stored_.first].data(), values);
}

}  // namespace psflip::cpu
