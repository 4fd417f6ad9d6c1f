// Prints tests/golden/trajectories.txt. The oracle makes it, the engines have to agree with it.
#include <fmt/format.h>

#include "tests/oracle/oracle.hpp"
#include "trajectories.hpp"

int main() {
  const std::string text = psflip::golden::trajectories(
      [](const psflip::System& system) { return std::make_unique<psflip::oracle::Oracle>(system); });
  fmt::print("# build/tests/print_trajectories > tests/golden/trajectories.txt\n{}", text);
}
