#pragma once
#include "engine/cuda/measure/count_job.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"
#include "engine/cuda/sweep/metropolis.hpp"

namespace psflip::cuda {

/// The kernels of one member of the Ising family for lattices whose samples share words.
class ModelKernels {
 public:
  virtual ~ModelKernels() = default;
  /// Starts half sweeps of all replicas of full lattices. Returns true if the spins are in `scratch` afterwards.
  virtual bool advance(PackJob job, const Metropolis& metropolis) const = 0;
  /// Whether advance() may store the spins after several intervals: if all lattices are updated at the same time.
  virtual bool has_snapshots(const Layout& layout, std::uint32_t packs, const Metropolis& metropolis) const = 0;
  /// Starts one half sweep of all replicas of some planes.
  virtual void update(SlabJob job, const Metropolis& metropolis) const = 0;
  /// Whether there is update_many().
  virtual bool has_slab_sweeps(const Metropolis& metropolis) const = 0;
  /// Starts many half sweeps of all replicas of a slab instead of job.half_sweep. Each group of replicas has its own,
  /// which sweeps.before counts; returns that number after them.
  virtual std::uint32_t update_many(SlabJob job, SlabSweeps sweeps, const SlabNeighbours& neighbours,
                                    const Metropolis& metropolis) const = 0;
  /// Whether measure() may measure the packs of a job: those of small lattices.
  virtual bool has_measure(const MeasureJob& job) const = 0;
  /// Starts to measure all integers of the packs of a job.
  virtual void measure(const MeasureJob& job) const = 0;
  /// Starts to count spins, overlaps and unsatisfied bonds.
  virtual void count(const CountJob& job) const = 0;
  /// Starts to count the set bits of an integer with has_sum_kernel(): of `width` replicas or pairs, added to
  /// counts[pack][replica or pair][sample].
  virtual void count_sum(const CountJob& job, Integer integer, std::uint32_t width, int* counts) const = 0;
};

/// Compiled by model_kernels.cu for the traits of every preset.
template <class T>
const ModelKernels& kernels_of();

}  // namespace psflip::cuda
