#pragma once
#include "engine/cuda/sample_packed.cuh"

// Measurement and canonical order of SamplePacked; included once, by sample_packed.cu.
namespace psflip::cuda {

template <int D>
Observation SamplePacked<D>::observe() const {
  const std::size_t lanes = std::size_t{packs_} * 32, replicas = layout_.replicas;
  DeviceArray<PlaneSums> sums(lanes * field_count_ * D);
  DeviceArray<int> unsatisfied(lanes * replicas);
  auto* spins = const_cast<std::uint32_t*>(spins_.data());
  plane_sums_kernel<D><<<dim3(packs_, field_count_, D), 256>>>(spins, layout_, fields_.data(), cosine_.data(),
                                                               sine_.data(), sums.data());
  unsatisfied_kernel<D><<<dim3(packs_, layout_.replicas), 256>>>(spins, couplings_.data(), layout_, unsatisfied.data());
  check(cudaGetLastError(), "measurement");
  const std::vector<PlaneSums> plane = sums.download();
  const std::vector<int> broken = unsatisfied.download();
  const std::size_t pairs = D == 3 ? field_count_ - replicas : 0, N = system_.sites();
  const auto field = [&](std::size_t pack, std::size_t f, std::size_t axis, std::size_t lane) -> const PlaneSums& {
    return plane[((pack * field_count_ + f) * D + axis) * 32 + lane];
  };
  const auto k2 = [&](std::size_t pack, std::size_t f, std::size_t lane) {
    std::int64_t re[D], im[D];
    for (int a = 0; a < D; ++a) {
      re[a] = field(pack, f, a, lane).re;
      im[a] = field(pack, f, a, lane).im;
    }
    return k2_from_components(re, im, D);
  };
  Observation o;
  for (std::uint64_t id = system_.first_sample; id < system_.first_sample + system_.samples; ++id) {
    const std::size_t pack = id / 32 - layout_.first_pack, lane = id % 32;
    for (std::size_t r = 0; r < replicas; ++r) {
      o.bond_sum.push_back(static_cast<std::int64_t>(D * N) - 2 * broken[(pack * replicas + r) * 32 + lane]);
      o.magnetization.push_back(field(pack, r, 0, lane).total);
    }
    for (std::size_t p = 0; D == 3 && p < pairs; ++p) {
      o.overlap.push_back(field(pack, replicas + p, 0, lane).total);
      o.overlap_k2.push_back(k2(pack, replicas + p, lane));
    }
    if constexpr (D == 2) o.magnetization_k2.push_back(k2(pack, 0, lane));
  }
  return o;
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
