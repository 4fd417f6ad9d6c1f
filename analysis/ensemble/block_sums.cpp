#include "analysis/ensemble/block_sums.hpp"

#include <fmt/format.h>

#include "analysis/ensemble/fields.hpp"

namespace psflip::analysis {
namespace {

/// Chooses the samples per block. Throws UserError.
std::int64_t block_size(const io::LabelledFile& file, std::optional<std::int64_t> wanted) {
  const bool shared = file.text("random") == "shared";
  const std::int64_t smallest = shared ? pack_size : 1;
  const std::int64_t size = wanted.value_or(smallest);
  if (size < smallest || size % smallest != 0)
    throw UserError(fmt::format(
        "--block-samples {} is not possible for {}: its {}; give a positive multiple of {}.", size, file.path.string(),
        shared ? "samples share random numbers in packs of 32" : "blocks are whole samples", smallest));
  return size;
}

/// An empty grouping of the samples `ids` (ascending) into groups of `size`.
Grouping make_groups(const std::vector<std::int64_t>& ids, std::int64_t size, std::vector<std::string> names,
                     std::size_t moments) {
  Grouping grouping;
  std::vector<double> samples;
  for (const std::int64_t id : ids) {
    if (grouping.ids.empty() || grouping.ids.back() != id / size) {
      grouping.ids.push_back(id / size);
      samples.push_back(0);
    }
    ++samples.back();
  }
  grouping.samples = Eigen::Map<const Eigen::VectorXd>(samples.data(), std::ssize(samples));
  grouping.sums.assign(names.size(), Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(moments), grouping.size()));
  grouping.names = std::move(names);
  return grouping;
}

/// Adds per-sample values [sample][quantity] of one moment; quantity i goes to sums[first + i].
void add_values(Grouping& grouping, std::size_t moment, const Eigen::MatrixXd& values, std::size_t first = 0) {
  const auto row = static_cast<Eigen::Index>(moment);
  Eigen::Index sample = 0;
  for (Eigen::Index g = 0; g < grouping.size(); ++g) {
    const auto count = static_cast<Eigen::Index>(grouping.samples[g]);
    for (Eigen::Index q = 0; q < values.cols(); ++q)
      grouping.sums[first + static_cast<std::size_t>(q)](row, g) += values.col(q).segment(sample, count).sum();
    sample += count;
  }
}

std::vector<SampleRange> ranges_of(const std::vector<std::int64_t>& ids) {
  std::vector<SampleRange> ranges;
  for (const std::int64_t id : ids) ranges.push_back({id, 1});
  return joined(std::move(ranges));
}

/// Names of the pack sums: every design quantity and, with suffix _2, its square.
std::vector<std::string> pack_names(const Primaries& primaries) {
  std::vector<std::string> names = primaries.design_names;
  for (const std::string& name : primaries.design_names) names.push_back(name + "_2");
  return names;
}

/// All samples as one group.
Grouping make_products(const std::vector<std::int64_t>& ids, const std::vector<std::string>& quantities,
                       std::size_t moments) {
  return make_groups(std::vector<std::int64_t>(ids.size(), 0), 1, product_names(quantities), moments);
}

void add_products(Grouping& products, std::size_t moment, const Eigen::MatrixXd& values) {
  const Eigen::MatrixXd matrix = values.transpose() * values;
  std::size_t q = 0;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = i; j < matrix.cols(); ++j)
      products.sums[q++](static_cast<Eigen::Index>(moment), 0) = matrix(i, j);
}

void fill(Ensemble& ensemble, const Primaries& primaries, std::size_t temperature) {
  for (std::size_t m = 0; m < ensemble.moments.size(); ++m) {
    const Eigen::MatrixXd values = primaries.values(temperature, m);
    add_values(ensemble.blocks, m, values);
    if (ensemble.products.size() > 0) add_products(ensemble.products, m, values);
    if (ensemble.packs.size() == 0) continue;
    Eigen::MatrixXd design(values.rows(), std::ssize(primaries.design_names));
    for (std::size_t i = 0; i < primaries.design_names.size(); ++i)
      design.col(static_cast<Eigen::Index>(i)) =
          values.col(static_cast<Eigen::Index>(ensemble.blocks.index(primaries.design_names[i])));
    add_values(ensemble.packs, m, design);
    add_values(ensemble.packs, m, design.array().square(), primaries.design_names.size());
  }
}

/// The job of the file and when it was measured; attributes are those of a reduced file.
Ensemble without_sums(const io::LabelledFile& measurement, std::int64_t block_samples) {
  Ensemble common;
  common.attributes = measurement.attributes;
  common.path = measurement.path;
  // The ranges say which samples there are, also after merging.
  for (const char* name : {"first_sample", "samples"}) common.attributes.erase(name);
  // Files of version 0.1 name no method; the sums of all versions have to agree in it.
  common.attributes["method"] = std::string(name_of(common.method()));
  common.attributes["shards"] = std::int64_t{1};
  if (common.attributes.contains("seconds") && common.attributes.contains("threads")) {
    // Where a GPU simulates, threads only store measurements.
    const bool gpu = common.attributes.contains("backend") && measurement.text("backend") == "cuda";
    common.attributes["core_seconds"] =
        measurement.real("seconds") * (gpu ? 1.0 : static_cast<double>(measurement.integer("threads")));
  }
  common.attributes["block_samples"] = block_samples;
  common.moments = measurement.values<std::int64_t>(moment_axis(common.method()));
  if (common.method() != Method::relaxation)
    common.measurements = field<std::int64_t>(measurement, "measurements", {"bin"});
  return common;
}

}  // namespace

std::vector<std::string> product_names(const std::vector<std::string>& quantities) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < quantities.size(); ++i)
    for (std::size_t j = i; j < quantities.size(); ++j) names.push_back(quantities[i] + "." + quantities[j]);
  return names;
}

std::vector<Ensemble> block_sums(const io::LabelledFile& measurement, const Primaries& primaries,
                                 std::optional<std::int64_t> block_samples, bool packs) {
  const auto& ids = measurement.values<std::int64_t>("sample");
  const auto& temperatures = measurement.values<double>("temperature");
  Ensemble common = without_sums(measurement, block_size(measurement, block_samples));
  common.ranges = ranges_of(ids);
  common.blocks = make_groups(ids, common.integer("block_samples"), primaries.names, common.moments.size());
  const bool designs = !primaries.design_names.empty();
  if (designs) common.products = make_products(ids, primaries.names, common.moments.size());
  if (designs && packs) common.packs = make_groups(ids, pack_size, pack_names(primaries), common.moments.size());
  std::vector<Ensemble> ensembles(temperatures.size(), common);
  for (std::size_t t = 0; t < ensembles.size(); ++t) {
    ensembles[t].temperature = temperatures[t];
    ensembles[t].beta = field<double>(measurement, "beta", {"temperature"})[t];
    fill(ensembles[t], primaries, t);
  }
  return ensembles;
}

}  // namespace psflip::analysis
