#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "engine/random/acceptance_threshold.hpp"
#include "threshold_cases.hpp"

namespace psflip::golden {
namespace {

TEST(AcceptanceThreshold, of_a_million_costs_is_what_it_was_with_the_exp_of_the_C_library) {
  std::ifstream file(PSFLIP_GOLDEN_THRESHOLDS);
  std::uint64_t line = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    EXPECT_EQ(threshold_hash(line, acceptance_threshold), std::stoull(text, nullptr, 16)) << "line " << line;
    ++line;
  }
  EXPECT_EQ(line, threshold_lines);
}

TEST(AcceptanceThreshold, at_its_ends_accepts_always_or_never) {
  for (const double x : {0.0, 5e-324, 1e-300, 0x1p-33}) EXPECT_EQ(acceptance_threshold(x), 0xffffffffu) << x;
  for (const double x : {22.19, 23.0, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(acceptance_threshold(x), 0U) << x;
  EXPECT_EQ(acceptance_threshold(22.18), 1U);
  EXPECT_EQ(acceptance_threshold(0.6931471805599453), 0x80000000u);  // ln 2, rounded down: 2^31 + a quarter of a unit
}

TEST(AcceptanceThreshold, never_grows_with_the_cost) {
  std::uint32_t last = 0xffffffffu;
  for (double x = 0; x < 23; x += 1.0 / 8192) {
    EXPECT_LE(acceptance_threshold(x), last) << x;
    last = acceptance_threshold(x);
  }
}

}  // namespace
}  // namespace psflip::golden
