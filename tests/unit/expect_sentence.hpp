#pragma once
#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.hpp"

namespace psflip::test {

/// A message is one sentence with these words in it.
inline void expect_sentence(const std::string& message, const std::string& words) {
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_TRUE(is_one_sentence(message)) << message;
}

}  // namespace psflip::test
