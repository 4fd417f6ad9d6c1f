#include "engine/cuda/multi_gpu/sample_slab.cuh"

#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/multi_gpu/slab_engine.cuh"
#include "engine/cuda/sweep/half_sweep/slab_row_kernel.cuh"
#include "engine/cuda/update/start_samples.cuh"

namespace psflip::cuda {

template <int D>
SampleSlab<D>::SampleSlab(const System& system, const Planes& planes)
    : system_(system),
      domain_(Lattice<D>{static_cast<std::uint32_t>(system.L)}, planes),
      thresholds_(make_thresholds(system.beta, D)) {
  const std::uint64_t first_pack = system.first_sample / 32, end = (system.first_sample + system.samples + 31) / 32;
  packs_ = static_cast<std::uint32_t>(end - first_pack);
  layout_ = {domain_.L, domain_.stored_per_parity(), static_cast<std::uint32_t>(system.replicas), first_pack};
  const std::size_t words = std::size_t{2} * packs_ * layout_.sites;
  spins_ = DeviceArray<std::uint32_t>(words * layout_.replicas);
  couplings_ = DeviceArray<std::uint32_t>(D == 3 ? words * D : 1);
  check(cudaMemset(spins_.data(), 0, spins_.size() * 4), "clear spins");
  check(cudaMemset(couplings_.data(), 0, couplings_.size() * 4), "clear couplings");
  const Addresses address{domain_.plane(0) * plane(), domain_.lattice().sites_per_parity()};
  const dim3 grid(blocks_for(layout_.sites, 256), packs_);
  if (D == 3 && system.couplings == Couplings::bimodal)
    fill_couplings_kernel<D>
        <<<grid, 256>>>(couplings_.data(), layout_, address, disorder_key(system, Stream::couplings));
  if (system.start == Start::random)
    fill_spins_kernel<<<grid, 256>>>(spins_.data(), layout_, address, trajectory_key(system, Stream::initial_spins));
  check(cudaGetLastError(), "start");
  observer_ = std::make_unique<Observer<D>>(system_, layout_, packs_, planes);
}

template <int D>
PlaneMemory SampleSlab<D>::memory() {
  return {spins_.data(), packs_, layout_.replicas, domain_.planes, plane()};
}

template <int D>
void SampleSlab<D>::update_boundary(std::uint64_t half_sweep, cudaStream_t stream) {
  update(half_sweep, PlaneSegments::boundary(domain_.planes), stream);
}

template <int D>
void SampleSlab<D>::update_interior(std::uint64_t half_sweep, cudaStream_t stream) {
  const PlaneSegments segments = PlaneSegments::interior(domain_.planes, slab_segment);
  if (segments.count > 0) update(half_sweep, segments, stream);
}

template <int D>
void SampleSlab<D>::update(std::uint64_t half_sweep, const PlaneSegments& segments, cudaStream_t stream) {
  SlabJob job{spins_.data(),
              couplings_.data(),
              layout_,
              {domain_.first, domain_.planes},
              segments,
              packs_,
              trajectory_key(system_, Stream::metropolis),
              static_cast<std::uint32_t>(half_sweep),
              0,
              stream};
  for (; job.first_replica < layout_.replicas; job.first_replica += 4) {
    switch (std::min(4u, layout_.replicas - job.first_replica)) {
      case 1:
        update_group<1>(job);
        break;
      case 2:
        update_group<2>(job);
        break;
      case 3:
        update_group<3>(job);
        break;
      default:
        update_group<4>(job);
    }
  }
}

template <int D>
template <int G>
void SampleSlab<D>::update_group(const SlabJob& job) const {
  if constexpr (D == 3) {
    if (system_.random == Random::shared) return start_cubic_slab(SharedDecision<G>{thresholds_}, job);
    const int leading = leading_planes(thresholds_, 3);
    if (G == 4 && leading >= 5) return start_cubic_slab(IndependentDecision<G, 3, (G == 4 ? 5 : 0)>(thresholds_), job);
    if (G == 4 && leading >= 3) return start_cubic_slab(IndependentDecision<G, 3, (G == 4 ? 3 : 0)>(thresholds_), job);
    start_cubic_slab(IndependentDecision<G, 3>(thresholds_), job);
  } else if constexpr (G == 1) {
    const dim3 grid(blocks_for(std::size_t{job.segments.length} * plane(), 256), job.segments.count, job.packs);
    row_slab_kernel<<<grid, 256, 0, job.stream>>>(job.spins, job.layout, domain_, job.segments, KeySchedule(job.key),
                                                  job.half_sweep, IndependentDecision<1, 2>(thresholds_));
    check(cudaGetLastError(), "half sweep");
  }
}

template <int D>
DomainObservation SampleSlab<D>::observe() const {
  return observer_->observe(const_cast<std::uint32_t*>(spins_.data()) + plane(), couplings_.data() + plane());
}

/// The words of stored planes `first` ... `first + count - 1`; configurations begin at plane `first`.
template <int D>
SampleWords SampleSlab<D>::where(std::size_t fields, std::uint32_t first, std::uint32_t count) const {
  const std::size_t sites = layout_.sites;
  return {layout_.L,
          std::size_t{count} * domain_.sites_in_plane(),
          fields,
          2 * fields * sites,
          sites,
          fields * sites,
          system_.first_sample % 32,
          system_.samples,
          domain_.plane(first) & 1u};
}

template <int D>
PackedSigns SampleSlab<D>::packed_spins() const {
  return rows_of_words(spins_.data() + plane(), where(layout_.replicas, 1, domain_.planes));
}

template <int D>
PackedSigns SampleSlab<D>::packed_couplings() const {
  if constexpr (D == 2) return {};
  return rows_of_words(couplings_.data() + plane(), where(D, 1, domain_.planes));
}

template <int D>
void SampleSlab<D>::restore(const PackedSigns& spins) {
  PackedSigns stored(spins.rows, std::size_t{domain_.stored_planes()} * domain_.sites_in_plane());
  for (std::size_t row = 0; row < spins.rows; ++row) copy_stored_planes(spins.row(row), domain_, stored.row(row));
  words_of_rows(stored, where(layout_.replicas, 0, domain_.stored_planes()), spins_.data());
}

std::unique_ptr<DomainEngine> make_sample_slab(const System& system, const Planes& planes) {
  if (system.dimension() == 3) return std::make_unique<SlabEngine<SampleSlab<3>>>(system, planes);
  return std::make_unique<SlabEngine<SampleSlab<2>>>(system, planes);
}

}  // namespace psflip::cuda
