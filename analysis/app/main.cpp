#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "engine/core/version.hpp"
#include "engine/io/error.hpp"

namespace {

std::string version_text() {
  return fmt::format("psflip-analysis {} (stream version {}, compiler {})", psflip::code_version,
                     psflip::stream_version, __VERSION__);
}

/// An error of CLI11 as one sentence.
std::string sentence(const CLI::ParseError& error) {
  std::string text = error.what();
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return fmt::format("{}; see psflip-analysis --help.", text);
}

int run_command_line(int argc, char** argv) {
  CLI::App app("From psflip measurement files to tables with error bars.", "psflip-analysis");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  psflip::app::add_reduce(app);
  psflip::app::add_combine(app);
  psflip::app::add_crossing(app);
  psflip::app::add_compare(app);
  psflip::app::add_dynamics(app);
  psflip::app::add_critical(app);
  psflip::app::add_series(app);
  psflip::app::add_interpolate(app);
  psflip::app::add_specific_heat(app);
  psflip::app::add_log_bins(app);
  psflip::app::add_join_blocks(app);
  psflip::app::add_sample_times(app);
  psflip::app::add_observables(app);
  psflip::app::add_overlaps(app);
  psflip::app::add_info(app);
  psflip::app::refuse_empty_and_infinite(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw psflip::UserError(sentence(error));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const psflip::UserError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "psflip-analysis failed: {}.\n", error.what());
    return 1;
  }
}
