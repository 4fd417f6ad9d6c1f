#pragma once
#include <gtest/gtest.h>

#include "engine/models/system.hpp"
#include "tests/equality/member_jobs.hpp"

/// The systems of member_job() for the oracle, and names of tests that are those of the jobs.
namespace psflip::equality {

/// Lattice, temperatures, replicas and rounds are those of the method.
inline System system_of_member_job(const Preset& preset) {
  System system;
  system.model = preset.model;
  system.first_sample = 29;
  system.samples = 70;
  system.seed = 5;
  system.h = preset.has_field() ? 0.7 : 0;
  system.couplings = preset.has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  system.random = preset.has_random_bonds() && !preset.has_field() ? Random::shared : Random::independent;
  return system;
}

template <Method method>
std::string name_with(const testing::TestParamInfo<Preset>& info) {
  return member_job(info.param, method).name;
}

}  // namespace psflip::equality
