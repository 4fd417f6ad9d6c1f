#include <cmath>

#include "analysis/ensemble/fields.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/statistics/equilibration.hpp"

namespace psflip::analysis {
namespace {

/// Order of the primary quantities: means over a bin, then squares of such means, for the autocorrelation time.
enum Primary : Eigen::Index { e, e_2, m_abs, m2, m4, chi_k, bin_e_2, bin_m_abs_2, bin_m2_2, primary_count };

/// Autocorrelation time in measurements, from n times the variance of the mean of a bin of n measurements, which is 2
/// tau_int times the variance of a single one; tau_int = 1/2 + sum of rho(t).
double tau_int(double measurements, double bin_square, double square, double mean) {
  return 0.5 * measurements * (bin_square - mean * mean) / (square - mean * mean);
}

}  // namespace

Primaries ising2d_primaries(const io::LabelledFile& file) {
  const double sites = std::pow(static_cast<double>(file.integer("L")), 2);
  const std::size_t samples = io::size(file.axis("sample").values), bins = io::size(file.axis("bin").values);
  const std::vector<std::int64_t>& measurements = field<std::int64_t>(file, "measurements", {"bin"});
  const auto sums = [&](const char* name) {
    return field<double>(file, name, {"temperature", "bin", "sample"}).data();
  };
  const double* bond_sum = sums("bond_sum");
  const double* bond_sum_2 = sums("bond_sum_2");
  const double* abs_magnetization = sums("abs_magnetization");
  const double* magnetization_2 = sums("magnetization_2");
  const double* magnetization_4 = sums("magnetization_4");
  const double* magnetization_k2 = sums("magnetization_k2");
  Primaries primaries;
  primaries.names = {"e", "e_2", "m_abs", "m2", "m4", "chi_k", "bin_e_2", "bin_m_abs_2", "bin_m2_2"};
  primaries.values = [=](std::size_t t, std::size_t bin) {
    const auto at = [&](const double* values) {
      return Eigen::Map<const Eigen::ArrayXd>(values + (t * bins + bin) * samples, static_cast<Eigen::Index>(samples)) /
             static_cast<double>(measurements[bin]);
    };
    Eigen::MatrixXd values(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(primary_count));
    values.col(e) = -at(bond_sum) / sites;
    values.col(e_2) = at(bond_sum_2) / (sites * sites);
    values.col(m_abs) = at(abs_magnetization) / sites;
    values.col(m2) = at(magnetization_2) / std::pow(sites, 2);
    values.col(m4) = at(magnetization_4) / std::pow(sites, 4);
    values.col(chi_k) = at(magnetization_k2) / (1024.0 * 2 * sites);
    values.col(bin_e_2) = values.col(e).array().square();
    values.col(bin_m_abs_2) = values.col(m_abs).array().square();
    values.col(bin_m2_2) = values.col(m2).array().square();
    return values;
  };
  return primaries;
}

Observables ising2d_observables(const Ensemble& ensemble) {
  const int L = ensemble.L();
  const double sites = ensemble.sites(), beta = ensemble.beta;
  const double interval = static_cast<double>(ensemble.integer("measure_interval"));
  const double measurements = ensemble.measurements.empty() ? 0 : static_cast<double>(ensemble.measurements.back());
  Observables result;
  result.names = {"e",         "C",         "m_abs",         "m2",        "m4", "U4", "binder_U", "chi", "chi_k", "xi",
                  "xi_over_L", "tau_int_e", "tau_int_m_abs", "tau_int_m2"};
  result.evaluate = [=, count = std::ssize(result.names)](const Eigen::VectorXd& mean) {
    const double u4 = mean[m4] / (mean[m2] * mean[m2]);
    const double xi = correlation_length(sites * mean[m2], mean[chi_k], L);
    Eigen::VectorXd out(count);
    out << mean[e], beta * beta * sites * (mean[e_2] - mean[e] * mean[e]), mean[m_abs], mean[m2], mean[m4], u4,
        1 - u4 / 3, sites * mean[m2], mean[chi_k], xi, xi / L,
        interval * tau_int(measurements, mean[bin_e_2], mean[e_2], mean[e]),
        interval * tau_int(measurements, mean[bin_m_abs_2], mean[m2], mean[m_abs]),
        interval * tau_int(measurements, mean[bin_m2_2], mean[m4], mean[m2]);
    return out;
  };
  return result;
}

statistics::Blocks equilibrium_blocks(const Ensemble& ensemble) {
  if (ensemble.model() == "rfim3d") return blocks_at(ensemble, ensemble.moments.size() - 1);
  const Grouping& blocks = ensemble.blocks;
  const Eigen::Index bins = std::ssize(ensemble.moments), kept = bins - bins / 2;
  const auto quantities = std::ssize(blocks.names);
  const bool by_samples = blocks.size() >= fewest_sample_blocks;
  const Eigen::Index count = by_samples ? blocks.size() : blocks.size() * kept;
  statistics::Blocks result{Eigen::MatrixXd(count, quantities), Eigen::VectorXd(count)};
  for (Eigen::Index q = 0; q < quantities; ++q) {
    const auto sums = blocks.sums[static_cast<std::size_t>(q)].bottomRows(kept);
    if (by_samples)
      result.sums.col(q) = sums.colwise().sum().transpose();
    else
      result.sums.col(q) = sums.reshaped();
  }
  if (by_samples)
    result.weights = blocks.samples * static_cast<double>(kept);
  else
    result.weights = blocks.samples.transpose().replicate(kept, 1).reshaped();
  return result;
}

std::optional<bool> ising2d_equilibrated(const Ensemble& ensemble) {
  const Grouping& blocks = ensemble.blocks;
  std::optional<bool> verdict;
  for (const char* name : {"e", "m2"}) {
    const Eigen::MatrixXd means = blocks[name].transpose().array().colwise() / blocks.samples.array();
    const auto one = statistics::is_equilibrated(means, blocks.samples);
    if (!one) return std::nullopt;
    verdict = verdict.value_or(true) && *one;
  }
  return verdict;
}

}  // namespace psflip::analysis
