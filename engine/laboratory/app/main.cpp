#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>

#include "engine/app/launch.hpp"
#include "engine/bench/identity.hpp"
#include "engine/core/version.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/app/commands.hpp"

namespace {

constexpr int exit_done = 0, exit_user_error = 2;

/// CLI11's complaint as one sentence with a remedy.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string what = error.what(), names;
  std::replace(what.begin(), what.end(), '\n', ' ');
  if (!app.get_subcommands().empty())
    throw psflip::UserError(
        fmt::format("{}; see psflip-lab {} --help.", what, app.get_subcommands().front()->get_name()));
  for (const CLI::App* sub : app.get_subcommands({})) names += (names.empty() ? "" : ", ") + sub->get_name();
  throw psflip::UserError(fmt::format("{}; give one of the commands {}.", what, names));
}

int run(int argc, char** argv, psflip::Ranks& ranks) {
  CLI::App app("Algorithms of the papers that psflip is compared with.", "psflip-lab");
  app.set_version_flag("--version",
                       fmt::format("psflip-lab {} (commit {})", psflip::code_version, psflip::git_commit()));
  app.require_subcommand(1);
  psflip::laboratory::add_commands(app);
  psflip::laboratory::add_exchange(app, ranks);
  app.parse_complete_callback([&] {  // before the command runs
    if (ranks.count() > 1 && !app.got_subcommand("exchange"))
      throw psflip::UserError("mpirun: of all commands exchange alone runs on several ranks, leave mpirun out.");
  });
  try {
    app.parse(argc, argv);  // runs the command
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    refuse(app, error);
  }
  return exit_done;
}

int fail(const psflip::Ranks& ranks, const std::string& why) {
  if (ranks.count() > 1) return ranks.fail(why, exit_user_error);
  std::fputs(("psflip-lab: " + why + "\n").c_str(), stderr);
  return exit_user_error;
}

int run_on(psflip::Ranks& ranks, int argc, char** argv) {
  try {
    return run(argc, argv, ranks);
  } catch (const psflip::UserError& error) {
    return fail(ranks, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ranks, "not enough memory; give a smaller --L.");
  }
}

}  // namespace

// An exception that no caller expects is a bug: std::terminate ends the process, and the launcher the other ranks.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  // Without its signal a limit on the size of files (ulimit -f) makes writes fail, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run_on(*psflip::app::join_ranks(argc, argv), argc, argv);
  } catch (const psflip::UserError& error) {  // of joining
    return fail(psflip::single_process(), error.what());
  }
}
