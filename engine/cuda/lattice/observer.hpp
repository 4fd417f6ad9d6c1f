#pragma once
#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/lattice/model_kernels.hpp"
#include "engine/models/observation.hpp"
#include "engine/models/system.hpp"

namespace psflip::cuda {

/// The arrays of lattices whose samples share words; index 0 is the first site that is counted.
struct LatticeWords {
  Snapshots spins;
  const std::uint32_t *couplings, *fields;
};

/// Measures the integers of a System in all planes of its lattices, or in some, and owns the buffers for it.
class Observer {
 public:
  Observer(const System& system, const ModelKernels& kernels, const Layout& layout, std::uint32_t packs,
           const Planes& planes);

  /// Bytes of the buffers in the memory of the GPU, at most: kernels add up an integer or count it, not both.
  /// `intervals`: of a start(), at most.
  static double bytes(const System& system, const Planes& planes, std::uint32_t intervals);

  /// Whether start() measures the spins after several intervals.
  bool takes_intervals() const { return in_blocks_; }
  /// Starts the measurements after all intervals in the order of the default stream, then their copy to the host.
  void start(const LatticeWords& words);
  /// The integers after an interval of the last start(). Waits for it only, not for later work of the GPU.
  void finish(std::uint32_t interval, Observation& o);

 private:
  bool is_full_lattice() const { return planes_.count == layout_.L; }
  /// Whether sum_kernel counts an integer that is measured.
  bool is_counted(Integer integer) const;
  /// Whether the GPU reduces an integer from CountRows. Without random fields, field sums are magnetizations.
  bool is_reduced(Integer integer) const;
  /// Numbers of an integer that is reduced, after one interval.
  std::size_t size(Integer integer) const;
  std::size_t reduced_size() const;
  /// Counts of an integer that is counted, and of all of them, [integer][interval][pack][replica or pair][lane].
  std::size_t counted_size(Integer integer) const;
  std::size_t counted_size() const;
  void reserve(std::uint32_t intervals);
  Measured measured();
  /// Of some packs.
  MeasureJob job(const LatticeWords& words, std::uint32_t first, std::uint32_t packs);
  void count_and_reduce(const LatticeWords& words);
  std::vector<std::int64_t> sums_of_counts(const IntegerInfo& info, const int* counts) const;

  System system_;
  const ModelKernels& kernels_;
  Layout layout_;
  std::uint32_t packs_;
  Planes planes_;
  CountRows rows_;
  std::uint32_t packs_at_once_;  ///< of count_and_reduce()
  bool in_blocks_ = false;       ///< whether the kernels measure all packs in one launch
  std::uint32_t intervals_ = 1;  ///< of the last start()
  DeviceArray<int> counts_, sums_, cosine_, sine_;
  DeviceArray<std::int64_t> measured_;
  PinnedArray<std::int64_t> host_;
  PinnedArray<int> host_sums_;
  CudaStream copies_{false};  ///< of copies to the host, so that sweeps do not wait for them
  CudaEvent is_measured_, copied_;
};

}  // namespace psflip::cuda
