#include "analysis/ensemble/join_blocks.hpp"

#include <fmt/format.h>

#include <iterator>

#include "engine/io/error.hpp"

namespace psflip::analysis {

void join_blocks(Ensemble& ensemble, std::int64_t block_samples) {
  const std::int64_t before = ensemble.integer("block_samples");
  if (block_samples < before || block_samples % before != 0)
    throw UserError(fmt::format("--block-samples {}: {} has blocks of {} samples; give a multiple of that.",
                                block_samples, ensemble.path.string(), before));
  const Grouping& fine = ensemble.blocks;
  Grouping joined{{}, {}, fine.names, {}};
  std::vector<Eigen::Index> group_of_block;
  for (const std::int64_t id : fine.ids) {
    const std::int64_t group = id / (block_samples / before);
    if (joined.ids.empty() || joined.ids.back() != group) joined.ids.push_back(group);
    group_of_block.push_back(std::ssize(joined.ids) - 1);
  }
  joined.samples = Eigen::VectorXd::Zero(std::ssize(joined.ids));
  for (const Eigen::MatrixXd& sums : fine.sums)
    joined.sums.emplace_back(Eigen::MatrixXd::Zero(sums.rows(), joined.samples.size()));
  for (Eigen::Index block = 0; block < fine.size(); ++block) {
    const Eigen::Index group = group_of_block[static_cast<std::size_t>(block)];
    joined.samples[group] += fine.samples[block];
    for (std::size_t q = 0; q < fine.sums.size(); ++q) joined.sums[q].col(group) += fine.sums[q].col(block);
  }
  ensemble.blocks = std::move(joined);
  ensemble.packs = ensemble.products = {};
  ensemble.attributes["block_samples"] = block_samples;
}

}  // namespace psflip::analysis
