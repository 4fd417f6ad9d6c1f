#include <malloc.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "engine/app/command_line.hpp"
#include "engine/app/launch.hpp"
#include "engine/app/run/run_job.hpp"
#include "engine/app/run/stop_signals.hpp"
#include "engine/app/say.hpp"
#include "engine/io/error.hpp"

namespace {

int fail(const psflip::Ranks& ranks, const std::string& why) {
  psflip::app::forget_stop_signals();
  return ranks.fail(why, psflip::app::exit_user_error);
}

int run_on(psflip::Ranks& ranks, int argc, char** argv) {
  try {
    return psflip::app::run_command_line(argc, argv, ranks);
  } catch (const psflip::UserError& error) {
    return fail(ranks, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ranks, "not enough memory for this job; use fewer --samples per job or a smaller --L.");
  }
}

}  // namespace

// An exception that no caller expects is a bug: std::terminate ends the process, and the launcher the other ranks.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  psflip::app::remember_stop_signals();
  // Measurements free and allocate the same buffers again and again. Handing them back to the system in between would
  // cost a page fault for every 4 KiB, half the time of a measurement on small lattices.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  // Without its signal a limit on the size of files (ulimit -f) makes writes fail, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run_on(*psflip::app::join_ranks(argc, argv), argc, argv);
  } catch (const psflip::UserError& error) {  // of joining
    return psflip::single_process().fail(error.what(), psflip::app::exit_user_error);
  }
}
