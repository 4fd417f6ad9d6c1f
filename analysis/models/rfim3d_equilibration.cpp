#include <array>
#include <cmath>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/rfim3d.hpp"

namespace psflip::analysis {
namespace {

/// The last bin spans this many autocorrelation times, by the scatter of the two sets of replicas, of what is quoted.
constexpr double fewest_tau = 10;

/// The same for m where even moments are quoted: of a single relaxation time 1/200 of a wrong start is left then.
constexpr double fewest_tau_of_sectors = 6;

/// What the mean over a bin keeps of the scatter of m is halved when the bin is doubled, or with six autocorrelation
/// times falls to 0.64; in sets that age or are stuck it stays, so tau_int means nothing. Not asked from this many on:
constexpr double most_kept_by_doubling = 0.8;
constexpr double enough_tau = 20;

/// Ten comparisons make a verdict; one of them exceeds this many errors by chance as rarely as a single one exceeds 3.
constexpr double sigmas_of_ten = 3.64;

/// What is left of a transient in the last bin is at most the difference to the bin before and a third of that to the
/// bin before that, if it decays like 1/t or faster. So much of it is allowed, in errors of the last bin:
constexpr double allowed_bias = 0.5;

/// Even moments of m follow the weights of the sectors weakly: by a quarter, in units of errors, at most.
constexpr double allowed_bias_of_sectors = 4 * allowed_bias;

/// e, m^2, U4, chi_k / m^2 (of which xi is a function) and, last, the product of m of the two sets.
constexpr std::array watched = {rfim3d::e, rfim3d::m2, rfim3d::m4, rfim3d::chi_k, rfim3d::m_m};
constexpr Eigen::Index quantities = std::ssize(watched);

/// Sums of what is watched in the last three bins side by side, the last one first.
statistics::Blocks last_three_bins(const Ensemble& ensemble) {
  statistics::Blocks result{Eigen::MatrixXd(ensemble.blocks.size(), 3 * quantities), ensemble.blocks.samples};
  for (Eigen::Index age = 0; age < 3; ++age) {
    const auto bin = static_cast<Eigen::Index>(ensemble.moments.size()) - 1 - age;
    for (Eigen::Index i = 0; i < quantities; ++i)
      result.sums.col(age * quantities + i) =
          ensemble.blocks.sums[static_cast<std::size_t>(watched[static_cast<std::size_t>(i)])].row(bin).transpose();
  }
  return result;
}

Eigen::VectorXd derived(const auto& mean) {
  Eigen::VectorXd out(quantities);
  out << mean[0], mean[1], mean[2] / (mean[1] * mean[1]), mean[3] / mean[1], mean[4];
  return out;
}

/// Values in the last bin, then the differences of both bins before it to the last one.
Eigen::VectorXd values_and_drifts(const Eigen::VectorXd& means) {
  const Eigen::VectorXd last = derived(means.head(quantities));
  Eigen::VectorXd out(3 * quantities);
  out << last, derived(means.segment(quantities, quantities)) - last, derived(means.tail(quantities)) - last;
  return out;
}

/// Whether a quantity has no drift that is both seen, beyond chance, and larger than what is allowed.
bool settled(const statistics::Jackknife& jackknife, Eigen::Index quantity, double allowed) {
  const Eigen::VectorXd& found = jackknife.plain();
  const Eigen::VectorXd error = jackknife.error();
  const auto agrees = [&](Eigen::Index difference, double factor) {
    return std::abs(found[difference]) <= std::max(sigmas_of_ten * error[difference], factor * error[quantity]);
  };
  return agrees(quantities + quantity, allowed) && agrees(2 * quantities + quantity, 3 * allowed);
}

/// What the scatter of the two sets says about the length of the last bin.
struct Lengths {
  bool even;     ///< long enough for energies and even moments of m
  bool sectors;  ///< and for first powers
};

Lengths long_enough(const Ensemble& ensemble) {
  const std::size_t last = ensemble.moments.size() - 1;
  const Eigen::VectorXd mean = blocks_at(ensemble, last).means(), before = blocks_at(ensemble, last - 1).means();
  const auto spans = [](double remaining, double times) { return remaining <= 2 / times; };
  const double sectors = rfim3d::remaining_m(mean);
  const bool relaxes = spans(sectors, enough_tau) || sectors <= most_kept_by_doubling * rfim3d::remaining_m(before);
  const bool even = spans(rfim3d::remaining_e(mean), fewest_tau) && spans(rfim3d::remaining_m2(mean), fewest_tau) &&
                    spans(sectors, fewest_tau_of_sectors) && relaxes;
  return {even, even && spans(sectors, fewest_tau)};
}

}  // namespace

std::optional<TemperingVerdict> rfim3d_verdict(const Ensemble& ensemble) {
  if (ensemble.moments.size() < 3 || ensemble.blocks.size() < fewest_sample_blocks) return std::nullopt;
  // Both sets start in one sector, so their product is as large at once as where sectors have settled.
  if (std::get<std::string>(ensemble.attributes.at("start")) == "ordered") return std::nullopt;
  const statistics::Jackknife jackknife(last_three_bins(ensemble), values_and_drifts);
  const Lengths lengths = long_enough(ensemble);
  bool even = lengths.even;
  const Eigen::Index sectors = quantities - 1;
  for (Eigen::Index quantity = 0; quantity < sectors; ++quantity)
    even = even && settled(jackknife, quantity, allowed_bias);
  even = even && settled(jackknife, sectors, allowed_bias_of_sectors);
  return TemperingVerdict{even, even && lengths.sectors && settled(jackknife, sectors, allowed_bias)};
}

}  // namespace psflip::analysis
