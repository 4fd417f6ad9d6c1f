#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/laboratory/field_tiles/field_site.hpp"
#include "engine/laboratory/field_tiles/timing.hpp"

/// The double checkerboard of one realization in the memory of the GPU, a configuration for each temperature.
namespace psflip::laboratory::device {

class FieldBoxes {
 public:
  virtual ~FieldBoxes() = default;
  /// Of all configurations; does not wait for the GPU.
  virtual void sweep(int hits) = 0;
  virtual void set_thresholds(const std::vector<FieldThresholds>& of_configurations) = 0;
  virtual std::vector<FieldSums> sums() const = 0;
  virtual std::vector<std::int8_t> spins(std::size_t configuration) const = 0;
};

/// Every configuration begins as `first`. The generator of the plan is lcg64 or philox.
std::unique_ptr<FieldBoxes> make_field_boxes(const FieldLattice& first, const System& system,
                                             const FieldTilePlan& plan);

/// Threads of a block at most.
int most_threads_of_block();

/// As tiles_field_seconds() and tiles_step_seconds() of the CPU. Temperatures are swapped on the host, as in the paper.
double boxes_field_seconds(const System& system, const FieldTilePlan& plan, double least);
double boxes_step_seconds(const System& system, const FieldTilePlan& plan, int interval, double least);

}  // namespace psflip::laboratory::device
