#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/crossing/crossing.hpp"
#include "analysis/crossing/tempered_crossing.hpp"
#include "analysis/models/critical_exponents.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "analysis/models/require.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct CrossingArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::string observable;
  std::optional<double> nu, omega, ratio;
  double from = 0, to = std::numeric_limits<double>::infinity();
  bool pairs_only = false;
};

/// U4 of a random field at the crossings of accessible sizes drifts faster than the correction L^-omega allows: its
/// limit may lie below 1, the least possible value, so it is no result and not given.
void leave_out_meaningless_limit(std::vector<analysis::Crossing>& found, const std::string& observable) {
  for (analysis::Crossing& crossing : found)
    if (observable == "U4" && std::isinf(crossing.L2)) {
      crossing.value = {};
      crossing.value_systematic = statistics::unknown;
    }
}

analysis::CrossingOptions details_of(const analysis::Ensemble& ensemble, const CrossingArguments& options) {
  const auto exponents = analysis::critical_exponents(ensemble.preset(), ensemble.attributes);
  if (!exponents && !(options.nu && options.omega) && !options.pairs_only)
    throw UserError(
        fmt::format("No exponents of a transition are known for {} ({}); give --nu and --omega, or --pairs-only.",
                    ensemble.path.string(), ensemble.model()));
  analysis::CrossingOptions details = analysis::crossing_options(exponents.value_or(analysis::CriticalExponents{}));
  details.nu = options.nu.value_or(details.nu);
  details.omega = options.omega.value_or(details.omega);
  details.from = options.from;
  details.to = options.to;
  details.ratio = options.ratio;
  details.extrapolate = !options.pairs_only;
  return details;
}

std::vector<analysis::Crossing> crossings_of(const std::vector<analysis::Ensemble>& ensembles,
                                             const CrossingArguments& options) {
  const analysis::CrossingOptions details = details_of(ensembles.front(), options);
  auto found = ensembles.front().method() == Method::tempering
                   ? analysis::tempered_crossings(analysis::tempered_curves_of(ensembles, options.observable), details)
                   : analysis::crossings(analysis::curves_of(ensembles, options.observable), details);
  const analysis::Ensemble& first = ensembles.front();
  if (first.preset().has_random_field() && analysis::is_in_field(first.preset(), first.attributes))
    leave_out_meaningless_limit(found, options.observable);
  return found;
}

std::string row(const Keys& keys, const std::string& observable, const analysis::Crossing& crossing) {
  const bool crosses = crossing.why_none.empty();
  return line({observable, coordinate(crossing.L1), coordinate(crossing.L2),
               crosses ? number(crossing.temperature.value) : "", number_or_empty(crossing.temperature.error),
               crosses ? number(crossing.value.value) : "", number_or_empty(crossing.value.error),
               number_or_empty(crossing.chi2_dof), coordinate(crossing.T_min), coordinate(crossing.T_max),
               flag_or_empty(crossing.equilibrated), fmt::format("{}", crossing.blocks),
               number_or_empty(crossing.temperature_systematic), number_or_empty(crossing.value_systematic), keys.model,
               keys.method, keys.h, keys.p, keys.seed});
}

/// Says which pairs of sizes do not cross, and why.
void report_missing(const std::vector<analysis::Ensemble>& ensembles, const CrossingArguments& options,
                    const std::vector<analysis::Crossing>& found) {
  std::set<int> all;
  for (const analysis::Ensemble& ensemble : ensembles) all.insert(ensemble.L());
  const std::vector<int> sizes(all.begin(), all.end());
  for (const auto& [first, second] : analysis::size_pairs(sizes, options.ratio)) {
    const auto there = std::find_if(found.begin(), found.end(), [&, one = sizes[first], two = sizes[second]](auto& c) {
      return c.L1 == one && c.L2 == two;
    });
    if (there == found.end())
      fmt::print(stderr, "Left out: the curves of L = {} and {} are not known at common temperatures.\n", sizes[first],
                 sizes[second]);
    else if (!there->why_none.empty())
      fmt::print(stderr, "{}\n", there->why_none);
  }
}

void run_crossing(const CrossingArguments& options) {
  require_output("--output", options.output, options.inputs);
  const std::vector<analysis::Ensemble> ensembles = analysis::read_ensembles(options.inputs);
  if (ensembles.front().method() == Method::relaxation)
    throw UserError(
        fmt::format("{} holds relaxation of {}, but crossings are taken in equilibrium; use psflip-analysis combine "
                    "for relaxation.",
                    ensembles.front().path.string(), ensembles.front().model()));
  for (const analysis::Ensemble& ensemble : ensembles) analysis::require_observables(ensemble, {options.observable});
  if (options.from >= options.to)
    throw UserError(
        fmt::format("--from {} is not below --to {}; give an interval of temperatures.", options.from, options.to));
  if (options.ratio && !(*options.ratio > 1))
    throw UserError(
        fmt::format("--ratio {} is not above 1; give L2 / L1 of the sizes to compare, such as 2.", *options.ratio));
  std::string text = line({"observable", "L1", "L2", "T_crossing", "error", "value", "value_error", "chi2_dof", "T_min",
                           "T_max", "equilibrated", "blocks", "error_systematic", "value_error_systematic", "model",
                           "method", "h", "p", "seed"});
  const std::vector<analysis::Crossing> found = crossings_of(ensembles, options);
  for (const analysis::Crossing& crossing : found) text += row(keys_of(ensembles), options.observable, crossing);
  io::write_text(options.output, text);
  report_missing(ensembles, options, found);
}

}  // namespace

void add_crossing(CLI::App& app) {
  auto options = std::make_shared<CrossingArguments>();
  CLI::App* command = app.add_subcommand("crossing", "Find where curves of two sizes cross in equilibrium");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of two sizes or more with common temperatures")
      ->required();
  command->add_option("--observable", options->observable, "U4 or xi_over_L")
      ->required()
      ->check(CLI::IsMember({"U4", "xi_over_L"}));
  command
      ->add_option(
          "--output", options->output,
          "Table (CSV); the row with L2 = inf is the extrapolation; T_crossing is empty where curves do not cross")
      ->required();
  command
      ->add_option("--nu", options->nu, "Exponent nu in T*(L) = Tc + A L^-(omega + 1/nu) (if known: that of the model)")
      ->check(CLI::PositiveNumber);
  command->add_option("--omega", options->omega, "Correction exponent omega (if known: that of the model)")
      ->check(CLI::PositiveNumber);
  command->add_option("--from", options->from, "Lowest temperature at which a crossing is looked for")
      ->check(CLI::PositiveNumber);
  command->add_option("--to", options->to, "Highest such temperature")->check(CLI::PositiveNumber);
  command->add_flag("--pairs-only", options->pairs_only, "Without the extrapolation to infinite size");
  command->add_option("--ratio", options->ratio, "Compare sizes with this ratio L2 / L1 (neighbouring sizes)");
  command->callback([options] { run_crossing(*options); });
}

}  // namespace psflip::app
