// Prints tests/golden/trajectories.txt. The oracle makes it, the engines have to agree with it.
#include <fmt/format.h>

#include "engine/core/version.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/tempering_oracle.hpp"
#include "trajectories.hpp"

int main() {
  const auto text = psflip::golden::trajectories(
      [](const psflip::System& system) { return std::make_unique<psflip::oracle::Oracle>(system); });
  const auto tempering = psflip::golden::tempering_trajectories(
      [](const psflip::TemperingSystem& system) { return std::make_unique<psflip::oracle::TemperingOracle>(system); });
  fmt::print("# build/tests/print_trajectories > tests/golden/trajectories.txt\nstream_version {}\n{}{}",
             psflip::stream_version, text, tempering);
}
