// Updates of SamplePacked; included at the end of sample_packed.hpp.
#pragma once

namespace psflip::cpu {

template <class W, int D>
Rows SamplePacked<W, D>::rows() const {
  const std::size_t bytes = sizeof(W) * (slabs_[0].spins.size() + slabs_[0].couplings.size());
  const std::size_t words_in_row = std::size_t{domain_.half()} * replicas_;
  return {slabs_.size(), domain_.rows(), domain_.rows_in_plane(), words_in_row, bytes};
}

template <class W, int D>
void SamplePacked<W, D>::update(std::size_t part, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
                                ResidualQueue<W>& queue) {
  with_replicas<D>(replicas_, [&]<int R>() { update_rows<R>(slabs_[part], half_sweep, first, last, queue); });
}

template <class W, int D>
W* SamplePacked<W, D>::plane(std::size_t part, std::uint32_t parity, std::uint32_t stored) {
  const std::size_t sites = domain_.sites_in_plane() / 2, place = (parity * domain_.stored_planes() + stored) * sites;
  return slabs_[part].spins.data() + place * replicas_;
}

template <class W, int D>
std::size_t SamplePacked<W, D>::plane_bytes() const {
  return domain_.sites_in_plane() / 2 * replicas_ * sizeof(W);
}

/// The spins and couplings of both parities as one half sweep sees them.
template <class W>
struct HalfView {
  W* mine;
  const W *other, *my_couplings, *other_couplings;
};

/// One row: decide(compact index, spins, bonds) for each of its sites.
template <int R, class W, int D, class Decision>
PSFLIP_INLINE void update_row(const Lattice<D>& lattice, const DomainRow<D>& row, const HalfView<W>& v,
                              Decision& decide) {
  for (std::uint32_t c = 0; c < lattice.half(); ++c) {
    const std::uint32_t place = row.begin + c;
    std::uint32_t neighbour[2 * D] = {row.begin + lattice.right(c, row.shift), row.begin + lattice.left(c, row.shift)};
    for (int a = 0; a < D - 1; ++a) {
      neighbour[2 + 2 * a] = row.plus[a] + c;
      neighbour[3 + 2 * a] = row.minus[a] + c;
    }
    W J[2 * D];
    for (int mu = 0; mu < D && D == 3; ++mu) {  // a site stores the bonds to its +mu neighbours
      J[2 * mu] = v.my_couplings[std::size_t{place} * D + mu];
      J[2 * mu + 1] = v.other_couplings[std::size_t{neighbour[2 * mu + 1]} * D + mu];
    }
    W* spins = v.mine + std::size_t{place} * R;
    decide.template operator()<R>(row.site + c, spins, [&](int r, W(&bond)[2 * D]) {
      for (int k = 0; k < 2 * D; ++k) {
        const W there = v.other[std::size_t{neighbour[k]} * R + r];
        if constexpr (D == 3) {
          bond[k] = xor3(spins[r], J[k], there);
        } else {
          bond[k] = spins[r] ^ there;
        }
      }
    });
  }
}

template <class W, int D>
template <int R>
void SamplePacked<W, D>::update_rows(Slab<W>& slab, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
                                     ResidualQueue<W>& queue) const {
  const auto h = static_cast<std::uint32_t>(half_sweep), parity = h & 1u;
  const std::size_t spins = std::size_t{domain_.stored_per_parity()} * R;
  const std::size_t bonds = has_couplings ? std::size_t{domain_.stored_per_parity()} * D : 0;
  const HalfView<W> view{slab.spins.data() + parity * spins, slab.spins.data() + (1 - parity) * spins,
                         slab.couplings.data() + parity * bonds, slab.couplings.data() + (1 - parity) * bonds};
  const PackNumbers<W> numbers(trajectory_key(system_, Stream::metropolis), h, slab.first_pack);
  const Domain<D> domain = domain_;
  const Lattice<D> lattice = domain.lattice();
  if constexpr (D == 3) {
    if (system_.random == Random::shared) {
      SharedDecision<W> decide(numbers, thresholds_);
      for (std::uint32_t y = first; y < last; ++y) update_row<R>(lattice, domain.row(y, parity), view, decide);
      return;
    }
  }
  IndependentDecision<W, D> decide(numbers, thresholds_, queue, view.mine);
  for (std::uint32_t y = first; y < last; ++y) {
    update_row<R>(lattice, domain.row(y, parity), view, decide);
    if (queue.wants_resolving()) resolve(slab.first_pack, view.mine, h, queue);
  }
  resolve(slab.first_pack, view.mine, h, queue);
}

template <class W, int D>
void SamplePacked<W, D>::resolve(std::uint64_t first_pack, W* spins, std::uint32_t half_sweep,
                                 ResidualQueue<W>& queue) const {
  const auto pack = static_cast<std::uint32_t>(first_pack), c3_high = static_cast<std::uint32_t>(first_pack >> 32)
                                                                      << 24;
  queue.resolve(reinterpret_cast<std::uint32_t*>(spins), thresholds_.by_unsatisfied,
                trajectory_key(system_, Stream::metropolis), half_sweep, [=](std::uint32_t address, std::uint32_t tag) {
                  return typename ResidualQueue<W>::Where{tag / 8, pack + address % W::packs, c3_high, tag % 8};
                });
}

}  // namespace psflip::cpu
