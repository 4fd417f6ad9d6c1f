#pragma once
#include "engine/cuda/sample_packed.cuh"

// Measurement and canonical order of SamplePacked; included once, by sample_packed.cu.
namespace psflip::cuda {

template <int D>
Observation SamplePacked<D>::observe() const {
  return observer_->observe(const_cast<std::uint32_t*>(spins_.data()), couplings_.data());
}

/// Position of site s among the words of its pack and field: parity, then field, then compact index.
inline std::size_t word_of(std::uint32_t L, std::size_t sites, std::size_t fields, std::size_t field, std::size_t s) {
  const std::size_t parity = (s % L + s / L % L + s / L / L) & 1u;
  return (parity * fields + field) * sites + s / 2;
}

/// All samples and fields in canonical order [sample][field][site] as +1 and -1.
template <int D>
std::vector<std::int8_t> SamplePacked<D>::signs(const DeviceArray<std::uint32_t>& device, std::uint32_t fields) const {
  const std::vector<std::uint32_t> words = device.download();
  const std::size_t N = system_.sites();
  std::vector<std::int8_t> out;
  out.reserve(system_.samples * fields * N);
  for (std::uint64_t id = system_.first_sample; id < system_.first_sample + system_.samples; ++id) {
    const std::uint32_t* pack = words.data() + (id / 32 - layout_.first_pack) * 2 * fields * layout_.sites;
    for (std::size_t f = 0; f < fields; ++f)
      for (std::size_t s = 0; s < N; ++s)
        out.push_back((pack[word_of(layout_.L, layout_.sites, fields, f, s)] >> (id % 32)) & 1u ? std::int8_t{-1}
                                                                                                : std::int8_t{1});
  }
  return out;
}

template <int D>
std::vector<std::int8_t> SamplePacked<D>::spins() const {
  return signs(spins_, layout_.replicas);
}

template <int D>
std::vector<std::int8_t> SamplePacked<D>::couplings() const {
  if constexpr (D == 2) return {};
  return signs(couplings_, D);
}

template <int D>
void SamplePacked<D>::restore(std::uint64_t half_sweeps, const std::vector<std::int8_t>& spins) {
  const std::size_t N = system_.sites(), fields = layout_.replicas;
  std::vector<std::uint32_t> words(spins_.size(), 0);
  auto spin = spins.begin();
  for (std::uint64_t id = system_.first_sample; id < system_.first_sample + system_.samples; ++id) {
    std::uint32_t* pack = words.data() + (id / 32 - layout_.first_pack) * 2 * fields * layout_.sites;
    for (std::size_t f = 0; f < fields; ++f)
      for (std::size_t s = 0; s < N; ++s, ++spin)
        if (*spin < 0) pack[word_of(layout_.L, layout_.sites, fields, f, s)] |= 1u << (id % 32);
  }
  spins_.upload(words);
  half_sweeps_ = half_sweeps;
}

}  // namespace psflip::cuda
