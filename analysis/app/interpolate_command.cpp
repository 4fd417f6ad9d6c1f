#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "analysis/app/checked.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/interpolation/interpolation.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/io/paths.hpp"

namespace psflip::app {
namespace {

/// Rows of the table of covariances grow with the square of the numbers: two million for this many.
constexpr std::size_t most_numbers_with_covariances = 2000;

struct InterpolateArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output, covariances;
  std::vector<std::string> observables;
  std::vector<double> at;
  std::optional<double> from, to;
  std::int64_t count = 0;
  bool in_beta = false;
};

const char* coordinate_name(const InterpolateArguments& options) { return options.in_beta ? "beta" : "T"; }

/// The values of T or beta.
std::vector<double> wanted_coordinates(const InterpolateArguments& options) {
  const bool interval = options.from || options.to || options.count != 0;
  if (interval == !options.at.empty())
    throw UserError("The temperatures are not clear; give either --at LIST or --from, --to and --count.");
  if (!interval) return options.at;
  if (!options.from || !options.to || options.count < 2)
    throw UserError("--from, --to and --count belong together; give all three, with --count 2 or more.");
  if (options.count > 100'000)
    throw UserError(fmt::format("--count {} is too large for one table; give 100000 or less.", options.count));
  if (*options.from >= *options.to)
    throw UserError(fmt::format("--from {} is not below --to {}; give an interval of {}.", *options.from, *options.to,
                                coordinate_name(options)));
  std::vector<double> all;
  const Eigen::VectorXd even = Eigen::VectorXd::LinSpaced(options.count, *options.from, *options.to);
  all.assign(even.begin(), even.end());
  return all;
}

std::vector<double> wanted_temperatures(const InterpolateArguments& options) {
  std::vector<double> all = wanted_coordinates(options);
  for (double& one : all) {
    if (!(one > 0))
      throw UserError(fmt::format("{} = {} is no temperature; give positive numbers.", coordinate_name(options), one));
    if (options.in_beta) one = 1 / one;
  }
  return all;
}

/// Each observable once. Throws UserError for a name that the files do not have.
std::vector<std::string> wanted_observables(const std::vector<analysis::Ensemble>& ensembles,
                                            const InterpolateArguments& options) {
  if (options.observables == std::vector<std::string>{"all"}) return analysis::interpolated_observables(ensembles);
  std::vector<std::string> names;
  for (const std::string& name : options.observables)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::string row(const analysis::Ensemble& of, const Keys& keys, const analysis::InterpolatedRow& one,
                Eigen::Index blocks) {
  return line({keys.model, keys.method, coordinate(of.L()), keys.h, keys.p, coordinate(one.temperature),
               coordinate(1 / one.temperature), keys.seed, one.observable, number(one.estimate.value),
               number_or_empty(one.estimate.error), number_or_empty(one.systematic), fmt::format("{}", blocks),
               one.from_slopes ? "slopes" : "values", fmt::format("{}", one.order), coordinate(one.T_min),
               coordinate(one.T_max), flag_or_empty(one.equilibrated)});
}

std::string covariance_table(const analysis::Interpolation& found) {
  std::string text = line({"observable", "T", "other", "other_T", "covariance"});
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    for (std::size_t j = i; j < found.rows.size(); ++j)
      text += line({found.rows[i].observable, coordinate(found.rows[i].temperature), found.rows[j].observable,
                    coordinate(found.rows[j].temperature),
                    number(found.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)))});
  return text;
}

void require_few_covariances(const InterpolateArguments& options, std::size_t numbers) {
  if (!options.covariances.empty() && numbers > most_numbers_with_covariances)
    throw UserError(
        fmt::format("--covariances of {} numbers would have {} rows; give fewer temperatures or "
                    "observables, numbers of {} at most.",
                    numbers, numbers * (numbers + 1) / 2, most_numbers_with_covariances));
}

void run_interpolate(const InterpolateArguments& options) {
  require_output("--output", options.output, options.inputs);
  if (!options.covariances.empty()) {
    require_output("--covariances", options.covariances, options.inputs);
    io::require_other_file({"--covariances", options.covariances}, {{"--output", options.output}});
  }
  const std::vector<double> temperatures = wanted_temperatures(options);
  const std::vector<analysis::Ensemble> ensembles = analysis::read_ensembles(options.inputs);
  analysis::require_one_grid(ensembles, 2);
  const std::vector<std::string> observables = wanted_observables(ensembles, options);
  require_few_covariances(options, observables.size() * temperatures.size());
  const analysis::Interpolation found = analysis::interpolate_observables(ensembles, observables, temperatures);
  const Keys keys = keys_of(ensembles);
  std::string text = line({"model", "method", "L", "h", "p", "T", "beta", "seed", "observable", "value", "error",
                           "error_systematic", "blocks", "interpolation", "order", "T_min", "T_max", "equilibrated"});
  for (const analysis::InterpolatedRow& one : found.rows) text += row(ensembles.front(), keys, one, found.blocks);
  if (!options.covariances.empty()) io::write_text(options.covariances, covariance_table(found));
  io::write_text(options.output, text);
}

}  // namespace

void add_interpolate(CLI::App& app) {
  auto options = std::make_shared<InterpolateArguments>();
  CLI::App* command = app.add_subcommand(
      "interpolate", "Values, errors and covariances of observables of tempering at temperatures between slots");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of tempering of one model and size")
      ->required();
  command->add_option("--observables", options->observables, "Names, separated by commas, or all")
      ->required()
      ->delimiter(',');
  command->add_option("--at", options->at, "Temperatures, separated by commas")->delimiter(',');
  command->add_option("--from", options->from, "First of --count temperatures at equal distances");
  command->add_option("--to", options->to, "Last of them");
  command->add_option("--count", options->count, "How many, 2 or more");
  command->add_flag("--in-beta", options->in_beta, "--at, --from and --to are values of beta = 1 / T");
  command->add_option("--output", options->output, "Table (CSV)")->required();
  command->add_option("--covariances", options->covariances,
                      "Table (CSV) of the covariances of all numbers of --output, each pair once");
  command->callback([options] { run_interpolate(*options); });
}

}  // namespace psflip::app
