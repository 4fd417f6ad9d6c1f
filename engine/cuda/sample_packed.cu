#include <algorithm>

#include "engine/core/fourier.hpp"
#include "engine/cuda/cuda.hpp"
#include "engine/cuda/device.cuh"
#include "engine/cuda/observe_kernels.cuh"
#include "engine/cuda/sample_packed_kernels.cuh"
#include "engine/driver/tables.hpp"

/// Many samples of one lattice on the GPU: ea3d (D = 3) and ising2d (D = 2).
namespace psflip::cuda {

namespace {

constexpr std::uint32_t largest_block = 512;

template <int D>
class SamplePacked final : public Engine {
 public:
  explicit SamplePacked(const System& system);

  std::uint64_t half_sweeps() const override { return half_sweeps_; }
  void advance(std::uint64_t count) override;
  Observation observe() const override;
  std::vector<std::int8_t> spins() const override;
  void restore(std::uint64_t half_sweeps, const std::vector<std::int8_t>& spins) override;
  std::vector<std::int8_t> couplings() const override;

 private:
  dim3 site_grid() const { return {blocks_for(layout_.sites, 256), packs_}; }
  template <int G>
  void advance_group(std::uint32_t first_replica, std::uint64_t count);
  template <class Decision>
  void launch(const Decision& decide, std::uint32_t first_replica, std::uint64_t count);
  template <class Decision>
  bool launch_resident(const Decision& decide, std::uint32_t first_replica, std::uint64_t count);
  template <class Decision>
  void launch_cubic(const Decision& decide, const ResidentShape& shape, std::uint32_t threads, std::size_t bytes,
                    Key key, std::uint32_t h, std::uint32_t n, std::uint32_t first_replica);
  std::vector<std::int8_t> signs(const DeviceArray<std::uint32_t>& words, std::uint32_t fields) const;

  System system_;
  Layout layout_;
  std::uint32_t packs_;
  Thresholds thresholds_;
  std::uint64_t half_sweeps_ = 0;
  DeviceArray<std::uint32_t> spins_, couplings_;
  DeviceArray<Field> fields_;
  std::uint32_t field_count_;
  DeviceArray<long long> cosine_, sine_;
};

std::vector<Field> fields_of(const System& s) {
  std::vector<Field> fields;
  for (int r = 0; r < s.replicas; ++r) fields.push_back({r, -1});  // magnetizations first, then overlaps
  for (int a = 0; a < s.replicas; ++a)
    for (int b = a + 1; b < s.replicas; ++b) fields.push_back({a, b});
  return fields;
}

template <int D>
SamplePacked<D>::SamplePacked(const System& system) : system_(system), thresholds_(make_thresholds(system.beta, D)) {
  const auto L = static_cast<std::uint32_t>(system.L);
  const std::uint64_t first_pack = system.first_sample / 32, end = (system.first_sample + system.samples + 31) / 32;
  packs_ = static_cast<std::uint32_t>(end - first_pack);
  layout_ = {L, Lattice<D>{L}.sites_per_parity(), static_cast<std::uint32_t>(system.replicas), first_pack};
  const std::size_t words = std::size_t{2} * packs_ * layout_.sites;
  spins_ = DeviceArray<std::uint32_t>(words * layout_.replicas);
  couplings_ = DeviceArray<std::uint32_t>(D == 3 ? words * D : 1);
  check(cudaMemset(spins_.data(), 0, spins_.size() * 4), "clear spins");
  check(cudaMemset(couplings_.data(), 0, couplings_.size() * 4), "clear couplings");
  if (D == 3 && system.couplings == Couplings::bimodal)
    fill_couplings_kernel<D><<<site_grid(), 256>>>(couplings_.data(), layout_, disorder_key(system, Stream::couplings));
  if (system.start == Start::random)
    fill_spins_kernel<<<site_grid(), 256>>>(spins_.data(), layout_, trajectory_key(system, Stream::initial_spins));
  check(cudaGetLastError(), "start");
  const std::vector<Field> fields = fields_of(system);
  field_count_ = static_cast<std::uint32_t>(fields.size());
  fields_ = DeviceArray<Field>(fields.size());
  fields_.upload(fields);
  const FourierTable table = make_fourier_table(system.L);
  cosine_ = DeviceArray<long long>(L);
  sine_ = DeviceArray<long long>(L);
  cosine_.upload({table.cosine.begin(), table.cosine.end()});
  sine_.upload({table.sine.begin(), table.sine.end()});
}

template <int D>
void SamplePacked<D>::advance(std::uint64_t count) {
  for (std::uint32_t first = 0; first < layout_.replicas; first += 4) {
    switch (std::min(4u, layout_.replicas - first)) {
      case 1:
        advance_group<1>(first, count);
        break;
      case 2:
        advance_group<2>(first, count);
        break;
      case 3:
        advance_group<3>(first, count);
        break;
      default:
        advance_group<4>(first, count);
    }
  }
  half_sweeps_ += count;
  check(cudaDeviceSynchronize(), "update");
}

template <int D>
template <int G>
void SamplePacked<D>::advance_group(std::uint32_t first_replica, std::uint64_t count) {
  if constexpr (D == 3) {
    if (system_.random == Random::shared) return launch(SharedDecision<G>{thresholds_}, first_replica, count);
    launch(IndependentDecision<G, 3>(thresholds_), first_replica, count);
  } else if constexpr (G == 1) {
    launch(IndependentDecision<1, 2>(thresholds_), first_replica, count);
  }
}

template <int D>
template <class Decision>
void SamplePacked<D>::launch(const Decision& decide, std::uint32_t first_replica, std::uint64_t count) {
  if (launch_resident(decide, first_replica, count)) return;
  const Key key = trajectory_key(system_, Stream::metropolis);
  for (std::uint64_t h = half_sweeps_; h < half_sweeps_ + count; ++h) {
    half_sweep_kernel<D><<<site_grid(), 256>>>(spins_.data(), couplings_.data(), layout_, key,
                                               static_cast<std::uint32_t>(h), first_replica, decide);
  }
  check(cudaGetLastError(), "half sweep");
}

/// A kernel that may use all the shared memory of a block.
template <class Kernel>
Kernel with_shared_memory(Kernel kernel, std::size_t bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "shared memory");
  return kernel;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "device attribute");
  return value;
}

