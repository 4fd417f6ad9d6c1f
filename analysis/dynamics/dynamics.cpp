#include "analysis/dynamics/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/statistics/fit.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

using statistics::Jackknife;

/// One quantity at a choice of moments, as a function of the means of all primary quantities at these moments side by
/// side.
struct Series {
  statistics::Blocks blocks;  ///< [block][moment x primary quantity]
  statistics::Function values;
  Eigen::VectorXd times;
};

Series make_series(const Ensemble& ensemble, const std::string& quantity, const std::vector<std::size_t>& moments) {
  const Eigen::Index primaries = std::ssize(ensemble.blocks.names), count = std::ssize(moments);
  Series series{blocks_at(ensemble, moments), {}, Eigen::VectorXd(count)};
  for (Eigen::Index i = 0; i < count; ++i) series.times[i] = static_cast<double>(ensemble.moments[moments[i]]);
  series.values = [=, evaluate = observables(ensemble, {quantity}).evaluate](const Eigen::VectorXd& means) {
    Eigen::VectorXd values(count);
    for (Eigen::Index i = 0; i < count; ++i) values[i] = evaluate(means.segment(i * primaries, primaries))[0];
    return values;
  };
  return series;
}

/// Moments in the range at which the quantity has a value and an error.
std::vector<std::size_t> usable_moments(const Ensemble& ensemble, const std::string& quantity,
                                        const DynamicsOptions& options) {
  std::vector<std::size_t> moments;
  for (std::size_t m = 0; m < ensemble.moments.size(); ++m) {
    if (ensemble.moments[m] < options.fit_from || ensemble.moments[m] > options.fit_to) continue;
    const Series one = make_series(ensemble, quantity, {m});
    if (Jackknife(one.blocks, one.values).estimate(0).error > 0) moments.push_back(m);
  }
  if (moments.size() < 3)
    throw UserError(
        fmt::format("Only {} times from {} to {} have a {} with an error at L = {}, T = {}, but a fit needs 3; widen "
                    "--fit-from and --fit-to or add samples.",
                    moments.size(), options.fit_from, options.fit_to, quantity, ensemble.L(), ensemble.temperature));
  return moments;
}

/// Chi^2 per degree of freedom of the fit that minimises it with the full covariance; NaN where that is too poorly
/// known.
double correlated_chi2_dof(const Series& series, const Jackknife& jackknife) {
  if (jackknife.blocks() < 10 * series.times.size()) return statistics::unknown;
  try {
    return statistics::fit_power_law(series.times, jackknife.plain(), jackknife.covariance()).chi2_dof();
  } catch (const std::domain_error&) {
    return statistics::unknown;  // times so strongly correlated that the matrix is singular to machine precision
  }
}

PowerLaw fit(const Ensemble& ensemble, const std::string& quantity, double z_times_exponent,
             const DynamicsOptions& options) {
  const std::vector<std::size_t> moments = usable_moments(ensemble, quantity, options);
  const Series series = make_series(ensemble, quantity, moments);
  const Jackknife points(series.blocks, series.values);
  const Eigen::MatrixXd diagonal = points.error().cwiseAbs2().asDiagonal();
  const Jackknife exponents(series.blocks, [&](const Eigen::VectorXd& means) {
    const double exponent = statistics::fit_power_law(series.times, series.values(means), diagonal).parameters[1];
    return Eigen::VectorXd(Eigen::Vector2d(exponent, z_times_exponent / exponent));
  });
  return {ensemble.L(),
          ensemble.temperature,
          quantity,
          exponents.estimate(0),
          exponents.estimate(1),
          ensemble.moments[moments.front()],
          ensemble.moments[moments.back()],
          std::ssize(moments),
          statistics::fit_power_law(series.times, points.plain(), diagonal).chi2_dof(),
          correlated_chi2_dof(series, points)};
}

}  // namespace

std::vector<PowerLaw> fit_dynamics(const Ensemble& ensemble, const DynamicsOptions& options) {
  return {fit(ensemble, "xi", 1, options), fit(ensemble, "chi", 2 - options.eta, options)};
}

std::vector<PowerLaw> scan_dynamics(const Ensemble& ensemble, const DynamicsOptions& options) {
  std::vector<PowerLaw> laws;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    try {
      const std::vector<PowerLaw> some = fit_dynamics(ensemble, {from, to, options.eta});
      laws.insert(laws.end(), some.begin(), some.end());
    } catch (const UserError&) {
      // too few times: the scan ends here
    }
  };
  for (std::int64_t from = 4 * options.fit_from; 16 * from <= options.fit_to; from *= 4) add(from, options.fit_to);
  for (std::int64_t to = options.fit_to / 4; 16 * options.fit_from <= to; to /= 4) add(options.fit_from, to);
  return laws;
}

}  // namespace psflip::analysis
