#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/dynamics/series.hpp"
#include "analysis/ensemble/ensemble.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct SeriesArguments {
  std::filesystem::path input, output;
};

void run_series(const SeriesArguments& options) {
  require_output("--output", options.output, {options.input});
  const io::LabelledFile measurement = io::read(options.input, "measurement");
  analysis::require_known_job(measurement);
  std::string text =
      line({"L", "T", "observable", "method", "bin_sweeps", "bins", "error", "tau_int", "tau_int_error"});
  for (const analysis::SeriesRow& row : analysis::series_table(measurement))
    text += line({fmt::format("{}", measurement.integer("L")), coordinate(row.temperature), row.observable, row.method,
                  fmt::format("{}", row.bin_sweeps), fmt::format("{}", row.bins), number_or_empty(row.error),
                  number(row.tau_int.value), number_or_empty(row.tau_int.error)});
  io::write_text(options.output, text);
}

}  // namespace

void add_series(CLI::App& app) {
  auto options = std::make_shared<SeriesArguments>();
  CLI::App* command = app.add_subcommand(
      "series", "Errors against bin length and autocorrelation times from the stored bins of equilibrium");
  command->add_option("measurement", options->input, "Measurement file (HDF5)")->required();
  command->add_option("--output", options->output, "Table (CSV)")->required();
  command->callback([options] { run_series(*options); });
}

}  // namespace psflip::app
