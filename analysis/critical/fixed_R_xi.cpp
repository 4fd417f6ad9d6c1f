#include "analysis/critical/fixed_R_xi.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/require.hpp"
#include "analysis/statistics/fit.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

constexpr int degree = 3;
constexpr Eigen::Index side = 3;  // measured times on either side of a reference value
constexpr Eigen::Index width = 2 * side;

/// R_xi and the quantities at a choice of moments, [moment][R_xi, log t, log chi, U4, U22], from the means of all
/// primaries at these moments side by side.
struct Curves {
  Eigen::VectorXd log_times;
  Eigen::Index primaries;
  statistics::Function evaluate;
  Eigen::Index quantities;

  Eigen::MatrixXd operator()(const Eigen::VectorXd& means) const {
    Eigen::MatrixXd rows(log_times.size(), 1 + quantities);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const Eigen::VectorXd now = evaluate(means.segment(i * primaries, primaries));
      rows.row(i).head(3) << now[0], log_times[i], std::log(now[1]);
      rows.row(i).tail(quantities - 2) = now.tail(quantities - 2).transpose();  // U4, U22
    }
    return rows;
  }
};

Curves curves_at(const Ensemble& ensemble, const std::vector<std::size_t>& moments) {
  std::vector<std::string> names = {"xi_over_L", "chi", "U4"};
  if (observables(ensemble).has("U22")) names.push_back("U22");
  Curves curves{Eigen::VectorXd(std::ssize(moments)), std::ssize(ensemble.blocks.names),
                observables(ensemble, names).evaluate, std::ssize(names)};
  for (Eigen::Index i = 0; i < curves.log_times.size(); ++i)
    curves.log_times[i] = std::log(static_cast<double>(ensemble.moments[moments[static_cast<std::size_t>(i)]]));
  return curves;
}

/// The first of the `width` consecutive rows around the index where R_xi first passes `wanted`; nothing where it does
/// not, or where fewer than `side` known rows lie on either side.
std::optional<Eigen::Index> window(const Eigen::VectorXd& R_xi, double wanted) {
  for (Eigen::Index i = 0; i + 1 < R_xi.size(); ++i) {
    if (!(R_xi[i] < wanted && wanted <= R_xi[i + 1])) continue;
    const Eigen::Index first = i + 1 - side;
    if (first < 0 || first + width > R_xi.size() || !R_xi.segment(first, width).allFinite()) return {};
    return first;
  }
  return {};
}

/// The quantities where R_xi is `wanted`.
Eigen::RowVectorXd value_at(const Eigen::MatrixXd& rows, double wanted) {
  const Eigen::MatrixXd design = statistics::powers(rows.col(0), degree, wanted);
  return design.colPivHouseholderQr().solve(rows.rightCols(rows.cols() - 1)).row(0);
}

void require_relaxation(const Ensemble& ensemble) {
  require_method(ensemble, Method::relaxation, "xi / L grows with time in relaxation alone");
  require_observables(ensemble, {"xi_over_L", "chi", "U4"});
  if (ensemble.blocks.size() < 2)
    throw UserError(
        fmt::format("{} has one block of samples, but errors need two; add samples or reduce with a "
                    "smaller --block-samples.",
                    ensemble.path.string()));
}

/// Times after the start, which has no logarithm.
std::vector<std::size_t> started(const Ensemble& ensemble) {
  std::vector<std::size_t> moments;
  for (std::size_t m = 0; m < ensemble.moments.size(); ++m)
    if (ensemble.moments[m] > 0) moments.push_back(m);
  return moments;
}

}  // namespace

const std::vector<std::string>& fixed_R_xi_quantities() {
  static const std::vector<std::string> names = {"log_t", "log_chi", "U4", "U22"};
  return names;
}

FixedRxiValues values_at_fixed_R_xi(const Ensemble& ensemble, const std::vector<double>& wanted) {
  require_relaxation(ensemble);
  const std::vector<std::size_t> all = started(ensemble);
  const Eigen::VectorXd R_xi = curves_at(ensemble, all)(blocks_at(ensemble, all).means()).col(0);
  FixedRxiValues run{ensemble.L(), ensemble.temperature, ensemble.beta, {}, {}, ensemble.blocks.ids, {}};
  std::vector<Eigen::VectorXd> values;
  std::vector<Eigen::MatrixXd> deviations;
  for (const double one : wanted) {
    const std::optional<Eigen::Index> first = window(R_xi, one);
    if (!first) continue;
    const std::vector<std::size_t> moments(all.begin() + *first, all.begin() + *first + width);
    const Curves curves = curves_at(ensemble, moments);
    const statistics::Jackknife jackknife(blocks_at(ensemble, moments), [&](const Eigen::VectorXd& means) {
      return Eigen::VectorXd(value_at(curves(means), one).transpose());
    });
    if (!jackknife.replicates().allFinite()) continue;
    run.R_xi.push_back(one);
    values.push_back(jackknife.value());
    deviations.push_back(jackknife.deviations());
  }
  const Eigen::Index quantities = curves_at(ensemble, {}).quantities, count = std::ssize(run.R_xi);
  run.values.resize(count, quantities);
  run.deviations.resize(ensemble.blocks.size(), count * quantities);
  for (Eigen::Index c = 0; c < count; ++c) {
    run.values.row(c) = values[static_cast<std::size_t>(c)].transpose();
    run.deviations.middleCols(c * quantities, quantities) = deviations[static_cast<std::size_t>(c)];
  }
  return run;
}

}  // namespace psflip::analysis
