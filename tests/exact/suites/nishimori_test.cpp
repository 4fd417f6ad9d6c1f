#include <algorithm>
#include <cmath>

#include "expect_pass.hpp"
#include "tests/exact/members.hpp"
#include "tests/exact/simulation.hpp"

// Models with random bonds on the Nishimori line, tanh(beta) = 1 - 2 p: H. Nishimori, Prog. Theor. Phys. 66, 1169
// (1981). There the energy and its second moment are known in any dimension and at any size, and magnetization and
// overlap have one distribution.
namespace psflip::exact {
namespace {

std::string percent(double p) { return std::to_string(std::lround(100 * p)) + " %"; }

class NishimoriLine : public testing::TestWithParam<Preset> {
 protected:
  const Preset& preset() const { return GetParam(); }
  /// At the multicritical point (p = 0.109 in two dimensions, 0.233 in three) and beyond it.
  std::vector<double> fractions() const {
    return preset().dimension == 2 ? std::vector{0.11, 0.15, 0.2} : std::vector{0.2, 0.23, 0.3};
  }
  System system(int L, double p, std::uint64_t samples, int replicas) const {
    System system = member_system(preset(), L, std::atanh(1 - 2 * p), samples, replicas);
    system.p = p;
    system.round.half_sweeps = 2;
    system.seed = 106;
    return system;
  }
};

/// From ordered spins, which are an equilibrium state of the samples as a whole on this line: [<E>] is right from the
/// beginning and must remain so. E = -sum of independent bonds by gauge invariance, hence [<(E - [<E>])^2>].
TEST_P(NishimoriLine, has_the_exact_energy_and_its_exact_variance) {
  constexpr double largest_error = 1e-4;  // of e, relative
  std::vector<Comparison> comparisons;
  for (const double p : fractions()) {
    System one = system(preset().dimension == 2 ? 32 : 12, p, 0, 1);
    const double t = 1 - 2 * p, bonds = double(one.sites()) * preset().dimension, variance = bonds * (1 - t * t);
    const double needed = 1.5 * variance / std::pow(bonds * t * largest_error, 2);
    one.samples = 512 * static_cast<std::uint64_t>(std::ceil(needed / 512));
    one.start = Start::ordered;
    const auto engine = engine_for(one);
    engine->advance(200);
    const Observation seen = engine->observe();
    Blocks rows;
    for (const std::int64_t B : seen[Integer::bond_sum]) {
      const double E = -double(B), distance = E + bonds * t;
      rows.push_back({distance / (bonds * t), distance * distance / variance - 1});
    }
    rows = merged(rows, 128);
    EXPECT_LE(mean_of(rows, 0).error, largest_error) << "p = " << percent(p);
    comparisons.push_back({"p = " + percent(p), {"e", "variance of E"}, rows});
  }
  expect_pass(judge(comparisons));
}

constexpr std::size_t bins = 10;         ///< of |m| and |q|
constexpr double smallest_share = 0.01;  ///< of the bins that are compared

std::size_t bin_of(std::int64_t sum, double sites) {
  return std::min(bins - 1, static_cast<std::size_t>(double(bins) * std::abs(double(sum)) / sites));
}

/// Shares of |m| minus shares of |q| in bins of equal width, a row for each sample. Bins without many values are left
/// out, and one more, since all shares add up to 1.
Blocks differences_of_histograms(const System& system, const Protocol& protocol) {
  const auto engine = engine_for(system);
  engine->advance(protocol.warm_up);
  const double N = double(system.sites()), measurements = double(protocol.measurements);
  const auto replicas = static_cast<std::size_t>(system.replicas), pairs = static_cast<std::size_t>(system.pairs());
  Blocks rows(system.samples, std::vector<double>(bins, 0.0));
  std::vector<double> shares(bins, 0.0);
  for (std::uint64_t k = 0; k < protocol.measurements; ++k) {
    engine->advance(protocol.interval);
    const Observation seen = engine->observe();
    const auto &M = seen[Integer::magnetization], &Q = seen[Integer::overlap];
    for (std::size_t i = 0; i < M.size(); ++i)
      rows[i / replicas][bin_of(M[i], N)] += 1 / (measurements * double(replicas));
    for (std::size_t i = 0; i < Q.size(); ++i) {
      rows[i / pairs][bin_of(Q[i], N)] -= 1 / (measurements * double(pairs));
      shares[bin_of(Q[i], N)] += 1 / (measurements * double(Q.size()));
    }
  }
  const auto most = static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  for (std::vector<double>& row : rows) {
    std::vector<double> compared;
    for (std::size_t bin = 0; bin < bins; ++bin)
      if (bin != most && shares[bin] >= smallest_share) compared.push_back(row[bin]);
    row = compared;
  }
  return rows;
}

/// In equilibrium, from random spins. Modulus: the signs of m and q relax more slowly than all else.
TEST_P(NishimoriLine, has_one_distribution_of_magnetization_and_overlap) {
  std::vector<Comparison> comparisons;
  for (const double p : fractions()) {
    const bool is_square = preset().dimension == 2;  // slower: p = 0.11 is colder
    const System one = system(is_square ? 8 : 4, p, 8192, 4);
    const Protocol protocol = is_square ? Protocol{10000, 20, 250} : Protocol{4000, 20, 100};
    const Blocks rows = merged(differences_of_histograms(one, protocol), 64);
    ASSERT_GE(rows[0].size(), 3u);
    comparisons.push_back({"p = " + percent(p), std::vector<std::string>(rows[0].size(), "share of a bin"), rows});
  }
  expect_pass(judge(comparisons));
}

std::vector<Preset> presets_with_the_line() {
  std::vector<Preset> all;
  for (const Preset& preset : presets)
    if (preset.has_random_bonds() && !preset.has_field()) all.push_back(preset);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Exact, NishimoriLine, testing::ValuesIn(presets_with_the_line()),
                         [](const auto& preset) { return std::string(preset.param.name); });

}  // namespace
}  // namespace psflip::exact
