#pragma once
#include "engine/core/field_update.hpp"

namespace psflip::cuda {

/// The Metropolis decision at one temperature.
struct Metropolis {
  bool shared;            ///< one random number for the samples of a pack
  Thresholds thresholds;  ///< of a model without field
  FieldThresholds field;  ///< of a model with a field
};

}  // namespace psflip::cuda
