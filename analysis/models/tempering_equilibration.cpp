#include <algorithm>
#include <cmath>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"

namespace psflip::analysis {
namespace {

/// The last bin spans this many autocorrelation times, by the scatter between replicas, of the quoted quantity.
constexpr double fewest_tau = 10;

/// The same for m where even moments are quoted: of a single relaxation time 1/200 of a wrong start is left then.
constexpr double fewest_tau_of_m = 6;

/// The scatter of the mean of m over a bin is halved when the bin is doubled, or with six autocorrelation times falls
/// to 0.64; in replica sets that age or are trapped it stays, so tau_int means nothing. Not tested from this many on:
constexpr double most_kept_by_doubling = 0.8;
constexpr double enough_tau = 20;

/// Ten comparisons make a test; one of them exceeds this many errors by chance as rarely as a single one exceeds 3.
constexpr double sigmas_of_ten = 3.64;

/// The remainder of a transient in the last bin is at most the difference to the bin before and a third of that to the
/// bin before that, if it decays like 1/t or faster. So much of it is allowed, in errors of the last bin:
constexpr double allowed_bias = 0.5;

/// Even moments of m depend on the weights of the magnetization states weakly: by a quarter, in units of errors, at
/// most.
constexpr double allowed_bias_of_m_m = 4 * allowed_bias;

using primary::Id;

/// Energy, square and fourth power of the order parameter a, chi_k and, for the magnetization, last the product of two
/// replicas. The test is on e, a^2, U4, chi_k / a^2 (of which xi is a function) and this product. In a random field the
/// magnetization states of a sample have different weights, and even moments of m depend on them; without disorder both
/// signs of m weigh the same, so only first powers of m need configurations that change sign.
std::vector<Id> watched(const Preset& preset) {
  if (preset.has_random_bonds()) return {primary::e, primary::q2, primary::q4, primary::chi_k};
  return {primary::e, primary::m2, primary::m4, primary::chi_k, primary::m_m};
}

constexpr Eigen::Index product = 4;  ///< number of the product

bool has_all(const Ensemble& ensemble, const std::vector<Id>& ids) {
  const Columns columns(ensemble.blocks.names);
  return std::all_of(ids.begin(), ids.end(), [&](Id id) { return columns.index[id] >= 0; });
}

/// Sums of the tested quantities in the last three bins side by side, the last one first.
statistics::Blocks last_three_bins(const Ensemble& ensemble, const std::vector<Id>& ids) {
  const Eigen::Index quantities = std::ssize(ids);
  statistics::Blocks result{Eigen::MatrixXd(ensemble.blocks.size(), 3 * quantities), ensemble.blocks.samples};
  for (Eigen::Index age = 0; age < 3; ++age) {
    const auto bin = static_cast<Eigen::Index>(ensemble.moments.size()) - 1 - age;
    for (Eigen::Index i = 0; i < quantities; ++i)
      result.sums.col(age * quantities + i) =
          ensemble.blocks[std::string(primary_names[ids[static_cast<std::size_t>(i)]])].row(bin).transpose();
  }
  return result;
}

Eigen::VectorXd derived_of_means(const auto& mean) {
  Eigen::VectorXd out = mean;
  out[2] = mean[2] / (mean[1] * mean[1]);
  out[3] = mean[3] / mean[1];
  return out;
}

/// Values in the last bin, then the differences of both bins before it to the last one.
Eigen::VectorXd values_and_drifts(const Eigen::VectorXd& means) {
  const Eigen::Index quantities = means.size() / 3;
  const Eigen::VectorXd last = derived_of_means(means.head(quantities));
  Eigen::VectorXd out(3 * quantities);
  out << last, derived_of_means(means.segment(quantities, quantities)) - last,
      derived_of_means(means.tail(quantities)) - last;
  return out;
}

/// Whether quantity number `quantity` has no drift that is both beyond chance and larger than allowed.
bool settled(const statistics::Jackknife& jackknife, Eigen::Index quantity, double allowed) {
  const Eigen::VectorXd& found = jackknife.plain();
  const Eigen::VectorXd error = jackknife.error();
  const Eigen::Index quantities = found.size() / 3;
  const auto agrees = [&](Eigen::Index difference, double factor) {
    return std::abs(found[difference]) <= std::max(sigmas_of_ten * error[difference], factor * error[quantity]);
  };
  return agrees(quantities + quantity, allowed) && agrees(2 * quantities + quantity, 3 * allowed);
}

/// Part of the variance of single measurements that is left in the mean over a bin, for e, m, m^2 and q^2: 2 tau_int /
/// n for long bins of n measurements, 1 where the replicas are trapped.
double remaining_e(const Means& mean) { return mean[primary::gap_e] / (mean[primary::e_2] - mean[primary::e_x_e]); }
double remaining_m(const Means& mean) { return mean[primary::gap_m] / (mean[primary::m2] - mean[primary::m_m]); }
double remaining_m2(const Means& mean) { return mean[primary::gap_m2] / (mean[primary::m4] - mean[primary::m2_x_m2]); }
double remaining_q2(const Means& mean) { return mean[primary::gap_q2] / (mean[primary::q4] - mean[primary::q2_q2]); }

/// Whether the last bin is long enough, by the scatter between replicas.
struct Lengths {
  bool even;          ///< long enough for energies and even moments of m
  bool first_powers;  ///< long enough for first powers of m too
};

bool spans(double remaining, double times) { return remaining <= 2 / times; }

Lengths long_enough(const Ensemble& ensemble) {
  const std::size_t last = ensemble.moments.size() - 1;
  const auto remaining = [&](Formula part, std::size_t bin) {
    return with_means(ensemble, blocks_at(ensemble, bin).means(), part);
  };
  if (ensemble.preset().has_random_bonds()) {
    const bool even =
        spans(remaining(remaining_e, last), fewest_tau) && spans(remaining(remaining_q2, last), fewest_tau);
    return {even, even};
  }
  const double of_m = remaining(remaining_m, last);
  const bool relaxes = spans(of_m, enough_tau) || of_m <= most_kept_by_doubling * remaining(remaining_m, last - 1);
  const bool even = spans(remaining(remaining_e, last), fewest_tau) && spans(remaining(remaining_m2, last), fewest_tau);
  const bool of_states = spans(of_m, fewest_tau_of_m) && relaxes;
  if (!ensemble.preset().has_random_field()) return {even, even && of_states && spans(of_m, fewest_tau)};
  return {even && of_states, even && of_states && spans(of_m, fewest_tau)};
}

/// The primary quantities without which there is no test.
std::vector<Id> needed(const Preset& preset) {
  std::vector<Id> ids = watched(preset);
  for (const Id id : {primary::gap_e, primary::e_2, primary::e_x_e}) ids.push_back(id);
  if (preset.has_random_bonds())
    for (const Id id : {primary::gap_q2, primary::q2_q2}) ids.push_back(id);
  else
    for (const Id id : {primary::gap_m, primary::gap_m2, primary::m2_x_m2}) ids.push_back(id);
  return ids;
}

}  // namespace

std::optional<Verdict> tempering_verdict(const Ensemble& ensemble) {
  if (ensemble.moments.size() < 3 || ensemble.blocks.size() < fewest_sample_blocks) return std::nullopt;
  const std::vector<Id> ids = watched(ensemble.preset());
  if (!has_all(ensemble, needed(ensemble.preset()))) return std::nullopt;
  // All replicas start in one magnetization state, so their product is at once as large as in equilibrium.
  if (std::get<std::string>(ensemble.attributes.at("start")) == "ordered") return std::nullopt;
  const statistics::Jackknife jackknife(last_three_bins(ensemble, ids), values_and_drifts);
  const Lengths lengths = long_enough(ensemble);
  bool even = lengths.even;
  for (Eigen::Index quantity = 0; quantity < product; ++quantity)
    even = even && settled(jackknife, quantity, allowed_bias);
  if (std::ssize(ids) == product) return Verdict{even, even && lengths.first_powers};
  if (ensemble.preset().has_random_field()) even = even && settled(jackknife, product, allowed_bias_of_m_m);
  return Verdict{even, even && lengths.first_powers && settled(jackknife, product, allowed_bias)};
}

}  // namespace psflip::analysis
