#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/crossing/agreement.hpp"
#include "analysis/ensemble/own_numbers.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {
namespace {

struct CompareArguments {
  std::filesystem::path one, other, output;
};

void run_compare(const CompareArguments& options) {
  require_output("--output", options.output, {options.one, options.other});
  const std::vector<analysis::Ensemble> one = analysis::read_ensembles({options.one});
  const std::vector<analysis::Ensemble> other = analysis::read_ensembles({options.other});
  analysis::require_own_numbers({io::read(options.one, "reduced"), io::read(options.other, "reduced")});
  analysis::require_same_samples(one, other);
  std::string text = line({"L", "T", "observable", "value", "error", "other", "other_error", "difference",
                           "difference_error", "difference_in_errors", "equilibrated"});
  for (const char* observable : {"U4", "xi_over_L"}) {
    const auto curve = [&](const std::vector<analysis::Ensemble>& slots) {
      return analysis::tempered_curves_of(slots, observable).front();
    };
    for (const analysis::Agreement& at : analysis::agreement(curve(one), curve(other)))
      text += line({coordinate(one.front().L()), coordinate(at.temperature), observable, number(at.value.value),
                    number_or_empty(at.value.error), number(at.other.value), number_or_empty(at.other.error),
                    number(at.difference.value), number_or_empty(at.difference.error),
                    number_or_empty(at.difference.value / at.value.error), flag_or_empty(at.equilibrated)});
  }
  io::write_text(options.output, text);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  CLI::App* command =
      app.add_subcommand("compare", "Compare two runs of tempering of the same samples with independent trajectories");
  command->add_option("one", options->one, "Reduced file (HDF5) of a run")->required();
  command->add_option("other", options->other, "Reduced file of the same samples at other temperatures")->required();
  command->add_option("--output", options->output, "Table (CSV), a row for each slot of the first run")->required();
  command->callback([options] { run_compare(*options); });
}

}  // namespace psflip::app
