#include "analysis/ensemble/jackknife_blocks.hpp"

namespace psflip::analysis {

statistics::Blocks blocks_at(const Ensemble& ensemble, std::size_t m) {
  return blocks_at(ensemble, std::vector<std::size_t>{m});
}

statistics::Blocks blocks_at(const Ensemble& ensemble, const std::vector<std::size_t>& moments) {
  const Grouping& blocks = ensemble.blocks;
  const auto quantities = std::ssize(blocks.names);
  statistics::Blocks result{Eigen::MatrixXd(blocks.size(), quantities * std::ssize(moments)), blocks.samples};
  Eigen::Index column = 0;
  for (const std::size_t m : moments)
    for (const Eigen::MatrixXd& sums : blocks.sums)
      result.sums.col(column++) = sums.row(static_cast<Eigen::Index>(m)).transpose();
  return result;
}

statistics::Blocks equilibrium_blocks(const Ensemble& ensemble) {
  if (ensemble.method() == Method::tempering) return blocks_at(ensemble, ensemble.moments.size() - 1);
  const Grouping& blocks = ensemble.blocks;
  const Eigen::Index bins = std::ssize(ensemble.moments), kept = bins - bins / 2;
  const auto quantities = std::ssize(blocks.names);
  // Bins of one sample share its disorder, so they are no blocks of a disorder average.
  const bool by_samples = blocks.size() >= fewest_sample_blocks || ensemble.preset().has_disorder();
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

}  // namespace psflip::analysis
