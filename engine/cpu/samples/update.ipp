// Updates of SamplePacked; included at the end of sample_packed.hpp.
#pragma once
#include <type_traits>

#include "engine/cpu/samples/decisions.hpp"
#include "engine/cpu/tiles.hpp"

namespace psflip::cpu {

/// Spins of one slot and the disorder as one half sweep reads them: `mine` is the parity that is updated. Stride is the
/// number of replicas, known to the compiler or not.
template <class W, class Stride>
struct HalfView {
  W* mine;
  const W *other, *my_couplings, *other_couplings, *my_fields;
  Stride replicas;

  HalfView(const SlotView<W>& slot, W* first_spin, std::uint32_t parity, Stride number_of_replicas)
      : mine(first_spin + (slot.spins[parity] - slot.spins[0])),
        other(slot.spins[1 - parity]),
        my_couplings(slot.couplings[parity]),
        other_couplings(slot.couplings[1 - parity]),
        my_fields(slot.fields[parity]),
        replicas(number_of_replicas) {}
};

/// Words of the row that is updated and of the rows next to it. Places in a row count from these pointers, so that the
/// loop over a row needs few integer registers.
template <class T, class W, class Stride>
struct RowView {
  static constexpr int D = T::dimension;
  W* mine;
  const W* along;                              ///< the row of the other parity at the same coordinates
  const W* across[2 * (D - 1)];                ///< the rows at +y, -y, (+z, -z)
  const W *my_couplings, *their_couplings[D];  ///< of the bonds to the +mu neighbours; of those from the -mu neighbours
  const W* my_fields;

