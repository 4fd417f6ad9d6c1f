#pragma once
#include <gtest/gtest.h>

#include "bodies.hpp"
#include "members.hpp"

/// The suite of a backend over all members of the family and all methods. A new preset appears in it by itself.
namespace psflip::equality {

class MemberSuite : public testing::TestWithParam<Member> {
 protected:
  using Compare = void (*)(const System&, const Backends&);

  /// Every system of the member. `backends_of` gives the engines that simulate a system; none: the system is left out.
  template <class BackendsOf>
  void compare_all(Compare compare, BackendsOf backends_of) const {
    std::size_t compared = 0;
    for (const NamedSystem& named : systems_of(GetParam())) {
      SCOPED_TRACE(named.name);
      const Backends backends = backends_of(named.system);
      if (backends.empty()) continue;
      compare(named.system, backends);
      ++compared;
    }
    EXPECT_GT(compared, 1U);
  }
};

inline std::string name_of_parameter(const testing::TestParamInfo<Member>& info) { return name_of(info.param); }

}  // namespace psflip::equality
