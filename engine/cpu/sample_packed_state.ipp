// Construction, measurement and canonical order of SamplePacked; included at the end of sample_packed.hpp.
#pragma once
#include "engine/cpu/lanes.hpp"

namespace psflip::cpu {

template <class W, int D>
SamplePacked<W, D>::SamplePacked(const System& system, int threads)
    : system_(system),
      lattice_{static_cast<std::uint32_t>(system.L)},
      replicas_(static_cast<std::uint32_t>(system.replicas)),
      threads_(threads),
      thresholds_(make_thresholds(system.beta, D)),
      table_(make_fourier_table(system.L)) {
  for (const std::uint64_t pack : first_packs<W>(system.first_sample, system.samples)) slabs_.push_back({pack, {}, {}});
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
  for (std::size_t k = 0; k < slabs_.size(); ++k) {
    slabs_[k].spins.assign(std::size_t{2} * lattice_.sites_per_parity() * replicas_, W::zero());
    if (has_couplings) slabs_[k].couplings.assign(std::size_t{2} * lattice_.sites_per_parity() * D, W::zero());
    if (has_couplings && system_.couplings == Couplings::bimodal) fill_couplings(slabs_[k]);
    if (system_.start == Start::random) fill_spins(slabs_[k]);
  }
}

template <class W, int D>
void SamplePacked<W, D>::fill_couplings(Slab<W>& slab) const {
  const Key key = disorder_key(system_, Stream::couplings);
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> numbers(key, parity, slab.first_pack);
    W* out = slab.couplings.data() + std::size_t{parity} * lattice_.sites_per_parity() * D;
    for (std::uint32_t i = 0; i < lattice_.sites_per_parity(); ++i) {
      const Four<W> u = numbers.draw(i, 0);
      for (int mu = 0; mu < D; ++mu) out[std::size_t{i} * D + mu] = u.x[mu];
    }
  }
}

template <class W, int D>
void SamplePacked<W, D>::fill_spins(Slab<W>& slab) const {
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> numbers(trajectory_key(system_, Stream::initial_spins), parity, slab.first_pack);
    W* out = slab.spins.data() + std::size_t{parity} * lattice_.sites_per_parity() * replicas_;
    for (std::uint32_t i = 0; i < lattice_.sites_per_parity(); ++i) {
      for (std::uint32_t r0 = 0; r0 < replicas_; r0 += 4) {
        const Four<W> u = numbers.draw(i, r0 >> 2);
        for (std::uint32_t r = r0; r < std::min(r0 + 4, replicas_); ++r)
          out[std::size_t{i} * replicas_ + r] = u.x[r - r0];
      }
    }
  }
}

template <class W, int D>
template <class F>
void SamplePacked<W, D>::for_each_sample(F f) const {
  for (std::uint64_t k = 0; k < slabs_.size(); ++k) {
    for (int lane = 0; lane < W::bits; ++lane) {
      const std::uint64_t id = slabs_[k].first_pack * 32 + static_cast<std::uint64_t>(lane);
      if (id >= system_.first_sample && id < system_.first_sample + system_.samples) {
        f(k, lane, id - system_.first_sample);
      }
    }
  }
}

/// The measurements of one slab, lane by lane.
struct SlabSums {
  std::vector<std::vector<std::int32_t>> unsatisfied;  ///< [replica][lane]
  std::vector<std::vector<std::int32_t>> minus;        ///< [replica][lane] spins that are -1
  std::vector<FieldSums> fields;                       ///< ea3d: overlap field of each pair; ising2d: the spins
};

/// Unsatisfied bonds and -1 spins of every replica, row by row so that couplings are read once.
template <class W, int D>
void count_bonds_and_spins(const Lattice<D>& lattice, const Slab<W>& slab, std::uint32_t replicas, SlabSums& out) {
  const std::size_t sites = lattice.sites_per_parity();
  CounterBank<W> bonds(replicas, std::bit_width(2 * sites * D)), minus(replicas, std::bit_width(2 * sites));
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const W* mine = slab.spins.data() + parity * sites * replicas;
    const W* other = slab.spins.data() + (1 - parity) * sites * replicas;
    const W* couplings = slab.couplings.data() + parity * sites * D;
    for (std::uint32_t number = 0; number < lattice.rows(); ++number) {
      const Row<D> row = lattice.row(number, parity);
      for (std::uint32_t r = 0; r < replicas; ++r) {
        minus.add_many(r, lattice.half(),
                       [&](std::uint32_t c) { return mine[std::size_t{row.begin + c} * replicas + r]; });
        for (int mu = 0; mu < D; ++mu) {
          bonds.add_many(r, lattice.half(), [&](std::uint32_t c) {
            const std::size_t site = row.begin + c;
            const std::size_t forward = mu == 0 ? row.begin + lattice.right(c, row.shift) : row.plus[mu - 1] + c;
            const W bond = mine[site * replicas + r] ^ other[forward * replicas + r];
            if constexpr (D == 3) return bond ^ couplings[site * D + static_cast<std::size_t>(mu)];
            return bond;
          });
        }
      }
    }
  }
  for (std::uint32_t r = 0; r < replicas; ++r) {
    out.unsatisfied.push_back(counts(bonds, r));
    out.minus.push_back(counts(minus, r));
  }
}

