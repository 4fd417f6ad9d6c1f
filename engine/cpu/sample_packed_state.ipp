// Construction, measurement and canonical order of SamplePacked; included at the end of sample_packed.hpp.
#pragma once
#include "engine/cpu/lanes.hpp"

namespace psflip::cpu {

template <class W, int D>
SamplePacked<W, D>::SamplePacked(const System& system, const Planes& planes, int threads)
    : system_(system),
      domain_(Lattice<D>{static_cast<std::uint32_t>(system.L)}, planes),
      replicas_(static_cast<std::uint32_t>(system.replicas)),
      threads_(threads),
      thresholds_(make_thresholds(system.beta, D)),
      table_(make_fourier_table(system.L)) {
  for (int thread = 0; thread < threads_; ++thread) measurements_.emplace_back(domain_, replicas_, table_);
  for (const std::uint64_t pack : first_packs<W>(system.first_sample, system.samples)) slabs_.push_back({pack, {}, {}});
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
  for (std::size_t k = 0; k < slabs_.size(); ++k) {
    slabs_[k].spins.assign(std::size_t{2} * domain_.stored_per_parity() * replicas_, W::zero());
    if (has_couplings) slabs_[k].couplings.assign(std::size_t{2} * domain_.stored_per_parity() * D, W::zero());
    if (has_couplings && system_.couplings == Couplings::bimodal) fill_couplings(slabs_[k]);
    if (system_.start == Start::random) fill_spins(slabs_[k]);
  }
}

/// Compact index in the whole lattice of place i in memory.
template <class W, int D>
std::uint32_t SamplePacked<W, D>::address_of(std::uint32_t i) const {
  const std::uint32_t plane = domain_.sites_in_plane() / 2;
  return domain_.plane(i / plane) * plane + i % plane;
}

template <class W, int D>
void SamplePacked<W, D>::fill_couplings(Slab<W>& slab) const {
  const Key key = disorder_key(system_, Stream::couplings);
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> numbers(key, parity, slab.first_pack);
    W* out = slab.couplings.data() + std::size_t{parity} * domain_.stored_per_parity() * D;
    for (std::uint32_t i = 0; i < domain_.stored_per_parity(); ++i) {
      const Four<W> u = numbers.draw(address_of(i), 0);
      for (int mu = 0; mu < D; ++mu) out[std::size_t{i} * D + mu] = u.x[mu];
    }
  }
}

template <class W, int D>
void SamplePacked<W, D>::fill_spins(Slab<W>& slab) const {
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> numbers(trajectory_key(system_, Stream::initial_spins), parity, slab.first_pack);
    W* out = slab.spins.data() + std::size_t{parity} * domain_.stored_per_parity() * replicas_;
    for (std::uint32_t i = 0; i < domain_.stored_per_parity(); ++i) {
      const std::uint32_t site = address_of(i);
      for (std::uint32_t r0 = 0; r0 < replicas_; r0 += 4) {
        const Four<W> u = numbers.draw(site, r0 >> 2);
        for (std::uint32_t r = r0; r < std::min(r0 + 4, replicas_); ++r)
          out[std::size_t{i} * replicas_ + r] = u.x[r - r0];
      }
    }
  }
}

template <class W, int D>
auto SamplePacked<W, D>::lanes_of(const Slab<W>& slab) const -> Lanes {
  const std::uint64_t id = slab.first_pack * 32, first = std::max(id, system_.first_sample);
  const std::uint64_t end = std::min(id + W::bits, system_.first_sample + system_.samples);
  return {static_cast<int>(first - id), static_cast<int>(end - id), first - system_.first_sample};
}

/// Zeros in the shapes of what this domain measures.
template <class W, int D>
DomainObservation SamplePacked<W, D>::empty_observation() const {
  const bool whole = domain_.ghosts == 0;
  const std::size_t fields = system_.samples * (D == 3 ? static_cast<std::size_t>(system_.pairs()) : 1);
  DomainObservation o;
  o.sums.bond_sum.resize(system_.samples * replicas_);
  o.sums.magnetization.resize(system_.samples * replicas_);
  if (D == 3) o.sums.overlap.resize(fields);
  if (whole) (D == 3 ? o.sums.overlap_k2 : o.sums.magnetization_k2).resize(fields);
  if (!whole) o.components.resize(fields * 2 * D);
  return o;
}

