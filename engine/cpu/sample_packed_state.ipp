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
      const std::uint64_t id = slabs_[k].first_pack * 32;
      const std::uint64_t first = std::max(id, system_.first_sample);
      const std::uint64_t end = std::min(id + W::bits, system_.first_sample + system_.samples);
      measurement.store(first - id, end - first, first - system_.first_sample, o);
    }
  }
  return o;
}

template <class W, int D>
std::vector<std::int8_t> SamplePacked<W, D>::spins() const {
  const std::size_t N = domain_.sites(), before = domain_.ghosts * domain_.sites_in_plane();
  std::vector<std::int8_t> out(system_.samples * replicas_ * N);
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::size_t s = 0; s < N; ++s)
      for (std::uint32_t r = 0; r < replicas_; ++r)
        out[(sample * replicas_ + r) * N + s] =
            sign_of_lane(slabs_[k].spins[checkerboard_place(domain_, before + s) * replicas_ + r], lane);
  });
  return out;
}

template <class W, int D>
void SamplePacked<W, D>::restore(const std::vector<std::int8_t>& spins) {
  const std::size_t N = system_.sites(), stored = std::size_t{2} * domain_.stored_per_parity();
  for (Slab<W>& slab : slabs_) std::fill(slab.spins.begin(), slab.spins.end(), W::zero());
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::size_t s = 0; s < stored; ++s)
      for (std::uint32_t r = 0; r < replicas_; ++r)
        set_lane(slabs_[k].spins[checkerboard_place(domain_, s) * replicas_ + r], lane,
                 spins[(sample * replicas_ + r) * N + site_of(domain_, s)] < 0);
  });
}

template <class W, int D>
std::vector<std::int8_t> SamplePacked<W, D>::couplings() const {
  if (!has_couplings) return {};
  const std::size_t N = domain_.sites(), before = domain_.ghosts * domain_.sites_in_plane();
  std::vector<std::int8_t> out(system_.samples * D * N);
  for_each_sample([&](std::uint64_t k, int lane, std::uint64_t sample) {
    for (std::size_t s = 0; s < N; ++s)
      for (int mu = 0; mu < D; ++mu)
        out[(sample * D + mu) * N + s] =
            sign_of_lane(slabs_[k].couplings[checkerboard_place(domain_, before + s) * D + mu], lane);
  });
  return out;
}

}  // namespace psflip::cpu
