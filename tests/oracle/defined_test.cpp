#include "defined.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace psflip::oracle {
namespace {

System sound(Model model) {
  System system;
  system.model = model;
  system.L = 64;
  system.betas = {0.4};
  system.samples = 1;
  return system;
}

using Change = std::function<void(System&)>;

void expect_refused(const System& system, const std::vector<Change>& changes) {
  EXPECT_NO_THROW(defined(system));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    System changed = system;
    changes[i](changed);
    EXPECT_THROW(defined(changed), std::invalid_argument) << model_name(system.model) << ", change " << i;
  }
}

TEST(OracleDefined, is_no_system_without_its_model_or_lattice) {
  expect_refused(
      sound(Model::ising2d),
      {[](System& s) { s.L = 5; }, [](System& s) { s.L = 2; }, [](System& s) { s.h = -1; }, [](System& s) { s.J = 2; },
       [](System& s) { s.replicas = 9; }, [](System& s) { s.betas = {}; }, [](System& s) { s.betas = {-0.4}; },
       [](System& s) { s.couplings = Couplings::bimodal; }, [](System& s) { s.also.add(Integer::field_sum); }});
}

TEST(OracleDefined, are_packed_sites_of_square_lattices_of_pure_systems_alone) {
  System sites = sound(Model::ising2d);
  sites.packing = Packing::sites;
  expect_refused(sound(Model::ea3d), {[](System& s) { s.h = 1; }});
  expect_refused(sites, {[](System& s) { s.L = 32; }, [](System& s) { s.h = 1; }, [](System& s) { s.replicas = 2; },
                         [](System& s) {
                           s.betas = {0.4, 0.3};
                         },
                         [](System& s) { s.model = Model::ea3d; }});
}

TEST(OracleDefined, are_shared_numbers_of_samples_that_differ_in_their_bonds_alone) {
  System glass = sound(Model::ea3d);
  glass.couplings = Couplings::bimodal;
  glass.random = Random::shared;
  expect_refused(glass, {[](System& s) { s.couplings = Couplings::ferromagnet; }});
  expect_refused(sound(Model::rfim3d), {[](System& s) { s.random = Random::shared; }});
}

TEST(OracleDefined, are_exchanges_after_whole_sweeps_between_slots_that_get_hotter) {
  System tempered = sound(Model::rfim3d);
  tempered.betas = {0.3, 0.25};
  tempered.replicas = 2;
  tempered.round = {2, 1};
  expect_refused(tempered, {[](System& s) {
                              s.betas = {0.25, 0.3};
                            },
                            [](System& s) { s.round.half_sweeps = 3; }, [](System& s) { s.betas = {0.3}; },
                            [](System& s) { s.betas.resize(257, 0.1); }});
}

}  // namespace
}  // namespace psflip::oracle
