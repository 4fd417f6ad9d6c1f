#include "analysis/ensemble/reduced_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ensemble/block_sums.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/ensemble/own_numbers.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

std::vector<std::int64_t> to_integers(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }

/// `part` is "block", "pack" or "product"; sums go to datasets <part>_<quantity> [temperature, moment, part].
void put(io::LabelledFile& file, const std::string& part, const std::vector<Ensemble>& ensembles,
         Grouping Ensemble::*member, const std::string& moments) {
  const Grouping& first = ensembles.front().*member;
  std::vector<std::string> names = first.names;  // that all temperatures have
  for (const Ensemble& ensemble : ensembles)
    std::erase_if(names, [&](const std::string& name) { return !(ensemble.*member).has(name); });
  file.axes.push_back(
      {part, first.ids, "", part == "product" ? "all samples" : "sample id / samples of a whole " + part});
  file.datasets.push_back({part + "_samples", {part}, to_integers(first.samples), "", "samples in a " + part});
  for (const std::string& name : names) {
    std::vector<double> values;
    for (const Ensemble& ensemble : ensembles) {
      const Eigen::MatrixXd& sums = (ensemble.*member)[name];
      for (Eigen::Index m = 0; m < sums.rows(); ++m)
        for (Eigen::Index g = 0; g < sums.cols(); ++g) values.push_back(sums(m, g));
    }
    file.datasets.push_back({part + "_" + name,
                             {"temperature", moments, part},
                             std::move(values),
                             "",
                             "sum of " + name + " over the samples of the " + part});
  }
}

const std::vector<double>& sums_of(const io::LabelledFile& file, const io::Dataset& dataset,
                                   const std::vector<std::string>& axes) {
  if (dataset.axes != axes)
    throw UserError(
        fmt::format("Cannot use {}: its dataset {} has other axes than a reduced file has; reduce it again.",
                    file.path.string(), dataset.name));
  return file.values<double>(dataset.name);
}

/// The grouping at temperature number `t`.
Grouping get(const io::LabelledFile& file, const std::string& part, std::size_t t, const std::string& moments) {
  Grouping grouping;
  grouping.ids = file.values<std::int64_t>(part);
  const auto& samples = file.values<std::int64_t>(part + "_samples");
  grouping.samples = Eigen::Map<const Eigen::VectorX<std::int64_t>>(samples.data(), std::ssize(samples)).cast<double>();
  const auto rows = static_cast<Eigen::Index>(io::size(file.axis(moments).values));
  for (const io::Dataset& dataset : file.datasets) {
    if (!dataset.name.starts_with(part + "_") || dataset.name == part + "_samples") continue;
    const auto& values = sums_of(file, dataset, {"temperature", moments, part});
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Index block = rows * grouping.size();
    grouping.names.push_back(dataset.name.substr(part.size() + 1));
    grouping.sums.emplace_back(
        Eigen::Map<const RowMajor>(values.data() + static_cast<Eigen::Index>(t) * block, rows, grouping.size()));
  }
  return grouping;
}

bool holds(const io::LabelledFile& file, const std::string& axis) {
  return std::any_of(file.axes.begin(), file.axes.end(), [&](const io::Axis& one) { return one.name == axis; });
}

/// Every axis of a reduced file has a value: the last moment, for example, is the equilibrium of tempering.
void require_values(const io::LabelledFile& file) {
  for (const io::Axis& axis : file.axes)
    if (io::size(axis.values) == 0)
      throw UserError(fmt::format("Cannot use {}: its axis {} is empty; reduce the measurements again.",
                                  file.path.string(), axis.name));
}

/// Design effects need the square of each quantity of packs, and the products of all quantities in their order.
void require_complete(const Ensemble& ensemble) {
  const std::vector<std::string>& packs = ensemble.packs.names;
  const bool squares = std::all_of(packs.begin(), packs.end(), [&](const std::string& name) {
    return name.ends_with("_2") || ensemble.packs.has(name + "_2");
  });
  const bool products =
      ensemble.products.size() == 0 || ensemble.products.names == product_names(ensemble.blocks.names);
  if (!squares || !products)
    throw UserError(
        fmt::format("Cannot use {}: sums over its packs or products of two quantities are missing; reduce "
                    "the measurements again.",
                    ensemble.path.string()));
}

