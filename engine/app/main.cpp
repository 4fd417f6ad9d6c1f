#include <fmt/format.h>

#include <exception>

#include "engine/app/command_line.hpp"
#include "engine/app/run_job.hpp"
#include "engine/io/error.hpp"

int main(int argc, char** argv) {
  try {
    return psflip::app::run_command_line(argc, argv);
  } catch (const psflip::UserError& error) {
    fmt::print(stderr, "psflip: {}\n", error.what());
    return psflip::app::exit_user_error;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "psflip: not enough memory for this job; use fewer --samples per job or a smaller --L.\n");
    return psflip::app::exit_user_error;
  }
}
