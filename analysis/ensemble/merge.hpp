#pragma once
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Joins the ensembles of one size and temperature into one each, sorted by size and temperature. Blocks and packs that
/// lie in several of them are completed by addition, so any split of samples over files gives the same result. Throws
/// UserError when samples overlap, when jobs of one size differ (see identity) or when models differ.
std::vector<Ensemble> merge(std::vector<Ensemble> ensembles);

/// Throws UserError unless every ensemble consists of exactly the samples of `expected`; names the samples that are
/// missing or too much.
void require_samples(const std::vector<Ensemble>& ensembles, const SampleRange& expected);

}  // namespace psflip::analysis