std::vector<SampleRange> get_ranges(const io::LabelledFile& file) {
  const auto& firsts = file.values<std::int64_t>("range");
  const auto& counts = file.values<std::int64_t>("range_samples");
  std::vector<SampleRange> ranges;
  for (std::size_t i = 0; i < firsts.size(); ++i) ranges.push_back({firsts[i], counts.at(i)});
  return ranges;
}

}  // namespace

io::LabelledFile to_file(const std::vector<Ensemble>& ensembles) {
  const Ensemble& first = ensembles.front();
  const std::string moments = moment_axis(first.method());
  io::LabelledFile file;
  file.attributes = first.attributes;
  file.attributes["kind"] = std::string("reduced");
  std::vector<double> temperatures, betas;
  for (const Ensemble& ensemble : ensembles) {
    temperatures.push_back(ensemble.temperature);
    betas.push_back(ensemble.beta);
  }
  std::vector<std::int64_t> range_first, range_samples;
  for (const SampleRange& range : first.ranges) {
    range_first.push_back(range.first);
    range_samples.push_back(range.count);
  }
  file.axes = {{"temperature", temperatures, "J / k_B", "temperature"},
               {moments, first.moments, "sweeps",
                first.method() == Method::relaxation ? "sweeps done" : "last sweep of the bin"},
               {"range", range_first, "", "first sample of a range of consecutive samples"}};
  file.datasets = {{"beta", {"temperature"}, betas, "k_B / J", "inverse temperature"},
                   {"range_samples", {"range"}, range_samples, "", "samples in the range"}};
  if (!first.measurements.empty())
    file.datasets.push_back({"measurements", {moments}, first.measurements, "", "measurements in the bin"});
  put(file, "block", ensembles, &Ensemble::blocks, moments);
  if (first.packs.size() > 0) put(file, "pack", ensembles, &Ensemble::packs, moments);
  if (first.products.size() > 0) put(file, "product", ensembles, &Ensemble::products, moments);
  return file;
}

std::vector<Ensemble> from_file(const io::LabelledFile& file) {
  require_values(file);
  require_known_job(file);
  file.integer("block_samples");
  const Method method = method_of(file);
  const std::string moments = moment_axis(method);
  const auto& temperatures = file.values<double>("temperature");
  std::vector<Ensemble> ensembles;
  for (std::size_t t = 0; t < temperatures.size(); ++t) {
    Ensemble ensemble;
    ensemble.attributes = file.attributes;
    ensemble.attributes["method"] = std::string(name_of(method));
    ensemble.path = file.path;
    ensemble.temperature = temperatures[t];
    ensemble.beta = file.values<double>("beta").at(t);
    ensemble.moments = file.values<std::int64_t>(moments);
    if (ensemble.method() != Method::relaxation) ensemble.measurements = file.values<std::int64_t>("measurements");
    ensemble.ranges = get_ranges(file);
    ensemble.blocks = get(file, "block", t, moments);
    if (holds(file, "pack")) ensemble.packs = get(file, "pack", t, moments);
    if (holds(file, "product")) ensemble.products = get(file, "product", t, moments);
    require_complete(ensemble);
    ensembles.push_back(std::move(ensemble));
  }
  return ensembles;
}

std::vector<Ensemble> read_reduced(const std::vector<std::filesystem::path>& paths,
                                   const std::function<void(const Ensemble&)>& verify) {
  std::vector<Ensemble> ensembles;
  std::vector<io::LabelledFile> files;
  for (const auto& path : paths) {
    files.push_back(io::read(path, "reduced"));
    std::vector<Ensemble> some = from_file(files.back());
    std::for_each(some.begin(), some.end(), verify);
    std::move(some.begin(), some.end(), std::back_inserter(ensembles));
    std::erase_if(files.back().datasets, [](const io::Dataset& dataset) { return dataset.name != "beta"; });
  }
  require_own_numbers(files);
  return merge(std::move(ensembles));
}

}  // namespace psflip::analysis
