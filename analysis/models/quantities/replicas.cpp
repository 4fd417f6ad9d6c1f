#include "analysis/models/quantities/replicas.hpp"

#include <utility>
#include <vector>

#include "analysis/models/quantities/slice.hpp"

namespace psflip::analysis {
namespace {

using Pairs = std::vector<std::pair<Eigen::Index, Eigen::Index>>;

Pairs pairs_of(Eigen::Index count) {
  Pairs pairs;
  for (Eigen::Index r = 0; r < count; ++r)
    for (Eigen::Index s = r + 1; s < count; ++s) pairs.emplace_back(r, s);
  return pairs;
}

Pairs replica_pairs(const Members& replicas) {
  if (replicas.cols() < 2) throw NotMeasured("Products of replicas need two; simulate with --replicas 2 or more.");
  return pairs_of(replicas.cols());
}

/// Positions of two pairs without a common replica.
Pairs disjoint_pairs(const Members& pairs) {
  Eigen::Index replicas = 2;
  while (replicas * (replicas - 1) / 2 < pairs.cols()) ++replicas;
  const Pairs all = pairs_of(replicas);
  Pairs result;
  for (const auto& [i, j] : pairs_of(pairs.cols())) {
    const auto [a, b] = all[static_cast<std::size_t>(i)];
    const auto [c, d] = all[static_cast<std::size_t>(j)];
    if (a != c && a != d && b != c && b != d) result.emplace_back(i, j);
  }
  if (result.empty()) throw NotMeasured("Products of overlaps need four replicas; simulate with --replicas 4 or more.");
  return result;
}

/// Mean over the pairs of members of a function of their values.
template <class F>
Eigen::ArrayXd mean_over_pairs(const Pairs& pairs, const F& function) {
  const auto count = static_cast<double>(pairs.size());
  Eigen::ArrayXd sum = function(pairs[0].first, pairs[0].second) / count;
  for (std::size_t p = 1; p < pairs.size(); ++p) sum += function(pairs[p].first, pairs[p].second) / count;
  return sum;
}

Eigen::ArrayXd mean_product(const Members& a, const Pairs& pairs) {
  return mean_over_pairs(pairs, [&](Eigen::Index r, Eigen::Index s) -> Eigen::ArrayXd { return a.col(r) * a.col(s); });
}

Eigen::ArrayXd mean_gap(const Members& a, const Pairs& pairs) {
  return mean_over_pairs(
      pairs, [&](Eigen::Index r, Eigen::Index s) -> Eigen::ArrayXd { return 0.5 * (a.col(r) - a.col(s)).square(); });
}

}  // namespace

Eigen::ArrayXd mean_over(const Members& members, double unit) {
  const double divisor = unit * static_cast<double>(members.cols());
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(members.rows());
  for (Eigen::Index r = 0; r < members.cols(); ++r) sum += members.col(r) / divisor;
  return sum;
}

Eigen::ArrayXd replica_product(const Members& a) { return mean_product(a, replica_pairs(a)); }
Eigen::ArrayXd replica_gap(const Members& a) { return mean_gap(a, replica_pairs(a)); }

Eigen::ArrayXd replica_crossed(const Members& a, const Members& b) {
  return mean_over_pairs(replica_pairs(a), [&](Eigen::Index r, Eigen::Index s) -> Eigen::ArrayXd {
    return 0.5 * (a.col(r) * b.col(s) + a.col(s) * b.col(r));
  });
}

Eigen::ArrayXd third_replica_product(const Members& a, const Members& b) {
  if (a.cols() < 3)
    throw NotMeasured("Products of overlaps with a third replica need three; use --replicas 3 or more.");
  const Pairs pairs = pairs_of(a.cols());
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(a.rows());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (Eigen::Index t = 0; t < a.cols(); ++t)
      if (t != pairs[p].first && t != pairs[p].second) sum += a.col(t) * b.col(static_cast<Eigen::Index>(p));
  return sum / static_cast<double>(std::ssize(pairs) * (a.cols() - 2));
}

Eigen::ArrayXd disjoint_product(const Members& a) { return mean_product(a, disjoint_pairs(a)); }
Eigen::ArrayXd disjoint_gap(const Members& a) { return mean_gap(a, disjoint_pairs(a)); }

}  // namespace psflip::analysis
