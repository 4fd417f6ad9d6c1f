#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/dynamics/dynamics.hpp"
#include "analysis/models/critical_exponents.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "analysis/models/require.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct DynamicsArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::int64_t fit_from = 0, fit_to = 0;
  std::optional<double> eta;
  bool scan = false;
};

/// The options of the fit to one ensemble. Throws UserError if none is possible.
analysis::DynamicsOptions fit_options(const analysis::Ensemble& ensemble, const DynamicsArguments& options) {
  analysis::require_method(ensemble, Method::relaxation, "xi and chi grow with time in relaxation alone");
  analysis::require_observables(ensemble, {"xi", "chi"});
  const auto exponents = analysis::critical_exponents(ensemble.preset(), ensemble.attributes);
  if (!options.eta && !exponents)
    throw UserError(fmt::format("No eta is known for {} ({}), which converts the exponent of chi into z; give --eta.",
                                ensemble.path.string(), ensemble.model()));
  return {options.fit_from, options.fit_to, options.eta ? *options.eta : exponents->eta};
}

std::string row(const Keys& keys, const analysis::PowerLaw& law, const std::string& range) {
  return line({coordinate(law.L), coordinate(law.temperature), law.quantity, number(law.exponent.value),
               number_or_empty(law.exponent.error), number(law.z.value), number_or_empty(law.z.error),
               fmt::format("{}", law.t_min), fmt::format("{}", law.t_max), number_or_empty(law.chi2_dof),
               fmt::format("{}", law.points), number_or_empty(law.chi2_dof_covariance), range, keys.model, keys.method,
               keys.h, keys.p, keys.seed});
}

void run_dynamics(const DynamicsArguments& options) {
  if (options.fit_from >= options.fit_to)
    throw UserError(fmt::format("--fit-from {} is not before --fit-to {}; give an earlier or a later time.",
                                options.fit_from, options.fit_to));
  require_output("--output", options.output, options.inputs);
  std::string text = line({"L", "T", "quantity", "exponent", "error", "z", "z_error", "t_min", "t_max", "chi2_dof",
                           "points", "chi2_dof_covariance", "range", "model", "method", "h", "p", "seed"});
  for (const analysis::Ensemble& ensemble : analysis::read_ensembles(options.inputs)) {
    const Keys keys = keys_of({ensemble});
    const analysis::DynamicsOptions fit = fit_options(ensemble, options);
    for (const analysis::PowerLaw& law : analysis::fit_dynamics(ensemble, fit)) text += row(keys, law, "whole");
    if (!options.scan) continue;
    for (const analysis::PowerLaw& law : analysis::scan_dynamics(ensemble, fit)) text += row(keys, law, "part");
  }
  io::write_text(options.output, text);
}

}  // namespace

void add_dynamics(CLI::App& app) {
  auto options = std::make_shared<DynamicsArguments>();
  CLI::App* command = app.add_subcommand("dynamics", "Fit xi ~ t^(1/z) and chi ~ t^((2 - eta)/z) to relaxations");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5)")->required();
  command->add_option("--fit-from", options->fit_from, "First time in the fit, sweeps")
      ->required()
      ->check(CLI::PositiveNumber);
  command->add_option("--fit-to", options->fit_to, "Last time in the fit, sweeps")
      ->required()
      ->check(CLI::PositiveNumber);
  command->add_option("--eta", options->eta,
                      "eta that converts the exponent of chi into z (if known: that of the transition of the model)");
  command->add_flag("--scan", options->scan, "Fit parts of the range too, to show the drift of the exponents");
  command->add_option("--output", options->output, "Table (CSV)")->required();
  command->callback([options] { run_dynamics(*options); });
}

}  // namespace psflip::app
