#pragma once
#include <gtest/gtest.h>

#include "judgement.hpp"

namespace psflip::exact {

inline void expect_pass(const Judgement& found) {
  EXPECT_GE(found.smallest_p, found.level) << found.worst << ", the worst of " << found.pulls;
  EXPECT_GE(found.chi_squared_p, family_level) << "chi^2 is too large; worst: " << found.worst;
  EXPECT_LE(found.chi_squared_p, 1 - family_level) << "chi^2 is too small";
}

}  // namespace psflip::exact
