#pragma once
#include <gtest/gtest.h>

#include "tests/equality/engines/members.hpp"

/// Members of the family with a method as parameters of tests.
namespace psflip::exact {

using equality::Member;

template <class Condition>
std::vector<Member> members_if(Condition condition) {
  std::vector<Member> members;
  for (const Member& member : equality::all_members())
    if (condition(member)) members.push_back(member);
  return members;
}

inline std::string name_of_parameter(const testing::TestParamInfo<Member>& info) {
  return equality::name_of(info.param);
}

}  // namespace psflip::exact
