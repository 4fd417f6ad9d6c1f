// Updates of SamplePacked; included at the end of sample_packed.hpp.
#pragma once

namespace psflip::cpu {

template <class W, int D>
void SamplePacked<W, D>::advance(std::uint64_t count) {
  run_half_sweeps<W>(threads_, slabs_.size(), lattice_.rows(), queue_words(), half_sweeps_, half_sweeps_ + count,
                     [this](std::size_t k, std::uint64_t h, std::uint32_t first, std::uint32_t last,
                            ResidualQueue<W>& queue) { update_rows(slabs_[k], h, first, last, queue); });
  half_sweeps_ += count;
}

template <class W, int D>
void SamplePacked<W, D>::update_rows(Slab<W>& slab, std::uint64_t half_sweep, std::uint32_t first, std::uint32_t last,
                                     ResidualQueue<W>& queue) const {
  const auto h = static_cast<std::uint32_t>(half_sweep), parity = h & 1u;
  const std::size_t spins = std::size_t{lattice_.sites_per_parity()} * replicas_;
  const std::size_t bonds = has_couplings ? std::size_t{lattice_.sites_per_parity()} * D : 0;
  const Sweep s{PackNumbers<W>(metropolis_key(system_), h, slab.first_pack),
                slab.spins.data() + parity * spins,
                slab.spins.data() + (1 - parity) * spins,
                slab.couplings.data() + parity * bonds,
                slab.couplings.data() + (1 - parity) * bonds,
                &slab,
                parity,
                h};
  for (std::uint32_t number = first; number < last; ++number) {
    const Row<D> row = lattice_.row(number, parity);
    for (std::uint32_t c = 0; c < lattice_.half(); ++c) {
      std::uint32_t neighbour[2 * D] = {row.begin + lattice_.right(c, row.shift), row.begin + lattice_.left(c, row.shift)};
      for (int a = 0; a < D - 1; ++a) {
        neighbour[2 + 2 * a] = row.plus[a] + c;
        neighbour[3 + 2 * a] = row.minus[a] + c;
      }
      if (D == 3 && system_.random == Random::shared) {
        update_site_shared(s, row.begin + c, neighbour);
      } else {
        update_site_independent(s, row.begin + c, neighbour, queue);
      }
    }
    if (queue.wants_resolving()) resolve(s, queue);
  }
  resolve(s, queue);
}

/// The coupling of each bond: a site stores the bonds to its +mu neighbours, so the bond to -mu is the neighbour's.
template <class W, int D>
inline void SamplePacked<W, D>::load_couplings(const Sweep& s, std::uint32_t site, const std::uint32_t* neighbour,
                                               W (&J)[2 * D]) const {
  for (int mu = 0; mu < D; ++mu) {
    J[2 * mu] = has_couplings ? s.my_couplings[site * D + mu] : W::zero();
    J[2 * mu + 1] = has_couplings ? s.other_couplings[neighbour[2 * mu + 1] * D + mu] : W::zero();
  }
}

template <class W, int D>
inline void SamplePacked<W, D>::update_site_shared(const Sweep& s, std::uint32_t site,
                                                   const std::uint32_t* neighbour) const {
  if constexpr (D == 3) {
    W J[6];
    load_couplings(s, site, neighbour, J);
    for (std::uint32_t r0 = 0; r0 < replicas_; r0 += 4) {
      const Four<W> u = s.numbers(site, r0 >> 2, 0);
      for (std::uint32_t r = r0; r < std::min(r0 + 4, replicas_); ++r) {
        W& spin = s.mine[std::size_t{site} * replicas_ + r];
        W bond[6];
        for (int k = 0; k < 6; ++k) bond[k] = xor3(spin, J[k], s.other[std::size_t{neighbour[k]} * replicas_ + r]);
        const W below0 = less_than(u.x[r - r0], limits_[0]), below1 = less_than(u.x[r - r0], limits_[1]),
                below2 = less_than(u.x[r - r0], limits_[2]);
        spin = flip_shared(spin, bond, xor3(below0, below1, below2), below1);
      }
    }
  }
}

template <class W, int D>
inline void SamplePacked<W, D>::update_site_independent(const Sweep& s, std::uint32_t site,
                                                        const std::uint32_t* neighbour, ResidualQueue<W>& queue) const {
  W J[2 * D];
  load_couplings(s, site, neighbour, J);
  for (std::uint32_t r = 0; r < replicas_; ++r) {
    const std::size_t place = std::size_t{site} * replicas_ + r;
    const W spin = s.mine[place];
    W bond[2 * D];
    for (int k = 0; k < 2 * D; ++k) bond[k] = xor3(spin, J[k], s.other[std::size_t{neighbour[k]} * replicas_ + r]);
    const BondCount<W> n = count_unsatisfied(bond);
    const W always = always_accepted(n, bond);
    W less = W::zero(), equal = ~always;
    for (int draw = plane_count / 4 - 1; draw >= 0; --draw) {
      const Four<W> u = s.numbers(site, r, static_cast<std::uint32_t>(draw));
      for (int j = 3; j >= 0; --j) {
        const W t = threshold_plane<D>(n, planes_[4 * draw + j]);
        less = less_step(u.x[j], t, less);
        equal = equal_step(equal, u.x[j], t);
      }
    }
    s.mine[place] = flip_where(spin, always, less);
    queue.push(equal, n.ones, n.twos, static_cast<std::uint32_t>(place * W::packs), site * 8 + r);
  }
}

template <class W, int D>
void SamplePacked<W, D>::resolve(const Sweep& s, ResidualQueue<W>& queue) const {
  struct Where {
    std::uint32_t c0, c2, c3_high, replica;
  };
  queue.resolve(reinterpret_cast<std::uint32_t*>(s.mine), thresholds_, metropolis_key(system_), s.half_sweep,
                [&](std::uint32_t address, std::uint32_t tag) {
                  const std::uint64_t pack = s.slab->first_pack + address % W::packs;
                  return Where{tag / 8, static_cast<std::uint32_t>(pack), counter_3(0, 0, 0, pack), tag % 8};
                });
}

}  // namespace psflip::cpu
