#pragma once
#include "member_suite.hpp"
#include "on_gpu.hpp"

namespace psflip::equality {

/// Presets and methods on GPUs.
class GpuMembers : public MemberSuite {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
};

}  // namespace psflip::equality
