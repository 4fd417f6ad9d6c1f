#pragma once
#include "engine/io/error.hpp"
#include "member_suite.hpp"
#include "on_gpu.hpp"

namespace psflip::equality {

/// Presets and methods on GPUs. A pair that the engine refuses is skipped with the reason that the engine gives.
class GpuMembers : public MemberSuite {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
    try {
      cuda::make_engine(systems_of(GetParam())[0].system);
    } catch (const UserError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// The sums of exchange Monte Carlo on a GPU are those of two replicas, other numbers of replicas are left out.
  template <class BackendsOf>
  void compare_on_gpus(Compare compare, BackendsOf backends_of) const {
    const bool tempers = GetParam().method == Method::tempering;
    compare_all(compare, [&](const System& s) { return tempers && s.replicas != 2 ? Backends() : backends_of(s); });
  }
};

}  // namespace psflip::equality