template <class W, int D>
DomainObservation SamplePacked<W, D>::observe() const {
  DomainObservation o = empty_observation();
#pragma omp parallel num_threads(threads_)
  {
    SlabMeasurement<W, D>& measurement = measurements_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic)
    for (std::size_t k = 0; k < slabs_.size(); ++k) {
      measurement.measure(slabs_[k]);
      const Lanes lanes = lanes_of(slabs_[k]);
      measurement.store(static_cast<std::size_t>(lanes.begin), static_cast<std::size_t>(lanes.end - lanes.begin),
                        lanes.sample, o);
    }
  }
  return o;
}

template <class W, int D>
Checkerboard SamplePacked<W, D>::board(std::uint32_t stored, std::size_t sites, std::size_t fields) const {
  const std::size_t per_parity = domain_.stored_per_parity() * fields;
  return {sites, domain_.L, D, domain_.plane(stored) & 1u, per_parity, fields};
}

template <class W, int D>
PackedSigns SamplePacked<W, D>::packed(std::vector<W> Slab<W>::*words, std::size_t fields) const {
  const Checkerboard own = board(domain_.ghosts, domain_.sites(), fields);
  const std::size_t before = domain_.ghosts * domain_.sites_in_plane() / 2 * fields, tiles = tiles_of(own);
  PackedSigns out(system_.samples * fields, domain_.sites());
  for (const Slab<W>& slab : slabs_) {
    const Lanes lanes = lanes_of(slab);
#pragma omp parallel for num_threads(threads_)
    for (std::size_t i = 0; i < fields * tiles; ++i) {
      const std::size_t field = i / tiles;
      words_to_rows((slab.*words).data() + before + field, own, i % tiles,
                    {out.row(lanes.sample * fields + field), fields * out.words_in_row(), lanes.begin, lanes.end});
    }
  }
  return out;
}

template <class W, int D>
PackedSigns SamplePacked<W, D>::packed_spins() const {
  return packed(&Slab<W>::spins, replicas_);
}

template <class W, int D>
PackedSigns SamplePacked<W, D>::packed_couplings() const {
  if constexpr (!has_couplings) return {};
  return packed(&Slab<W>::couplings, D);
}

/// Of a configuration of the whole lattice the planes that are in memory, in their order there.
template <class W, int D>
PackedSigns SamplePacked<W, D>::of_stored_planes(const PackedSigns& spins) const {
  PackedSigns stored(spins.rows, std::size_t{domain_.stored_planes()} * domain_.sites_in_plane());
#pragma omp parallel for num_threads(threads_)
  for (std::size_t row = 0; row < spins.rows; ++row) copy_stored_planes(spins.row(row), domain_, stored.row(row));
  return stored;
}

template <class W, int D>
void SamplePacked<W, D>::restore(const PackedSigns& spins) {
  const PackedSigns of_domain = domain_.ghosts == 0 ? PackedSigns() : of_stored_planes(spins);
  const PackedSigns& rows = domain_.ghosts == 0 ? spins : of_domain;
  const Checkerboard all = board(0, rows.length, replicas_);
  const std::size_t tiles = tiles_of(all);
  for (Slab<W>& slab : slabs_) {
    const Lanes lanes = lanes_of(slab);
#pragma omp parallel for num_threads(threads_)
    for (std::size_t i = 0; i < replicas_ * tiles; ++i) {
      const std::size_t r = i / tiles;
      rows_to_words({rows.row(lanes.sample * replicas_ + r), replicas_ * rows.words_in_row(), lanes.begin, lanes.end},
                    all, i % tiles, slab.spins.data() + r);
    }
  }
}

}  // namespace psflip::cpu
