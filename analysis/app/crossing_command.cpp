#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/commands.hpp"
#include "analysis/app/csv.hpp"
#include "analysis/physics/crossing.hpp"
#include "analysis/physics/ensemble_file.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct Options {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::string observable;
  physics::CrossingOptions extrapolation;
};

void run(const Options& options) {
  io::require_writable(options.output);
  const std::vector<physics::Ensemble> ensembles = physics::read_reduced(options.inputs);
  if (ensembles.front().model() != "ising2d")
    throw UserError(
        fmt::format("{} is of model {}, but crossings are taken of ising2d in equilibrium; use psflip-analysis "
                    "combine for relaxation.",
                    ensembles.front().path.string(), ensembles.front().model()));
  std::string text =
      line({"observable", "L1", "L2", "T_crossing", "error", "value", "value_error", "chi2_dof", "T_min", "T_max"});
  const auto curves = physics::curves_of(ensembles, options.observable);
  for (const physics::Crossing& crossing : physics::crossings(curves, options.extrapolation))
    text += line({options.observable, coordinate(crossing.L1), coordinate(crossing.L2),
                  number(crossing.temperature.value), number_or_empty(crossing.temperature.error),
                  number(crossing.value.value), number_or_empty(crossing.value.error),
                  number_or_empty(crossing.chi2_dof), coordinate(crossing.T_min), coordinate(crossing.T_max)});
  io::write_text(options.output, text);
}

}  // namespace

void add_crossing(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("crossing", "Find where curves of neighbouring sizes cross (ising2d)");
  command
      ->add_option("reduced", options->inputs, "Reduced files (HDF5) of two sizes or more, three temperatures or more")
      ->required();
  command->add_option("--observable", options->observable, "U4 or xi_over_L")
      ->required()
      ->check(CLI::IsMember({"U4", "xi_over_L"}));
  command->add_option("--output", options->output, "Table (CSV); the row with L2 = inf is the extrapolation")
      ->required();
  command->add_option("--nu", options->extrapolation.nu, "Exponent nu in T*(L) = Tc + A L^-(omega + 1/nu)")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--omega", options->extrapolation.omega, "Correction exponent omega")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback([options] { run(*options); });
}

}  // namespace psflip::app