template <class W, int D>
SlabSums measure_slab(const Lattice<D>& lattice, const Slab<W>& slab, std::uint32_t replicas,
                      const FourierTable& table) {
  SlabSums out;
  count_bonds_and_spins<W, D>(lattice, slab, replicas, out);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t a = 0; a < replicas; ++a)
    for (std::uint32_t b = a + 1; b < replicas; ++b) pairs.emplace_back(a, b);
  const std::size_t sites = lattice.sites_per_parity();
  const auto field = [&](std::uint32_t f, std::uint32_t parity, std::uint32_t site) {
    const W* s = slab.spins.data() + (parity * sites + site) * replicas;
    if constexpr (D == 2) return s[0];
    return s[pairs[f].first] ^ s[pairs[f].second];
  };
  const auto fields = D == 2 ? 1u : static_cast<std::uint32_t>(pairs.size());
  const std::vector<CounterBank<W>> planes = count_planes<W, D>(lattice, fields, field);
  for (std::uint32_t f = 0; f < fields; ++f) out.fields.push_back(sum_field<W, D>(lattice, table, &planes[f * D]));
  return out;
}

template <class W, int D>
Observation SamplePacked<W, D>::observe() const {
  std::vector<SlabSums> sums(slabs_.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
  for (std::size_t k = 0; k < slabs_.size(); ++k) {
    sums[k] = measure_slab<W, D>(lattice_, slabs_[k], replicas_, table_);
  }
  const auto N = static_cast<std::int32_t>(system_.sites());
  Observation o;
  o.bond_sum.resize(system_.samples * replicas_);
  o.magnetization.resize(system_.samples * replicas_);
  const std::size_t pairs = D == 3 ? static_cast<std::size_t>(system_.pairs()) : 0;
  o.overlap.resize(system_.samples * pairs);
  o.overlap_k2.resize(system_.samples * pairs);
  o.magnetization_k2.resize(D == 2 ? system_.samples : 0);
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::uint32_t r = 0; r < replicas_; ++r) {
      o.bond_sum[sample * replicas_ + r] = D * N - 2 * sums[k].unsatisfied[r][lane];
      o.magnetization[sample * replicas_ + r] = N - 2 * sums[k].minus[r][lane];
    }
    for (std::size_t p = 0; p < pairs; ++p) {
      o.overlap[sample * pairs + p] = sums[k].fields[p].total[lane];
      o.overlap_k2[sample * pairs + p] = sums[k].fields[p].k2[lane];
    }
    if (D == 2) o.magnetization_k2[sample] = sums[k].fields[0].k2[lane];
  });
  return o;
}

template <class W, int D>
std::vector<std::int8_t> SamplePacked<W, D>::spins() const {
  const std::size_t N = system_.sites();
  std::vector<std::int8_t> out(system_.samples * replicas_ * N);
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::size_t s = 0; s < N; ++s)
      for (std::uint32_t r = 0; r < replicas_; ++r)
        out[(sample * replicas_ + r) * N + s] =
            sign_of_lane(slabs_[k].spins[checkerboard_place(lattice_, s) * replicas_ + r], lane);
  });
  return out;
}

template <class W, int D>
void SamplePacked<W, D>::restore(std::uint64_t half_sweeps, const std::vector<std::int8_t>& spins) {
  const std::size_t N = system_.sites();
  for (Slab<W>& slab : slabs_) std::fill(slab.spins.begin(), slab.spins.end(), W::zero());
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::size_t s = 0; s < N; ++s)
      for (std::uint32_t r = 0; r < replicas_; ++r)
        set_lane(slabs_[k].spins[checkerboard_place(lattice_, s) * replicas_ + r], lane,
                 spins[(sample * replicas_ + r) * N + s] < 0);
  });
  half_sweeps_ = half_sweeps;
}

template <class W, int D>
std::vector<std::int8_t> SamplePacked<W, D>::couplings() const {
  if (!has_couplings) return {};
  const std::size_t N = system_.sites();
  std::vector<std::int8_t> out(system_.samples * D * N);
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::size_t s = 0; s < N; ++s)
      for (int mu = 0; mu < D; ++mu)
        out[(sample * D + mu) * N + s] =
            sign_of_lane(slabs_[k].couplings[checkerboard_place(lattice_, s) * D + mu], lane);
  });
  return out;
}

}  // namespace psflip::cpu
