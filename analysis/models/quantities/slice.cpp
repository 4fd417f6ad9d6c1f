#include "analysis/models/quantities/slice.hpp"

#include <cmath>

#include "analysis/ensemble/fields.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {
namespace {

double real_or(const io::LabelledFile& file, const std::string& name, double otherwise) {
  return file.attributes.contains(name) ? file.real(name) : otherwise;
}

const io::Dataset& dataset_of(const io::LabelledFile& file, const std::string& name) {
  try {
    return file.dataset(name);
  } catch (const UserError& missing) {
    throw NotMeasured(missing.what());
  }
}

bool is_axis_of_members(const std::string& axis) { return axis == "replica" || axis == "set" || axis == "pair"; }

Eigen::ArrayXd lengths_of(const io::LabelledFile& file, Eigen::Index samples) {
  if (!file.attributes.contains("longer_packs")) return Eigen::ArrayXd::Ones(samples);
  const auto& times = field<std::int64_t>(file, "times_longer", {"sample"});
  return Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>(times.data(), samples).cast<double>();
}

/// How many of the N + 1 values Q = -N, -N + 2, ... N are in a bin of the histogram: docs/files/tempering.md.
double values_in_bin(std::int64_t N, std::size_t bin, std::size_t bins) {
  double values = 0;
  for (std::int64_t Q = -N; Q <= N; Q += 2)
    values += (Q + N + 1) * static_cast<std::int64_t>(bins) / (2 * (N + 1)) == static_cast<std::int64_t>(bin) ? 1 : 0;
  return values;
}

}  // namespace

Slice::Slice(const io::LabelledFile& file, std::size_t temperature, std::size_t moment)
    : file_(file),
      preset_(*find_preset(file.text("model"))),
      method_(method_of(file)),
      temperature_(temperature),
      moment_(moment),
      J_(real_or(file, "J", 1)),
      h_(real_or(file, "h", 0)),
      sites_(std::pow(static_cast<double>(file.integer("L")), preset_.dimension)),
      samples_(static_cast<Eigen::Index>(io::size(file.axis("sample").values))),
      times_longer_(lengths_of(file, samples_)) {}

Members Slice::values(const std::string& name, const std::vector<std::string>& leading, std::size_t row) const {
  const io::Dataset& dataset = dataset_of(file_, name);
  std::vector<std::string> axes = leading;
  axes.push_back("sample");
  Eigen::Index width = 1;
  if (dataset.axes.size() > axes.size() && is_axis_of_members(dataset.axes.back())) {
    axes.push_back(dataset.axes.back());
    width = static_cast<Eigen::Index>(io::size(file_.axis(axes.back()).values));
  }
  require_axes(file_, name, axes);
  if (width == 0) throw NotMeasured(fmt::format("{} has no pairs of replicas.", file_.path.string()));
  return std::visit(
      [&]<class T>(const std::vector<T>& all) -> Members {
        using Rows = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic>>;  // [member][sample]
        return Rows(all.data() + static_cast<Eigen::Index>(row) * samples_ * width, width, samples_)
            .transpose()
            .template cast<double>();
      },
      dataset.values);
}

Members Slice::members(const std::string& name, double unit) const {
  const std::string axis = moment_axis(method_);
  const std::size_t moments = io::size(file_.axis(axis).values);
  const Members all = values(name, {"temperature", axis}, temperature_ * moments + moment_);
  if (method_ == Method::relaxation) return all / unit;
  const auto count = static_cast<double>(field<std::int64_t>(file_, "measurements", {"bin"})[moment_]);
  // The order of the divisions keeps the bits of version 0.1.
  if (method_ == Method::equilibrium) return all / count / unit;
  return (all / (count * unit)).colwise() / times_longer_;
}

Members Slice::energies(const std::string& factor, double unit) const {
  const double divisor = sites_ * unit;
  const Members bonds = members(factor.empty() ? "bond_sum" : "bond_" + factor, divisor);
  if (!has_field()) return -(J_ * bonds);
  return energy(bonds, members(factor.empty() ? field_sum() : "field_" + factor, divisor));
}

Eigen::ArrayXd Slice::mean_energy() const {
  const Eigen::ArrayXd bonds = mean_over(members("bond_sum"), sites_);
  if (!has_field()) return -(J_ * bonds);
  return energy(bonds, mean_over(members(field_sum()), sites_));
}

Eigen::ArrayXd Slice::mean_square_energy() const {
  const double unit = sites_ * sites_;
  Eigen::ArrayXd bonds = J_ * J_ * mean_over(members("bond_sum_2", unit));
  if (!has_field()) return bonds;
  return bonds + 2 * J_ * h_ * mean_over(members("bond_field", unit)) +
         h_ * h_ * mean_over(members(field_sum() + "_2", unit));
}

Eigen::ArrayXd Slice::exchange_rate() const {
  const io::Dataset& accepted = dataset_of(file_, "exchange_accepted");
  const std::size_t slots = io::size(file_.axis("temperature").values);
  if (temperature_ + 1 == slots) return unknowns();
  const std::size_t pair = moment_ * (slots - 1) + temperature_;
  const auto& tried = field<std::int64_t>(file_, "exchange_attempts", {"bin", "exchange_pair"});
  const Members made = values(accepted.name, {"bin", "exchange_pair"}, pair);
  return mean_over((made / static_cast<double>(tried[pair])).colwise() / times_longer_);
}

Eigen::ArrayXd Slice::round_trip_rate() const {
  const io::Dataset& trips = dataset_of(file_, "round_trips");
  if (temperature_ > 0) return unknowns();
  const auto& ends = file_.values<std::int64_t>("bin");
  const auto sweeps = static_cast<double>(ends[moment_] - (moment_ > 0 ? ends[moment_ - 1] : 0));
  const double slots = static_cast<double>(io::size(file_.axis("temperature").values));
  return mean_over((values(trips.name, {"bin"}, moment_) / (sweeps * slots)).colwise() / times_longer_);
}

Eigen::ArrayXd Slice::overlap_density(std::size_t bin) const {
  const io::Dataset& dataset = dataset_of(file_, "overlap_counts");
  const auto& counts = field<std::int32_t>(file_, dataset.name, {"temperature", "sample", "overlap_bin"});
  const std::size_t bins = io::size(file_.axis("overlap_bin").values);
  if (bin >= bins) throw NotMeasured(fmt::format("{} has {} bins of the overlap.", file_.path.string(), bins));
  if (moment_ + 1 != io::size(file_.axis(moment_axis(method_)).values)) return unknowns();
  const double values = values_in_bin(static_cast<std::int64_t>(sites_), bin, bins);
  using Rows = Eigen::Map<const Eigen::Array<std::int32_t, Eigen::Dynamic, Eigen::Dynamic>>;  // [bin][sample]
  const auto rows = static_cast<Eigen::Index>(bins);
  const Rows all(counts.data() + static_cast<Eigen::Index>(temperature_) * samples_ * rows, rows, samples_);
  const Eigen::ArrayXd shares =
      (all.row(static_cast<Eigen::Index>(bin)).cast<double>() / all.cast<double>().colwise().sum()).transpose();
  return shares * sites_ / (2 * values);
}

Eigen::ArrayXd Slice::unknowns() const { return Eigen::ArrayXd::Constant(samples_, statistics::unknown); }

}  // namespace psflip::analysis
