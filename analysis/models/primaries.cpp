#include "analysis/models/primaries.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/models/quantities/slice.hpp"
#include "analysis/models/quantities/tables.hpp"

namespace psflip::analysis {
namespace {

void require_measurements(const io::LabelledFile& file, Method method) {
  for (const std::string& axis : {std::string("sample"), std::string("temperature"), moment_axis(method)})
    if (io::size(file.axis(axis).values) == 0)
      throw UserError(fmt::format(
          "Cannot use {}: it holds no measurements; simulate it again with samples, temperatures and sweeps.",
          file.path.string()));
}

/// Energies and the order parameter, which no table is without; overlaps need two replicas.
bool is_required(const std::string& name, const Preset& preset, std::int64_t replicas) {
  if (name == primary_names[primary::e]) return true;
  const bool known = !preset.has_random_bonds() || replicas >= 2;
  return known && name == primary_names[square_of_order_parameter(preset)];
}

/// Quantities whose design effect is measured: random numbers may only be shared with random bonds.
std::vector<std::string> design_names(const std::vector<std::string>& names, Method method, const Preset& preset) {
  if (method != Method::relaxation || !preset.has_random_bonds()) return {};
  std::vector<std::string> result;
  for (const primary::Id id : {primary::e, primary::m2, primary::q2, primary::chi_k})
    if (std::find(names.begin(), names.end(), primary_names[id]) != names.end()) result.emplace_back(primary_names[id]);
  return result;
}

}  // namespace

Primaries primaries_of(const io::LabelledFile& file) {
  const Preset& preset = *find_preset(file.text("model"));
  const Method method = method_of(file);
  require_measurements(file, method);
  Primaries primaries;
  std::vector<Measurement> measurements;
  const Slice first(file, 0, 0);
  for (const Quantity& quantity : quantities_of(method, preset)) {
    if (!quantity.is_primary()) continue;
    try {
      quantity.measurement(first);
    } catch (const NotMeasured&) {
      if (is_required(quantity.name, preset, file.integer("replicas"))) throw;
      continue;
    }
    primaries.names.push_back(quantity.name);
    measurements.push_back(quantity.measurement);
  }
  primaries.design_names = design_names(primaries.names, method, preset);
  primaries.values = [&file, measurements](std::size_t temperature, std::size_t moment) {
    const Slice slice(file, temperature, moment);
    Eigen::MatrixXd values(static_cast<Eigen::Index>(io::size(file.axis("sample").values)), std::ssize(measurements));
    for (std::size_t i = 0; i < measurements.size(); ++i)
      values.col(static_cast<Eigen::Index>(i)) = measurements[i](slice);
    return values;
  };
  return primaries;
}

}  // namespace psflip::analysis
