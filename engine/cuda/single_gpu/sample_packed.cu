#include "engine/cuda/single_gpu/engines.hpp"
#include "engine/cuda/single_gpu/sample_packed.cuh"
#include "engine/cuda/single_gpu/sample_packed_state.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/persistent_kernel.cuh"

// Construction and updates of SamplePacked.
namespace psflip::cuda {

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
    fill_couplings_kernel<D><<<site_grid(), 256>>>(couplings_.data(), layout_, full_lattice(layout_.sites),
                                                   disorder_key(system, Stream::couplings));
  if (system.start == Start::random)
    fill_spins_kernel<<<site_grid(), 256>>>(spins_.data(), layout_, full_lattice(layout_.sites),
                                            trajectory_key(system, Stream::initial_spins));
  check(cudaGetLastError(), "start");
  progress_ = DeviceArray<std::uint32_t>(packs_);
  observer_ = std::make_unique<Observer<D>>(system_, layout_, packs_, Planes{0, L});
}

template <int D>
void SamplePacked<D>::advance(std::uint64_t count) {
  start_advancing(count);
  check(cudaDeviceSynchronize(), "update");
}

template <int D>
double SamplePacked<D>::advance_during(std::uint64_t count, const std::function<void()>& host_work) {
  sweeps_begin_.record();
  start_advancing(count);
  sweeps_end_.record();
  host_work();
  return sweeps_end_.seconds_since(sweeps_begin_);
}

/// Starts the update and returns before it ends.
template <int D>
void SamplePacked<D>::start_advancing(std::uint64_t count) {
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
  if (spins_in_scratch_) std::swap(spins_, scratch_);
  spins_in_scratch_ = false;
  half_sweeps_ += count;
}

template <int D>
template <int G>
void SamplePacked<D>::advance_group(std::uint32_t first_replica, std::uint64_t count) {
  if constexpr (D == 3) {
    if (system_.random == Random::shared) return launch(SharedDecision<G>{thresholds_}, first_replica, count);
    constexpr bool by_planes = G == 2 || G == 4;  // the usual group sizes, and the remainder of six replicas
    const int leading = by_planes ? leading_planes(thresholds_, 3) : 0;
    if (leading >= 5) return launch(IndependentDecision<G, 3, (by_planes ? 5 : 0)>(thresholds_), first_replica, count);
    if (leading >= 3) return launch(IndependentDecision<G, 3, (by_planes ? 3 : 0)>(thresholds_), first_replica, count);
    launch(IndependentDecision<G, 3>(thresholds_), first_replica, count);
  } else if constexpr (G == 1) {
    launch(IndependentDecision<1, 2>(thresholds_), first_replica, count);
  }
}

/// Updates the square lattice in shared memory; returns false if it does not fit.
template <class Decision>
static bool advance_square(const Decision& decide, const PackJob& job) {
  const std::size_t bytes = 4 * SharedPack<2, Decision::group>::words(job.layout.sites);
  if (bytes > static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))) return false;
  const auto kernel = with_shared_memory(persistent_square_kernel<Decision>, bytes);
  const std::uint32_t threads = std::min(512u, (job.layout.sites + 31) / 32 * 32);
  kernel<<<job.packs, threads, bytes>>>(job.spins.data(), job.layout, KeySchedule(job.key), job.first_half_sweep,
                                        job.half_sweeps, decide);
  check(cudaGetLastError(), "sweeps in shared memory");
  return true;
}

template <int D>
template <class Decision>
void SamplePacked<D>::launch(const Decision& decide, std::uint32_t first_replica, std::uint64_t count) {
  const Key key = trajectory_key(system_, Stream::metropolis);
  const auto h = static_cast<std::uint32_t>(half_sweeps_), n = static_cast<std::uint32_t>(count);
  const PackJob job{spins_,
                    scratch_,
                    couplings_.data(),
                    layout_,
                    packs_,
                    key,
                    h,
                    n,
                    first_replica,
                    progress_,
                    sublattice_packets_,
                    row_block_packets_,
                    queue_};
  if constexpr (D == 3) {
    spins_in_scratch_ = advance_cubic(decide, job);
  } else if (!advance_square(decide, job)) {
    for (std::uint32_t k = 0; k < n; ++k)
      half_sweep_kernel<D><<<site_grid(), 256>>>(spins_.data(), couplings_.data(), layout_, KeySchedule(key), h + k,
                                                 first_replica, decide);
    check(cudaGetLastError(), "half sweep");
  }
}

std::unique_ptr<Engine> make_sample_packed(const System& system) {
  if (system.dimension() == 3) return std::make_unique<SamplePacked<3>>(system);
  return std::make_unique<SamplePacked<2>>(system);
}

}  // namespace psflip::cuda
