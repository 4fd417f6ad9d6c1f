#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "oracle.hpp"

// Every member of the family against its Hamiltonian.
namespace psflip::oracle {
namespace {

class Member : public testing::TestWithParam<Preset> {
 protected:
  System system() const {
    System s;
    s.model = GetParam().model;
    s.L = 4;
    s.betas = {0.3};
    s.samples = 40;
    s.replicas = 2;
    s.seed = 5;
    s.couplings = GetParam().has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
    if (GetParam().has_field()) s.h = 0.7;
    if (GetParam().has_field()) s.also.add(Integer::field_sum);
    s.round.half_sweeps = 1;
    return s;
  }
  /// E = -J B - h F of every copy.
  static std::vector<double> energies(const Engine& engine, const System& s) {
    const Observation seen = engine.observe();
    std::vector<double> all;
    for (std::size_t i = 0; i < seen[Integer::bond_sum].size(); ++i) {
      all.push_back(-s.J * double(seen[Integer::bond_sum][i]));
      if (s.preset().has_field()) all.back() -= s.h * double(seen[Integer::field_sum][i]);
    }
    return all;
  }
  static double energy(const Engine& engine, const System& s) {
    const std::vector<double> all = energies(engine, s);
    return std::accumulate(all.begin(), all.end(), 0.0);
  }
};

TEST_P(Member, without_temperature_no_step_costs_energy_and_the_first_gains_some) {
  System s = system();
  s.betas = {1e6};
  Oracle oracle(s);
  double last = energy(oracle, s);
  const double first = last;
  for (int half_sweep = 0; half_sweep < 12; ++half_sweep) {
    oracle.advance(1);
    EXPECT_LE(energy(oracle, s), last + 1e-9) << half_sweep;
    last = energy(oracle, s);
  }
  EXPECT_LT(last, first - 0.5 * double(s.samples * s.sites()));
}

TEST_P(Member, has_the_disorder_of_its_traits) {
  const System s = system();
  const Oracle oracle(s);
  const auto couplings = oracle.couplings(), fields = oracle.fields();
  const std::size_t sites = s.samples * s.sites();
  EXPECT_EQ(couplings.size(), GetParam().has_random_bonds() ? sites * static_cast<std::size_t>(s.dimension()) : 0);
  EXPECT_EQ(fields.size(), GetParam().has_random_field() ? sites : 0);
  for (const auto& signs : {couplings, fields}) {
    if (signs.empty()) continue;
    double sum = 0;
    for (const std::int8_t sign : signs) sum += sign;
    EXPECT_LT(std::abs(sum), 4 * std::sqrt(double(signs.size())));
  }
}

/// Between slots so far apart the lower of two energies always gets the lower temperature.
TEST_P(Member, exchanges_bring_the_lower_energy_to_the_colder_slot) {
  System s = system(), one = s;
  s.betas = {50, 1e-9};
  s.round.half_sweeps = 2;
  Oracle tempered(s), hot(one);
  for (int round = 1; round <= 5; round += 2) {  // slots 0 and 1 are exchanged in rounds 0, 2, 4
    tempered.advance(round == 1 ? 1 : 2);
    hot.restore_spins(0, tempered.packed_spins(1));
    const std::vector<double> at_cold = energies(tempered, s), at_hot = energies(hot, s);
    for (std::size_t i = 0; i < at_cold.size(); ++i) EXPECT_LE(at_cold[i], at_hot[i] + 1e-9) << i << ", " << round;
  }
}

std::string name_of_member(const testing::TestParamInfo<Preset>& info) {
  return std::to_string(info.param.dimension) + "d_" + std::string(name_of(info.param.couplings)) + "_" +
         std::string(name_of(info.param.field));
}

class InUniformField : public Member {};
TEST_P(InUniformField, spins_magnetize_along_it) {
  System s = system();
  s.J = 0;
  s.h = 2;
  Oracle oracle(s);
  oracle.advance(40);
  const Observation seen = oracle.observe();
  EXPECT_EQ(seen[Integer::field_sum], seen[Integer::magnetization]);
  double mean = 0;
  for (const std::int64_t M : seen[Integer::magnetization]) mean += double(M) / double(80 * s.sites());
  EXPECT_NEAR(mean, std::tanh(0.6), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Family, Member, testing::ValuesIn(unnamed_presets), name_of_member);

std::vector<Preset> members_in_uniform_field() {
  std::vector<Preset> members;
  for (const Preset& preset : unnamed_presets)
    if (preset.field == ModelField::uniform) members.push_back(preset);
  return members;
}

INSTANTIATE_TEST_SUITE_P(Family, InUniformField, testing::ValuesIn(members_in_uniform_field()), name_of_member);

}  // namespace
}  // namespace psflip::oracle
