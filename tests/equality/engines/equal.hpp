#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace psflip::equality {

/// Comparisons by == first: a failing state has a million bytes and only the first difference is of interest.
template <class Value>
testing::AssertionResult equal(std::string_view name, const std::vector<Value>& found,
                               const std::vector<Value>& expected) {
  if (found == expected) return testing::AssertionSuccess();
  if (found.size() != expected.size()) {
    return testing::AssertionFailure() << name << ": " << found.size() << " values, expected " << expected.size();
  }
  const auto first = std::mismatch(found.begin(), found.end(), expected.begin());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < found.size(); ++i) differ += found[i] != expected[i];
  return testing::AssertionFailure() << name << " [" << first.first - found.begin() << "]: " << +*first.first
                                     << ", expected " << +*first.second << "; " << differ << " of " << found.size()
                                     << " differ";
}

}  // namespace psflip::equality
