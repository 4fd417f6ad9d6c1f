#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/laboratory/field_tiles/field_site.hpp"

/// The plain update of one realization: a byte a spin, one site after the other.
namespace psflip::laboratory {

/// Tries the sites of one parity in the planes z = first ... last - 1, and returns the change of the sums. A number is
/// drawn only where a flip costs energy: number(site).
template <class Number>
FieldSums try_planes(FieldLattice& lattice, int parity, int first, int last, const FieldThresholds& thresholds,
                     Number number) {
  const int L = lattice.L;
  FieldSums change;
  for (int z = first; z < last; ++z)
    for (int y = 0; y < L; ++y) {
      const auto row = [&](int other_y, int other_z) {
        return lattice.spins.data() + L * (other_y + static_cast<std::ptrdiff_t>(L) * other_z);
      };
      std::int8_t* here = row(y, z);
      const std::int8_t *fields = lattice.fields.data() + (here - lattice.spins.data()),
                        *north = row(y + 1 == L ? 0 : y + 1, z), *south = row(y == 0 ? L - 1 : y - 1, z),
                        *above = row(y, z + 1 == L ? 0 : z + 1), *below = row(y, z == 0 ? L - 1 : z - 1);
      for (int x = (y + z + parity) % 2; x < L; x += 2) {
        const int sum =
            here[x + 1 == L ? 0 : x + 1] + here[x == 0 ? L - 1 : x - 1] + north[x] + south[x] + above[x] + below[x];
        const std::int8_t spin = here[x];
        const int against = spin * fields[x] < 0 ? 1 : 0, unsatisfied = (6 - spin * sum) / 2;
        if (!thresholds.always[against][unsatisfied] &&
            number(static_cast<std::size_t>(here - lattice.spins.data() + x)) >= thresholds.below[against][unsatisfied])
          continue;
        here[x] = static_cast<std::int8_t>(-spin);
        change.bonds -= 2 * spin * sum;
        change.fields -= 2 * spin * fields[x];
      }
    }
  return change;
}

/// One configuration that keeps its sums.
class ScalarField {
 public:
  explicit ScalarField(FieldLattice lattice) : lattice_(std::move(lattice)), sums_(counted_sums(lattice_)) {}

  template <class Number>
  void half_sweep(int parity, const FieldThresholds& thresholds, Number number) {
    add(try_planes(lattice_, parity, 0, lattice_.L, thresholds, number));
  }
  /// By several threads, each with some planes; number(thread of the CPU).
  template <class Number>
  void half_sweep_by(int threads, int parity, const FieldThresholds& thresholds, Number number) {
    std::int64_t bonds = 0, fields = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : bonds, fields)
    for (int thread = 0; thread < threads; ++thread) {
      const int first = lattice_.L * thread / threads, last = lattice_.L * (thread + 1) / threads;
      const FieldSums change =
          try_planes(lattice_, parity, first, last, thresholds, [&](std::size_t) { return number(thread); });
      bonds += change.bonds;
      fields += change.fields;
    }
    add({bonds, fields});
  }

  const FieldSums& sums() const { return sums_; }
  const FieldLattice& lattice() const { return lattice_; }
  /// Exchanges the spins of two configurations of one realization, byte by byte.
  void swap_spins(ScalarField& other) {
    std::swap_ranges(lattice_.spins.begin(), lattice_.spins.end(), other.lattice_.spins.begin());
    std::swap(sums_, other.sums_);
  }

 private:
  void add(const FieldSums& change) {
    sums_.bonds += change.bonds;
    sums_.fields += change.fields;
  }

  FieldLattice lattice_;
  FieldSums sums_;
};

}  // namespace psflip::laboratory
