#include "analysis/models/overlaps/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/models/equilibration.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {
namespace {

/// The samples of one slot, sorted by id, as shares of their measurements.
class Shares {
 public:
  Shares(const OverlapHistograms& histograms, std::size_t slot, double bonds)
      : histograms_(histograms), slot_(slot), bonds_(bonds), order_(histograms.samples()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return histograms.ids()[a] < histograms.ids()[b]; });
  }

  std::size_t samples() const { return order_.size(); }
  Eigen::Index bins() const { return static_cast<Eigen::Index>(histograms_.bins()); }
  std::int64_t id(std::size_t i) const { return histograms_.ids()[order_[i]]; }
  bool has_links() const { return histograms_.has_link_sums(slot_); }

  /// Shares of the measurements of sample i in each bin; their sum is 1.
  Eigen::VectorXd of_bins(std::size_t i) const {
    using Counts = Eigen::Map<const Eigen::Matrix<std::int32_t, Eigen::Dynamic, 1>>;
    return Counts(histograms_.counts(slot_, order_[i]), bins()).cast<double>() / measurements(i);
  }
  /// Mean of q_l where q is in the bin and 0 elsewhere.
  Eigen::VectorXd of_links(std::size_t i) const {
    using Sums = Eigen::Map<const Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1>>;
    return Sums(histograms_.link_sums(slot_, order_[i]), bins()).cast<double>() / (measurements(i) * bonds_);
  }

 private:
  double measurements(std::size_t i) const {
    const std::int32_t* counts = histograms_.counts(slot_, order_[i]);
    return std::accumulate(counts, counts + histograms_.bins(), 0.0);
  }

  const OverlapHistograms& histograms_;
  std::size_t slot_;
  double bonds_;
  std::vector<std::size_t> order_;
};

/// Block sums of the shares of all bins and, behind them, of the link overlaps.
statistics::Blocks block_sums_of(const Shares& shares, const Grouping& groups) {
  const Eigen::Index bins = shares.bins();
  statistics::Blocks blocks{Eigen::MatrixXd::Zero(groups.size(), shares.has_links() ? 2 * bins : bins), groups.samples};
  std::size_t sample = 0;
  for (Eigen::Index block = 0; block < groups.size(); ++block)
    for (auto left = static_cast<std::int64_t>(groups.samples[block]); left > 0; --left, ++sample) {
      blocks.sums.row(block).head(bins) += shares.of_bins(sample).transpose();
      if (shares.has_links()) blocks.sums.row(block).tail(bins) += shares.of_links(sample).transpose();
    }
  return blocks;
}

/// The least j for which Q = 2 j - N is in bin `bin` of `bins` or behind it: (2 j + 1) bins >= 2 (N + 1) bin
/// (docs/files/tempering.md).
std::int64_t first_value(std::int64_t N, std::int64_t bin, std::int64_t bins) {
  return (2 * (N + 1) * bin + bins - 1) / (2 * bins);
}

/// Results of one slot, each for all bins: density, even density, X and, where there are link overlaps, [q_l | q].
class Results {
 public:
  Results(double sites, Eigen::Index bins) : factors_(bins) {
    const auto N = static_cast<std::int64_t>(sites);
    for (Eigen::Index bin = 0; bin < bins; ++bin)
      factors_[bin] = sites / static_cast<double>(2 * (first_value(N, bin + 1, bins) - first_value(N, bin, bins)));
  }

  /// Density of a share of a bin.
  const Eigen::ArrayXd& factors() const { return factors_; }

  Eigen::VectorXd operator()(const Eigen::VectorXd& means) const {
    const Eigen::Index bins = factors_.size();
    const Eigen::ArrayXd shares = means.head(bins), both = shares + shares.reverse();
    Eigen::VectorXd out(means.size() + 2 * bins);
    out.head(bins) = shares * factors_;
    out.segment(bins, bins) = both / 2 * factors_;
    double sum = 0;
    for (Eigen::Index bin = bins / 2; bin < bins; ++bin) {
      sum += bin == bins / 2 ? shares[bin] : both[bin];
      out[2 * bins + bin] = out[3 * bins - 1 - bin] = sum;
    }
    if (means.size() == bins) return out;
    const Eigen::ArrayXd links = means.tail(bins);
    out.tail(bins) = (links + links.reverse()) / both;
    return out;
  }

