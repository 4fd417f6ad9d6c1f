#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/core/version.hpp"
#include "engine/cpu/cpu.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/tempering_oracle.hpp"
#include "trajectories.hpp"

namespace psflip::golden {
namespace {

const char* const advice =
    "The same job now gives other numbers. If that is wanted, raise stream_version in engine/core/version.hpp, so that "
    "old and "
    "new files are never mixed, and store the new trajectories: build/tests/print_trajectories > "
    "tests/golden/trajectories.txt";

std::string stored_lines() {
  std::ifstream file(PSFLIP_GOLDEN_FILE);
  std::stringstream text;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) text << line << '\n';
  }
  return text.str();
}

std::string lines_of(const MakeEngine& make_engine, const MakeTempering& make_tempering) {
  return fmt::format("stream_version {}\n{}{}", stream_version, trajectories(make_engine),
                     tempering_trajectories(make_tempering));
}

TEST(Golden, the_oracle_repeats_the_stored_trajectories) {
  EXPECT_EQ(lines_of([](const System& system) { return std::make_unique<oracle::Oracle>(system); },
                     [](const TemperingSystem& system) { return std::make_unique<oracle::TemperingOracle>(system); }),
            stored_lines())
      << advice;
}

TEST(Golden, the_cpu_engine_repeats_the_stored_trajectories) {
  const int widest = cpu::supported_word_bits().back();
  EXPECT_EQ(lines_of([&](const System& system) { return cpu::make_engine(system, 1, widest); },
                     [&](const TemperingSystem& system) { return cpu::make_tempering(system, 1, widest); }),
            stored_lines())
      << advice;
}

}  // namespace
}  // namespace psflip::golden
