#include <cmath>

#include "analysis/ensemble/fields.hpp"
#include "analysis/models/ea3d.hpp"
#include "analysis/models/primaries.hpp"

namespace psflip::analysis {
namespace {

using Pair = std::pair<int, int>;

/// Pairs in the order of the file: (0,1), (0,2), ..., (1,2), ...
std::vector<Pair> replica_pairs(int replicas) {
  std::vector<Pair> pairs;
  for (int a = 0; a < replicas; ++a)
    for (int b = a + 1; b < replicas; ++b) pairs.emplace_back(a, b);
  return pairs;
}

/// Positions of two pairs without a common replica: only their product is an unbiased estimate of <q^2>^2 of a sample.
std::vector<Pair> disjoint_pairs(int replicas) {
  const std::vector<Pair> pairs = replica_pairs(replicas);
  std::vector<Pair> result;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (std::size_t j = i + 1; j < pairs.size(); ++j) {
      const auto [a, b] = pairs[i];
      const auto [c, d] = pairs[j];
      if (a != c && a != d && b != c && b != d) result.emplace_back(static_cast<int>(i), static_cast<int>(j));
    }
  return result;
}

/// Views of the integers of one sample at one temperature and moment.
struct Raw {
  const std::int32_t* bond_sum;
  const std::int32_t* magnetization;
  const std::int32_t* overlap;
  const std::int64_t* overlap_k2;
};

class SampleQuantities {
 public:
  SampleQuantities(int L, int replicas)
      : replicas_(replicas),
        pairs_(replicas * (replicas - 1) / 2),
        sites_(std::pow(L, 3)),
        disjoint_(disjoint_pairs(replicas)) {}

  std::vector<std::string> names() const {
    std::vector<std::string> names = {"e", "m2"};
    if (pairs_ > 0) names.insert(names.end(), {"q2", "chi_k", "q4"});
    if (!disjoint_.empty()) names.push_back("q2_q2");
    return names;
  }

  Eigen::RowVectorXd operator()(const Raw& raw) const {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(std::ssize(names()));
    for (int r = 0; r < replicas_; ++r) {
      row[ea3d::e] -= raw.bond_sum[r] / (sites_ * replicas_);
      row[ea3d::m2] += static_cast<double>(raw.magnetization[r]) * raw.magnetization[r] / (sites_ * replicas_);
    }
    for (int p = 0; p < pairs_; ++p) {
      const double q2 = squared_overlap(raw, p);
      row[ea3d::q2] += q2 / pairs_;
      row[ea3d::chi_k] += static_cast<double>(raw.overlap_k2[p]) / (1024.0 * 3 * sites_ * pairs_);
      row[ea3d::q4] += q2 * q2 / pairs_;
    }
    for (const auto& [i, j] : disjoint_)
      row[ea3d::q2_q2] += squared_overlap(raw, i) * squared_overlap(raw, j) / static_cast<double>(disjoint_.size());
    return row;
  }

 private:
  double squared_overlap(const Raw& raw, int pair) const {
    const double q = raw.overlap[pair] / sites_;
    return q * q;
  }

  int replicas_;
  int pairs_;
  double sites_;
  std::vector<Pair> disjoint_;
};

}  // namespace

Primaries ea3d_primaries(const io::LabelledFile& file) {
  const int replicas = static_cast<int>(file.integer("replicas"));
  const int pairs = replicas * (replicas - 1) / 2;
  const SampleQuantities quantities(static_cast<int>(file.integer("L")), replicas);
  const std::size_t samples = io::size(file.axis("sample").values), times = io::size(file.axis("time").values);
  const auto* bond_sum = field<std::int32_t>(file, "bond_sum", {"temperature", "time", "sample", "replica"}).data();
  const auto* magnetization =
      field<std::int32_t>(file, "magnetization", {"temperature", "time", "sample", "replica"}).data();
  const std::vector<std::string> pair_axes = {"temperature", "time", "sample", "pair"};
  const std::int32_t* overlap = pairs > 0 ? field<std::int32_t>(file, "overlap", pair_axes).data() : nullptr;
  const std::int64_t* overlap_k2 = pairs > 0 ? field<std::int64_t>(file, "overlap_k2", pair_axes).data() : nullptr;
  Primaries primaries;
  primaries.names = quantities.names();
  primaries.design_names = {"e", "m2"};
  if (pairs > 0) primaries.design_names.insert(primaries.design_names.end(), {"q2", "chi_k"});
  primaries.values = [=, columns = std::ssize(primaries.names)](std::size_t t, std::size_t m) {
    Eigen::MatrixXd values(static_cast<Eigen::Index>(samples), columns);
    for (std::size_t s = 0; s < samples; ++s) {
      const std::size_t position = (t * times + m) * samples + s;
      const std::size_t r = position * static_cast<std::size_t>(replicas),
                        p = position * static_cast<std::size_t>(pairs);
      values.row(static_cast<Eigen::Index>(s)) =
          quantities({bond_sum + r, magnetization + r, overlap + p, overlap_k2 + p});
    }
    return values;
  };
  return primaries;
}

}  // namespace psflip::analysis