  RowView(const HalfView<W, Stride>& v, const DomainRow<D>& row) {
    const std::size_t R = v.replicas;
    mine = v.mine + row.begin * R;
    along = v.other + row.begin * R;
    for (int a = 0; a < D - 1; ++a) {
      across[2 * a] = v.other + row.plus[a] * R;
      across[2 * a + 1] = v.other + row.minus[a] * R;
    }
    if constexpr (T::has_field_words) my_fields = v.my_fields + row.begin;
    if constexpr (T::has_couplings) {
      my_couplings = v.my_couplings + row.begin * D;
      their_couplings[0] = v.other_couplings + row.begin * D;
      for (int mu = 1; mu < D; ++mu) their_couplings[mu] = v.other_couplings + row.minus[mu - 1] * D + mu;
    }
  }
};

/// update_row() for a number of replicas that the compiler knows.
template <class T, class W, class Stride, class Decision>
PSFLIP_INLINE void update_row_by_pointers(const DomainRow<T::dimension>& row, std::uint32_t L,
                                          const HalfView<W, Stride>& half, Decision& decide) {
  constexpr int D = T::dimension;
  const Lattice<D> lattice{L};
  const std::size_t R = half.replicas;
  const RowView<T, W, Stride> v(half, row);
  for (std::uint32_t c = 0; c < lattice.half(); ++c) {
    const std::size_t right = lattice.right(c, row.shift), left = lattice.left(c, row.shift), at = c;
    Site<T, W> site;
    const auto read_couplings = [&]() __attribute__((always_inline)) {  // a site stores the bonds to its +mu neighbours
      for (int mu = 0; mu < D && T::has_couplings; ++mu) {
        site.coupling[2 * mu] = v.my_couplings[at * D + mu];
        site.coupling[2 * mu + 1] = v.their_couplings[mu][(mu == 0 ? left : at) * D];
      }
    };
    if constexpr (Decision::reads_couplings_once) read_couplings();
    if constexpr (T::has_field_words) site.field = v.my_fields[at];
    decide(
        row.site + c, v.mine + at * R, [&](std::size_t r) __attribute__((always_inline))->const Site<T, W>& {
          if constexpr (!Decision::reads_couplings_once) read_couplings();
          site.spin = v.mine[at * R + r];
          site.neighbour[0] = v.along[right * R + r];
          site.neighbour[1] = v.along[left * R + r];
          for (int k = 0; k < 2 * (D - 1); ++k) site.neighbour[2 + k] = v.across[k][at * R + r];
          return site;
        });
  }
}

/// update_row() for a number of replicas that the compiler does not know: pointers to the rows would take 1.2 times as
/// long for rfim3d in 256-bit words, 1.4 times in 64-bit words.
template <class T, class W, class Stride, class Decision>
PSFLIP_INLINE void update_row_by_index(const DomainRow<T::dimension>& row, std::uint32_t L,
                                       const HalfView<W, Stride>& v, Decision& decide) {
  constexpr int D = T::dimension;
  const Lattice<D> lattice{L};
  const std::size_t R = v.replicas;
  for (std::uint32_t c = 0; c < lattice.half(); ++c) {
    const std::size_t at = row.begin + c;
    std::size_t neighbour[2 * D] = {row.begin + lattice.right(c, row.shift), row.begin + lattice.left(c, row.shift)};
    for (int a = 0; a < D - 1; ++a) {
      neighbour[2 + 2 * a] = row.plus[a] + c;
      neighbour[3 + 2 * a] = row.minus[a] + c;
    }
    Site<T, W> site;
    const auto read_couplings = [&]() __attribute__((always_inline)) {  // a site stores the bonds to its +mu neighbours
      for (int mu = 0; mu < D && T::has_couplings; ++mu) {
        site.coupling[2 * mu] = v.my_couplings[at * D + mu];
        site.coupling[2 * mu + 1] = v.other_couplings[neighbour[2 * mu + 1] * D + mu];
      }
    };
    if constexpr (Decision::reads_couplings_once) read_couplings();
    if constexpr (T::has_field_words) site.field = v.my_fields[at];
    W* spins = v.mine + at * R;
    decide(
        row.site + c, spins, [&](std::size_t r) __attribute__((always_inline))->const Site<T, W>& {
          if constexpr (!Decision::reads_couplings_once) read_couplings();
          site.spin = spins[r];
          for (int k = 0; k < 2 * D; ++k) site.neighbour[k] = v.other[neighbour[k] * R + r];
          return site;
        });
  }
}

/// One row: decide(compact index, spins, load) for each of its sites.
template <class T, class W, class Stride, class Decision>
PSFLIP_INLINE void update_row(const DomainRow<T::dimension>& row, std::uint32_t L, const HalfView<W, Stride>& half,
                              Decision& decide) {
  if constexpr (std::is_same_v<Stride, std::size_t>) {
    update_row_by_index<T>(row, L, half, decide);
  } else {
    update_row_by_pointers<T>(row, L, half, decide);
  }
}

/// Calls f with the number of replicas as a constant, so that the loops over replicas unroll.
template <class F>
void with_replicas(std::uint32_t replicas, F f) {
  const auto from = [&]<std::size_t R>(const auto& next) {
    if (replicas == R) return f(std::integral_constant<std::size_t, R>());
    if constexpr (R < 8) next.template operator()<R + 1>(next);
  };
  from.template operator()<1>(from);
}

template <class W, class T>
void SamplePacked<W, T>::update(std::size_t batch, std::size_t slot, ReplicaRange replicas, HalfSweeps half_sweeps,
                                RowRange rows, ResidualQueue<W>& queue) {
  Group& group = groups_[batch];
  if constexpr (D == 3) {
    const bool is_whole = domain_.ghosts == 0 && rows.last - rows.first == domain_.rows();
    if (is_whole && has_tiles()) {
      return update_in_tiles(domain_, half_sweeps, tile().rows, [&](HalfSweeps one, RowRange some) {
        update_rows(group, slot, replicas, one, some, queue);
      });
    }
  }
  update_rows(group, slot, replicas, half_sweeps, rows, queue);
}

template <class W, class T>
void SamplePacked<W, T>::update_rows(Group& group, std::size_t slot, ReplicaRange replicas, HalfSweeps half_sweeps,
                                     RowRange rows, ResidualQueue<W>& queue) const {
  if constexpr (allows_shared) {
    if (is_shared()) return with_replicas(replicas_, [&](auto R) { update_shared(group, slot, half_sweeps, rows, R); });
  }
  const std::uint32_t count = replicas.last - replicas.first;
  with_scheme<T>(scheme_, [&]<class Scheme>() {
    const auto update_by = [&]<int COUNT>(auto stride) {
      update_independent<Scheme, COUNT>(group, slot, replicas, half_sweeps, rows, queue, stride);
    };
    if constexpr (T::has_couplings && !T::has_field) {  // the couplings of a site are read once
      if (count == replicas_) return with_replicas(count, [&](auto R) { update_by.template operator()<R()>(R); });
    }
    const std::size_t stride = replicas_;
    if (updates_pairs && count % 2 == 0) {
      update_by.template operator()<2>(stride);
    } else {
      update_by.template operator()<1>(stride);
    }
  });
}

template <class W, class T>
template <class Stride>
void SamplePacked<W, T>::update_shared(WordGroup<W>& group, std::size_t slot, HalfSweeps half_sweeps, RowRange rows,
                                       Stride replicas) const {
  const Domain<D> domain = domain_;
  const SlotView<W> words = slot_view(group, slot, 0);
  W* const spins = group.spins[stored(slot)].data();
  for (std::uint64_t number = half_sweeps.first; number < half_sweeps.last; ++number) {
    const auto h = static_cast<std::uint32_t>(number), parity = h & 1u;
    const HalfView<W, Stride> half(words, spins, parity, replicas);
    const PackNumbers<W> numbers(trajectory_key(system_, Stream::metropolis), h, group.packs, slot);
    SharedDecision<T, W, int{Stride::value}, PackNumbers<W>> decide(numbers, thresholds_[slot]);
    for (std::uint32_t y = rows.first; y < rows.last; ++y) update_row<T>(domain.row(y, parity), domain.L, half, decide);
  }
}

/// COUNT replicas of a site are updated together.
template <class W, class T>
template <class Scheme, int COUNT, class Stride>
void SamplePacked<W, T>::update_independent(WordGroup<W>& group, std::size_t slot, ReplicaRange replicas,
                                            HalfSweeps half_sweeps, RowRange rows, ResidualQueue<W>& queue,
                                            Stride all_replicas) const {
  const Domain<D> domain = domain_;
  const SlotView<W> words = slot_view(group, slot, 0);
  W* const spins = group.spins[stored(slot)].data();
  const Key key = trajectory_key(system_, Stream::metropolis);
  const DecisionTables<W, Scheme, plane_count> tables(thresholds_[slot]);
  for (std::uint64_t number = half_sweeps.first; number < half_sweeps.last; ++number) {
    const auto h = static_cast<std::uint32_t>(number), parity = h & 1u;
    const HalfView<W, Stride> half(words, spins, parity, all_replicas);
    const PackResiduals<W> residuals(key, h, group.packs, slot);
    const auto resolve = [&] {
      queue.resolve(reinterpret_cast<std::uint32_t*>(half.mine), tables.threshold, residuals);
    };
    IndependentDecision<T, W, COUNT, Scheme, PackNumbers<W>> decide(
        PackNumbers<W>(key, h, group.packs, slot), tables, {domain.row(rows.first, parity).site, replicas.first},
        half.mine, &queue);
    for (std::uint32_t y = rows.first; y < rows.last; ++y) {
      const DomainRow<D> row = domain.row(y, parity);
      const std::uint32_t end = row.site + domain.half();
      for (std::uint32_t r = replicas.first; r < replicas.last; r += COUNT) {
        const Place next = r + COUNT < replicas.last ? Place{row.site, r + COUNT} : Place{end, replicas.first};
        decide.begin_row(end - 1, COUNT == Stride() ? 0 : r, next);  // a constant if all replicas are updated together
        update_row<T>(row, domain.L, half, decide);
      }
      if (queue.wants_resolving()) resolve();
    }
    resolve();
  }
}

}  // namespace psflip::cpu
