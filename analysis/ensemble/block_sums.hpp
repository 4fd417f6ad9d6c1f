#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Per-sample quantities at one temperature and moment: [sample][quantity].
struct Primaries {
  std::vector<std::string> names;
  std::vector<std::string> design_names;  ///< those whose design effect is measured; none: no packs, no products
  std::function<Eigen::MatrixXd(std::size_t temperature, std::size_t moment)> values;
};

/// Names of the products of two quantities, in the order of the upper triangle of their matrix, row by row.
std::vector<std::string> product_names(const std::vector<std::string>& quantities);

/// Block sums of the primary quantities of a measurement file, one ensemble per temperature; see reduce.
std::vector<Ensemble> block_sums(const io::LabelledFile& measurement, const Primaries& primaries,
                                 std::optional<std::int64_t> block_samples, bool packs);

}  // namespace psflip::analysis