 private:
  Eigen::ArrayXd factors_;
};

/// Quantiles over samples of the even density in each bin.
std::vector<std::array<double, quantile_levels.size()>> quantiles_of(const Shares& shares, const Results& results) {
  const Eigen::Index bins = shares.bins();
  Eigen::ArrayXXd densities(bins, static_cast<Eigen::Index>(shares.samples()));
  for (std::size_t i = 0; i < shares.samples(); ++i) {
    const Eigen::ArrayXd one = shares.of_bins(i);
    densities.col(static_cast<Eigen::Index>(i)) = (one + one.reverse()) / 2 * results.factors();
  }
  std::vector<std::array<double, quantile_levels.size()>> all(static_cast<std::size_t>(bins));
  std::vector<double> values(shares.samples());
  for (Eigen::Index bin = 0; bin < bins; ++bin) {
    Eigen::Map<Eigen::ArrayXd>(values.data(), densities.cols()) = densities.row(bin).transpose();
    for (std::size_t k = 0; k < quantile_levels.size(); ++k)
      all[static_cast<std::size_t>(bin)][k] = quantile(values, quantile_levels[k]);
  }
  return all;
}

}  // namespace

double quantile(std::vector<double>& values, double level) {
  if (values.empty()) return statistics::unknown;
  std::sort(values.begin(), values.end());
  const double place = level * static_cast<double>(values.size() - 1), below = std::floor(place);
  const auto i = static_cast<std::size_t>(below);
  const double next = values[std::min(i + 1, values.size() - 1)];
  return values[i] + (place - below) * (next - values[i]);
}

void drop_overlap_densities(Ensemble& ensemble) {
  Grouping& blocks = ensemble.blocks;
  for (std::size_t i = blocks.names.size(); i-- > 0;) {
    if (!blocks.names[i].starts_with("P_q_")) continue;
    blocks.names.erase(blocks.names.begin() + static_cast<std::ptrdiff_t>(i));
    blocks.sums.erase(blocks.sums.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::vector<OverlapRow> overlap_table(const OverlapHistograms& histograms, std::size_t slot, const Ensemble& ensemble) {
  const Shares shares(histograms, slot, ensemble.preset().dimension * ensemble.sites());
  const Results results(ensemble.sites(), shares.bins());
  const statistics::Jackknife jackknife(block_sums_of(shares, ensemble.blocks), results);
  const bool has_errors = jackknife.blocks() > 1;
  const Eigen::VectorXd values = has_errors ? jackknife.value() : jackknife.plain();
  const Eigen::VectorXd errors =
      has_errors ? jackknife.error() : Eigen::VectorXd::Constant(values.size(), statistics::unknown);
  const auto quantiles = quantiles_of(shares, results);
  const std::optional<bool> equilibrated = verdicts(ensemble)("P_q_0");
  const Eigen::Index bins = shares.bins();
  std::vector<OverlapRow> rows;
  for (Eigen::Index bin = 0; bin < bins; ++bin) {
    const auto result = [&](Eigen::Index number) {
      return statistics::Estimate{values[number * bins + bin], errors[number * bins + bin]};
    };
    rows.push_back({slot, static_cast<std::size_t>(bin), ensemble.temperature,
                    static_cast<double>(2 * bin + 1) / static_cast<double>(bins) - 1, result(0), result(1), result(2),
                    quantiles[static_cast<std::size_t>(bin)], shares.has_links() ? result(3) : statistics::Estimate(),
                    static_cast<std::int64_t>(shares.samples()), jackknife.blocks(), equilibrated});
  }
  return rows;
}

}  // namespace psflip::analysis
