#pragma once
#include "engine/cuda/single_gpu/sample_packed.cuh"

// Measurement and canonical order of SamplePacked; included once, by sample_packed.cu.
namespace psflip::cuda {

template <int D>
Observation SamplePacked<D>::observe() const {
  return observer_->observe(const_cast<std::uint32_t*>(spins_.data()), couplings_.data()).sums;
}

template <int D>
void SamplePacked<D>::start_observing() {
  observer_->start(spins_.data(), couplings_.data());
}

template <int D>
const Observation& SamplePacked<D>::observed() {
  observer_->finish(observed_);
  return observed_.sums;
}

template <int D>
SampleWords SamplePacked<D>::where(std::size_t fields) const {
  const std::size_t sites = layout_.sites;
  return {layout_.L,      2 * sites, fields, 2 * fields * sites, sites, fields * sites, system_.first_sample % 32,
          system_.samples};
}

template <int D>
PackedSigns SamplePacked<D>::packed_spins() const {
  return rows_of_words(spins_.data(), where(layout_.replicas));
}

template <int D>
std::vector<std::int8_t> SamplePacked<D>::couplings() const {
  if constexpr (D == 2) return {};
  return unpack_signs(rows_of_words(couplings_.data(), where(D)));
}

template <int D>
void SamplePacked<D>::restore(std::uint64_t half_sweeps, const PackedSigns& spins) {
  words_of_rows(spins, where(layout_.replicas), spins_.data());
  half_sweeps_ = half_sweeps;
}

}  // namespace psflip::cuda
