#pragma once
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::app {

/// Fields of a table that say which system its rows are of, next to L and T.
struct Keys {
  std::string model, method;
  std::string h;     ///< in units of J; 0 for a model without a field
  std::string p;     ///< probability of J = -1; 0 for a ferromagnet
  std::string seed;  ///< h, p and seed are empty where the ensembles have several
};

Keys keys_of(const std::vector<analysis::Ensemble>& ensembles);

}  // namespace psflip::app
