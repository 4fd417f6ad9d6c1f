#pragma once
#include <cuda_runtime_api.h>

#include "engine/cuda/sweep/half_sweep/slab_sweeps.hpp"
#include "engine/cuda/update/plane_memory.hpp"
#include "engine/driver/engine.hpp"

namespace psflip::cuda {

/// The configurations of a System in GPU memory, with the members of Engine.
class Configurations {
 public:
  virtual ~Configurations() = default;
  /// How many intervals start_intervals() takes at most.
  virtual std::uint64_t intervals_at_once() const { return 1; }
  /// Starts rounds in the default stream; `first` is the number of the first.
  virtual void start_rounds(std::uint64_t first, std::uint64_t count) = 0;
  /// The same. start_reading() must follow, and measures the spins after each interval.
  virtual void start_intervals(std::uint64_t first, const Intervals& intervals) {
    start_rounds(first, intervals.rounds);
  }
  /// Starts to measure, in the order of the default stream. Sums are zero from then on.
  virtual void start_reading() = 0;
  /// Waits for the measurement of the last start_reading(), after an interval of the last start_intervals().
  virtual void finish_reading(std::uint64_t interval, Reading& reading) = 0;

  virtual Sums sums() const { return {}; }
  virtual void clear_sums() {}
  virtual PackedSigns packed_spins(std::size_t slot) const = 0;
  virtual PackedSigns packed_couplings() const { return {}; }
  virtual PackedSigns packed_fields() const { return {}; }
  virtual std::vector<FlowLabel> flow_labels() const { return {}; }
  virtual void restore_spins(std::size_t slot, const PackedSigns& spins) = 0;
  /// Of configurations with disorder.
  virtual void restore_disorder(const PackedSigns& /*couplings*/, const PackedSigns& /*fields*/) {}
  virtual void restore(const std::vector<FlowLabel>&, const Sums&) {}
};

/// Configurations at one temperature: all planes of the lattices, or some planes with ghost planes on each side.
class Lattices : public Configurations {
 public:
  /// The spins of some planes.
  virtual PlaneMemory memory() = 0;
};

/// Lattices with one ghost on each side of some planes. Each half sweep needs a new copy of the ghosts.
class PlaneLattices : public Lattices {
 public:
  /// How many planes at each end are best updated together; 1 if a single one takes no more time.
  virtual std::uint32_t at_thick_ends() const = 0;
  /// The two steps of a half sweep of some planes: those at both ends, 1 or at_thick_ends() each, and those in between.
  virtual void update_boundary(std::uint64_t half_sweep, std::uint32_t at_each_end, cudaStream_t stream) = 0;
  virtual void update_interior(std::uint64_t half_sweep, std::uint32_t at_each_end, cudaStream_t stream) = 0;

  /// Numbers that accompany the messages of a side in update_many(); 0 if there is no such kernel.
  virtual std::uint32_t numbers_of_side() const = 0;
  /// Half sweeps during which the GPUs of neighbouring slabs write each other's messages. Returns the number that both
  /// neighbours write when they have sent the last one. Then the ghosts of its parity must be renewed.
  virtual std::uint32_t update_many(std::uint64_t first, std::uint32_t half_sweeps, const SlabNeighbours& neighbours,
                                    cudaStream_t stream) = 0;
};

/// Square lattices with several ghosts on each side of some rows, enough for as many half sweeps.
class RowLattices : public Lattices {
 public:
  /// Half sweeps of some rows. `before`: half sweeps done since the ghosts were received; all together no more than
  /// there are ghosts on a side.
  virtual void update_rows(std::uint64_t first, std::uint32_t half_sweeps, std::uint32_t before,
                           cudaStream_t stream) = 0;
};

}  // namespace psflip::cuda
