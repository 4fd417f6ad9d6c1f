#include "engine/cuda/cuda.hpp"
#include "engine/cuda/sample_packed.cuh"
#include "engine/cuda/sample_packed_state.cuh"

// Construction and updates of SamplePacked, and the door to it.
namespace psflip::cuda {

constexpr std::uint32_t largest_block = 512;

static std::vector<Field> fields_of(const System& s) {
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

static int attribute(cudaDeviceAttr which) {
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
  using Small = KnownShape<16, 1, 16, 4>;
  using Large = KnownShape<32, 4, 8, 8>;
  if (Small::fits(layout_.L, shape)) return go(resident_cubic_kernel<Small, Decision>);
  if (Large::fits(layout_.L, shape)) return go(resident_cubic_kernel<Large, Decision>);
  if (shape.blocks == 1) return go(resident_cubic_kernel<KnownShape<0, 1, 0, 0>, Decision>);
  go(resident_cubic_kernel<KnownShape<0, 0, 0, 0>, Decision>);
}

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string device_name() {
  cudaDeviceProp properties{};
  if (!available() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return {};
  return properties.name;
}

bool supports(const System& system) { return system.packing == Packing::samples && system.model != Model::rfim3d; }

std::unique_ptr<Engine> make_engine(const System& system) {
  if (!supports(system))
    throw UserError(
        "--backend cuda: lattices with --packing sites run on the CPU, use --backend cpu or --packing samples.");
  if (system.dimension() == 3) return std::make_unique<SamplePacked<3>>(system);
  return std::make_unique<SamplePacked<2>>(system);
}

}  // namespace psflip::cuda