/// With the lattices in shared memory, if they fit; true when done.
template <int D>
template <class Decision>
bool SamplePacked<D>::launch_resident(const Decision& decide, std::uint32_t first_replica, std::uint64_t count) {
  const auto limit = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const Key key = trajectory_key(system_, Stream::metropolis);
  const auto h = static_cast<std::uint32_t>(half_sweeps_), n = static_cast<std::uint32_t>(count);
  if constexpr (D == 2) {
    const std::size_t bytes = 4 * ResidentPack<D, Decision::group>::words(layout_.sites);
    if (bytes > limit) return false;
    const auto kernel = with_shared_memory(resident_square_kernel<Decision>, bytes);
    const std::uint32_t threads = std::min(largest_block, (layout_.sites + 31) / 32 * 32);
    kernel<<<packs_, threads, bytes>>>(spins_.data(), layout_, key, h, n, decide);
    check(cudaGetLastError(), "sweeps in shared memory");
    return true;
  } else {
    const std::uint32_t plane = layout_.L * layout_.L / 2;
    if (plane > largest_block) return false;
    const bool clusters = attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
    for (std::uint32_t blocks = 1; blocks <= (clusters ? 8u : 1u); ++blocks) {
      ResidentShape shape{blocks, (layout_.L + blocks - 1) / blocks, 0};
      if ((blocks - 1) * shape.planes >= layout_.L) continue;  // the last block would hold nothing
      const std::size_t bytes = 4 * ResidentPack<D, Decision::group>::words(std::size_t{plane} * shape.planes);
      if (bytes > limit) continue;
      shape.run = (shape.planes + std::min(shape.planes, largest_block / plane) - 1) /
                  std::min(shape.planes, largest_block / plane);
      const std::uint32_t threads = plane * ((shape.planes + shape.run - 1) / shape.run);
      launch_cubic(decide, shape, threads, bytes, key, h, n, first_replica);
      return true;
    }
    return false;
  }
}

template <int D>
template <class Decision>
void SamplePacked<D>::launch_cubic(const Decision& decide, const ResidentShape& shape, std::uint32_t threads,
                                   std::size_t bytes, Key key, std::uint32_t h, std::uint32_t n,
                                   std::uint32_t first_replica) {
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {shape.blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = packs_ * shape.blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = bytes;
  config.attrs = &cluster;
  config.numAttrs = shape.blocks > 1 ? 1 : 0;
  const auto go = [&](auto kernel) {
    check(cudaLaunchKernelEx(&config, with_shared_memory(kernel, bytes), spins_.data(),
                             static_cast<const std::uint32_t*>(couplings_.data()), layout_, key, h, n, first_replica,
                             shape, decide),
          "sweeps in shared memory");
  };
  if (shape.blocks == 1) {
    if (layout_.L == 16) return go(resident_cubic_kernel<16, false, Decision>);
    return go(resident_cubic_kernel<0, false, Decision>);
  }
  if (layout_.L == 32) return go(resident_cubic_kernel<32, true, Decision>);
  go(resident_cubic_kernel<0, true, Decision>);
}

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
std::size_t word_of(std::uint32_t L, std::size_t sites, std::size_t fields, std::size_t field, std::size_t s) {
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

}  // namespace

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string device_name() {
  cudaDeviceProp properties{};
  if (!available() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return {};
  return properties.name;
}

bool supports(const System& system) { return system.packing == Packing::samples; }

std::unique_ptr<Engine> make_engine(const System& system) {
  if (!supports(system))
    throw UserError(
        "--backend cuda: lattices with --packing sites run on the CPU, use --backend cpu or --packing samples.");
  if (system.dimension() == 3) return std::make_unique<SamplePacked<3>>(system);
  return std::make_unique<SamplePacked<2>>(system);
}

}  // namespace psflip::cuda
