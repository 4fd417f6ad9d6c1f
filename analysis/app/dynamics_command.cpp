#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/csv.hpp"
#include "analysis/dynamics/dynamics.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct Options {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  analysis::DynamicsOptions fit{};
  bool scan = false;
};

void require_relaxation(const analysis::Ensemble& ensemble) {
  if (ensemble.model() != "ea3d")
    throw UserError(
        fmt::format("{} is of model {}, but only the relaxation of ea3d has a power law to fit; give reduced files of "
                    "ea3d.",
                    ensemble.path.string(), ensemble.model()));
  if (ensemble.replicas() < 2)
    throw UserError(fmt::format("{} has one replica, but overlaps need two; simulate with --replicas 2 or more.",
                                ensemble.path.string()));
}

std::string row(const analysis::PowerLaw& law, const std::string& range) {
  return line({coordinate(law.L), coordinate(law.temperature), law.quantity, number(law.exponent.value),
               number_or_empty(law.exponent.error), number(law.z.value), number_or_empty(law.z.error),
               fmt::format("{}", law.t_min), fmt::format("{}", law.t_max), number_or_empty(law.chi2_dof),
               fmt::format("{}", law.points), number_or_empty(law.chi2_dof_covariance), range});
}

void run(const Options& options) {
  if (options.fit.fit_from >= options.fit.fit_to)
    throw UserError(fmt::format("--fit-from {} is not before --fit-to {}; give an earlier or a later time.",
                                options.fit.fit_from, options.fit.fit_to));
  require_output("--output", options.output, options.inputs);
  std::string text = line({"L", "T", "quantity", "exponent", "error", "z", "z_error", "t_min", "t_max", "chi2_dof",
                           "points", "chi2_dof_covariance", "range"});
  for (const analysis::Ensemble& ensemble : analysis::read_ensembles(options.inputs)) {
    require_relaxation(ensemble);
    for (const analysis::PowerLaw& law : analysis::fit_dynamics(ensemble, options.fit)) text += row(law, "whole");
    if (!options.scan) continue;
    for (const analysis::PowerLaw& law : analysis::scan_dynamics(ensemble, options.fit)) text += row(law, "part");
  }
  io::write_text(options.output, text);
}

}  // namespace

void add_dynamics(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("dynamics", "Fit xi ~ t^(1/z) and chi ~ t^((2 - eta)/z) (ea3d)");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5)")->required();
  command->add_option("--fit-from", options->fit.fit_from, "First time in the fit, sweeps")
      ->required()
      ->check(CLI::PositiveNumber);
  command->add_option("--fit-to", options->fit.fit_to, "Last time in the fit, sweeps")
      ->required()
      ->check(CLI::PositiveNumber);
  command->add_option("--eta", options->fit.eta, "eta that turns the exponent of chi into z")->capture_default_str();
  command->add_flag("--scan", options->scan, "Fit parts of the range too, to see the exponents drift");
  command->add_option("--output", options->output, "Table (CSV)")->required();
  command->callback([options] { run(*options); });
}

}  // namespace psflip::app
