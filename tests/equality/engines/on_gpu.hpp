#pragma once
#include <gtest/gtest.h>

#include "bodies.hpp"
#include "engine/cuda/cuda.hpp"
#include "systems.hpp"

namespace psflip::equality {

/// A test with a parameter that needs a GPU.
template <class Parameter>
class OnGpu : public testing::TestWithParam<Parameter> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
};

class SystemOnGpu : public OnGpu<NamedSystem> {
 protected:
  const System& system() const { return GetParam().system; }
};

inline Backend gpu_backend() { return {"one GPU", cuda::make_engine}; }

inline std::string name_of_system(const testing::TestParamInfo<NamedSystem>& info) { return info.param.name; }

}  // namespace psflip::equality
