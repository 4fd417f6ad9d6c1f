// Prints tests/golden/thresholds.txt, by the exp() of the C library: glibc 2.36 made the stored file.
#include <fmt/format.h>

#include <algorithm>

#include "threshold_cases.hpp"

int main() {
  fmt::print("# build/tests/print_thresholds > tests/golden/thresholds.txt\n");
  const auto threshold = [](double x) {
    return static_cast<std::uint32_t>(std::min(std::floor(std::ldexp(std::exp(-x), 32)), 4294967295.0));
  };
  for (std::uint64_t line = 0; line < psflip::golden::threshold_lines; ++line)
    fmt::print("{:016x}\n", psflip::golden::threshold_hash(line, threshold));
}
