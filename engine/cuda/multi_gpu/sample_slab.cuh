#pragma once
#include <memory>

#include "engine/core/domain.hpp"
#include "engine/cuda/measure/observer.cuh"
#include "engine/cuda/measure/sample_rows.cuh"
#include "engine/cuda/multi_gpu/halo_kernels.cuh"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"

/// Some planes of many samples of one lattice: ea3d (D = 3) and ising2d (D = 2). See SlabEngine.
namespace psflip::cuda {

template <int D>
class SampleSlab {
 public:
  SampleSlab(const System& system, const Planes& planes);

  PlaneMemory memory();
  void update_boundary(std::uint64_t half_sweep, cudaStream_t stream);
  void update_interior(std::uint64_t half_sweep, cudaStream_t stream);
  DomainObservation observe() const;
  PackedSigns packed_spins() const;
  PackedSigns packed_couplings() const;
  void restore(const PackedSigns& spins);

 private:
  std::uint32_t plane() const { return domain_.sites_in_plane() / 2; }
  void update(std::uint64_t half_sweep, const PlaneSegments& segments, cudaStream_t stream);
  template <int G>
  void update_group(const SlabJob& job) const;
  SampleWords where(std::size_t fields, std::uint32_t first, std::uint32_t count) const;

  System system_;
  Domain<D> domain_;
  Layout layout_;  ///< sites: including the ghost planes
  std::uint32_t packs_;
  Thresholds thresholds_;
  DeviceArray<std::uint32_t> spins_, couplings_;
  mutable std::unique_ptr<Observer<D>> observer_;
};

}  // namespace psflip::cuda
