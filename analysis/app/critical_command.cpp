#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/critical/critical.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/error.hpp"
#include "engine/io/paths.hpp"

namespace psflip::app {
namespace {

struct CriticalArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output, readings;
  analysis::CriticalOptions fit{};
};

std::vector<analysis::FixedRxiValues> read_all(const CriticalArguments& options) {
  std::vector<analysis::FixedRxiValues> all;
  for (const analysis::Ensemble& ensemble : analysis::read_ensembles(options.inputs)) {
    all.push_back(analysis::values_at_fixed_R_xi(ensemble, options.fit.R_xi_values));
    if (all.back().R_xi.empty())
      throw UserError(
          fmt::format("xi / L passes none of the values of --clock in {} (L = {}, T = {}); give smaller ones "
                      "or simulate more sweeps.",
                      ensemble.path.string(), ensemble.L(), ensemble.temperature));
  }
  return all;
}

std::string values_table(const std::vector<analysis::FixedRxiValues>& all) {
  std::string text = line({"L", "T", "beta", "clock", "quantity", "value", "error", "blocks"});
  for (const analysis::FixedRxiValues& one : all)
    for (Eigen::Index c = 0; c < one.values.rows(); ++c)
      for (Eigen::Index q = 0; q < one.values.cols(); ++q)
        text += line({coordinate(one.L), coordinate(one.temperature), coordinate(one.beta),
                      coordinate(one.R_xi[static_cast<std::size_t>(c)]),
                      analysis::fixed_R_xi_quantities()[static_cast<std::size_t>(q)], number(one.values(c, q)),
                      number(one.deviations.col(c * one.values.cols() + q).norm()),
                      fmt::format("{}", one.deviations.rows())});
  return text;
}

std::string fits_table(const std::vector<analysis::CriticalRow>& rows) {
  std::string text = line({"quantity", "method", "cumulants", "clock", "xi_min", "L_min", "L_max", "omega", "degree",
                           "value", "error", "chi2_dof", "dof"});
  for (const analysis::CriticalRow& row : rows)
    text += line({row.quantity, row.method, row.cumulants, coordinate_or_empty(row.R_xi),
                  coordinate_or_empty(row.xi_min), coordinate(row.L_min), coordinate(row.L_max),
                  number_or_empty(row.omega), fmt::format("{}", row.degree), number(row.estimate.value),
                  number_or_empty(row.estimate.error), number_or_empty(row.chi2_dof()), fmt::format("{}", row.dof)});
  return text;
}

void require_once(const std::string& option, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) throw UserError(fmt::format("{} has {} twice; give every value once.", option, *twice));
}

void require_together(const analysis::CriticalOptions& fit) {
  if (fit.together.empty() != fit.xi_mins.empty())
    throw UserError("--together and --xi-min belong to each other; give both or none.");
  require_once("--clock", fit.R_xi_values);
  require_once("--together", fit.together);
  require_once("--xi-min", fit.xi_mins);
  require_once("--degree", {fit.degrees.begin(), fit.degrees.end()});
  if (fit.degrees.size() > 1 && fit.together.empty())
    throw UserError(
        "--degree has more than one value, but only fits of --together use them all; give --together and --xi-min, or "
        "one degree.");
  for (const double R_xi : fit.together)
    if (std::find(fit.R_xi_values.begin(), fit.R_xi_values.end(), R_xi) == fit.R_xi_values.end())
      throw UserError(fmt::format("--together has {}, which is none of --clock; add it there.", R_xi));
}

void run_critical(CriticalArguments& options) {
  require_output("--output", options.output, options.inputs);
  require_output("--readings", options.readings, options.inputs);
  io::require_other_file({"--readings", options.readings}, {{"--output", options.output}});
  std::sort(options.fit.R_xi_values.begin(), options.fit.R_xi_values.end());
  require_together(options.fit);
  const std::vector<analysis::FixedRxiValues> runs = read_all(options);
  const auto rows = analysis::critical_table(analysis::ScalingData(runs), options.fit);
  if (rows.empty())
    throw UserError(
        fmt::format("No fit is possible with the {} runs given; give reduced files of two sizes at four "
                    "temperatures or more.",
                    runs.size()));
  io::write_text(options.readings, values_table(runs));
  io::write_text(options.output, fits_table(rows));
}

void add_fit_options(CLI::App& command, analysis::CriticalOptions& fit) {
  command
      .add_option("--clock", fit.R_xi_values, "Reference values of xi / L at which sizes are compared, comma separated")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(0.01, 10.0));
  command
      .add_option("--together", fit.together,
                  "Values of --clock that are fitted together, comma separated (default: none)")
      ->delimiter(',');
  command
      .add_option("--xi-min", fit.xi_mins,
                  "Least xi = L * clock of the points of such fits, comma separated: one fit for each")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command
      .add_option("--omega", fit.omegas,
                  "Exponents of the corrections L^-omega, comma separated; the first is used for crossings")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--nu", fit.nu, "nu in the drift of crossings, and where fits of it begin")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--beta", fit.beta, "beta_c where fits begin, and at which exponents are given in addition")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option(
          "--degree", fit.degrees,
          "Degrees of the polynomials in beta, comma separated; others than the first only in fits of --together")
      ->delimiter(',')
      ->check(CLI::Range(1, 4))
      ->capture_default_str();
}

}  // namespace

void add_critical(CLI::App& app) {
  auto options = std::make_shared<CriticalArguments>();
  CLI::App* command = app.add_subcommand(
      "critical", "Find the critical temperature and exponents from relaxation, at fixed values of xi / L");
  command
      ->add_option("reduced", options->inputs, "Reduced files (HDF5) of two sizes or more, several temperatures each")
      ->required();
  add_fit_options(*command, options->fit);
  command->add_option("--readings", options->readings, "Table of all values at fixed xi / L (CSV)")->required();
  command->add_option("--output", options->output, "Table of all fits (CSV)")->required();
  command->callback([options] { run_critical(*options); });
}

}  // namespace psflip::app
