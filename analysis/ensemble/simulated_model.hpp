#pragma once
#include <string_view>

namespace psflip::analysis {

/// How a job measures, which decides the axis of its sums.
enum class Method {
  relaxation,   ///< at times after a quench
  equilibrium,  ///< sums over bins of equal length
  tempering     ///< sums over logarithmic bins, the last one is the second half of the run
};

/// Properties of a model on which reading and merging depend.
struct SimulatedModel {
  std::string_view name;
  int dimension;
  Method method;
  const char* interval;  ///< the attribute that holds the sweeps between two measurements or exchanges; "": none

  /// Axis of the sums in files.
  const char* axis() const { return method == Method::relaxation ? "time" : "bin"; }
};

/// The model of that name, nullptr if there is none.
const SimulatedModel* find_model(std::string_view name);

}  // namespace psflip::analysis
