#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/cpu/cpu.hpp"
#include "tests/oracle/oracle.hpp"
#include "trajectories.hpp"

namespace psflip::golden {
namespace {

const char* const advice =
    "The same job now gives other numbers. If that is wanted, raise stream_version in engine/core/version.hpp, so that "
    "old and new files are never mixed, and store the new trajectories: build/tests/print_trajectories > "
    "tests/golden/trajectories.txt";

std::string stored_lines() {
  std::ifstream file(PSFLIP_GOLDEN_FILE);
  std::stringstream text;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) text << line << '\n';
  }
  return text.str();
}

TEST(Golden, the_oracle_repeats_the_stored_trajectories) {
  EXPECT_EQ(trajectories([](const System& system) { return std::make_unique<oracle::Oracle>(system); }), stored_lines())
      << advice;
}

TEST(Golden, the_cpu_engine_repeats_the_stored_trajectories) {
  const int widest = cpu::supported_word_bits().back();
  EXPECT_EQ(trajectories([&](const System& system) { return cpu::make_engine(system, 1, widest); }), stored_lines())
      << advice;
}

}  // namespace
}  // namespace psflip::golden
