#include <algorithm>

#include "expect_pass.hpp"
#include "suite.hpp"
#include "tests/exact/references/cube4.hpp"
#include "tests/exact/references/cube4_pairs.hpp"
#include "tests/exact/references/random_field_cube4.hpp"
#include "tests/exact/simulation.hpp"

// The suites of the presets in three dimensions on 4 x 4 x 4 sites of one sample, by transfer matrix and enumeration.
namespace psflip::exact {
namespace {

constexpr std::uint64_t sample_id = 5;

/// Of sample 5 with the seed of member_system(), p = 1/2 or h = 1 where there is disorder, h = 0 where there is none:
/// e and C by Cube4 and RandomFieldCube4, the rest by cube4_pairs().
struct CubicReference {
  std::string_view preset;
  double beta, energy, specific_heat, m_2, q_2, q_l;
};

const CubicReference references[] = {
    {"ising3d", 0.25, -1.883344076387, 1.200374254057, 0.575021670, 0.333964034, 0.394109415},
    {"ising3d", 0.2, -0.932610939347, 0.528384854184, 0.189414345, 0.048683290, 0.096640360},
    {"ising3d", 0.15, -0.525522205002, 0.116077688366, 0.065315469, 0.020019730, 0.030685957},
    {"ea3d", 0.4, -1.162400310249, 0.375360043576, 0.016132684, 0.053257788, 0.162854192},
    {"ea3d", 0.3, -0.899198109454, 0.257445681591, 0.015561812, 0.030340546, 0.092690311},
    {"ea3d", 0.2, -0.602645058090, 0.120841810468, 0.015529196, 0.020421293, 0.040637250},
    {"rfim3d", 0.25, -1.775660891519, 1.131676510278, 0.471425866, 0.229228366, 0.301931622},
    {"rfim3d", 0.2, -1.014898191631, 0.410298624527, 0.154791503, 0.039141428, 0.081580048},
    {"rfim3d", 0.15, -0.651343575881, 0.123161829146, 0.060947320, 0.020054536, 0.029677638},
};

std::vector<double> betas_of(const Preset& preset) {
  std::vector<double> betas;
  for (const CubicReference& reference : references)
    if (reference.preset == preset.name) betas.push_back(reference.beta);
  return betas;
}

const CubicReference& reference_of(const Preset& preset, double beta) {
  return *std::find_if(std::begin(references), std::end(references), [&](const CubicReference& reference) {
    return reference.preset == preset.name && std::abs(reference.beta - beta) < 1e-9;
  });
}

double field_of(const Preset& preset) { return preset.has_random_field() ? 1 : 0; }

PointMeans exact_means(const System& system, std::size_t times) {
  const double N = double(system.sites());
  PointMeans points;
  for (const double beta : system.betas) {
    const CubicReference& r = reference_of(system.preset(), beta);
    const double E = N * r.energy;
    const Means means = {E, E * E + N * r.specific_heat / (beta * beta), N * N * r.m_2, N * N * r.q_2, 3 * N * r.q_l};
    points.resize(points.size() + times, std::vector<Means>(system.samples, means));
  }
  return points;
}

/// In a random field the sign of m relaxes in some 100 sweeps.
Effort effort_of(const Member& member) {
  const bool is_slow = member.preset.has_random_field();
  const std::vector<std::uint64_t> late = {64, 91, 128}, later = {256, 362, 512};  // sweeps
  if (member.method == Method::relaxation)
    return {is_slow ? std::size_t{40} : 100, sample_id, 512, 2, is_slow ? later : late};
  return {100, sample_id, 32, 2, {}, is_slow ? 1000u : 100u, 40};
}

/// Exchanges need two temperatures.
std::size_t least_temperatures(const Member& member) { return member.method == Method::tempering ? 2 : 1; }

class CubicSuite : public testing::TestWithParam<Member> {
 protected:
  std::vector<double> betas() const { return betas_of(GetParam().preset); }

  Judgement judgement(const MakeEngine& make, const std::vector<double>& betas) const {
    const Member& member = GetParam();
    const Effort effort = effort_of(member);
    const std::size_t times = std::max<std::size_t>(1, effort.times.size());
    const Suite suite(member, 4, betas, {{0.5, field_of(member.preset)}},
                      [=](const System& system, const std::vector<Disorder>&) { return exact_means(system, times); });
    return suite.run(with_one_disorder(make), effort);
  }
};

TEST_P(CubicSuite, of_four_cubed_sites_is_exact) { expect_pass(judgement(right_engines(), betas())); }

/// At the lowest temperature, and the next one if replicas are exchanged: others would only take time.
/// In a random field that of dE = 6 J: of moves with dE = 2 J more than half are accepted, and 2^-8 more of them change
/// the energy by three of its errors here.
TEST_P(CubicSuite, notices_an_acceptance_threshold_that_is_off_by_two_to_the_minus_eight) {
  const double above = GetParam().preset.has_random_field() ? 2 : 0;
  std::vector<double> few = betas();
  few.resize(least_temperatures(GetParam()));
  EXPECT_FALSE(judgement(engines_with_changed_threshold(0x1p-8, above), few).passes());
}

bool has_references(const Member& member) { return betas_of(member.preset).size() >= least_temperatures(member); }

INSTANTIATE_TEST_SUITE_P(Exact, CubicSuite, testing::ValuesIn(members_if(has_references)), name_of_parameter);

class CubicReferences : public testing::TestWithParam<Preset> {};

/// Energy and specific heat at all temperatures, the rest at the first.
TEST_P(CubicReferences, are_those_of_the_transfer_matrix_and_of_the_enumeration) {
  const Preset& preset = GetParam();
  System system = member_system(preset, 4, 1, 1, 1);
  system.first_sample = sample_id;
  const Disorder disorder = disorder_of(system, *right_engines()(system))[0];
  const double h = field_of(preset), N = 64;
  const std::vector<double> betas = betas_of(preset);
  const auto expect_thermal = [&](const auto& cube) {
    for (const double beta : betas) {
      EXPECT_NEAR(reference_of(preset, beta).energy, cube.at(beta).energy, 1e-9);
      EXPECT_NEAR(reference_of(preset, beta).specific_heat, cube.at(beta).specific_heat, 1e-9);
    }
  };
  if (preset.has_random_field())
    expect_thermal(RandomFieldCube4(disorder.couplings, disorder.fields));
  else
    expect_thermal(Cube4(disorder.couplings));
  const CubicReference& reference = reference_of(preset, betas[0]);
  const PairSums sums = cube4_pairs(disorder, 1, h, reference.beta);
  EXPECT_NEAR(reference.energy, sums.E / N, 1e-6);
  EXPECT_NEAR(reference.m_2, sums.M_2 / (N * N), 1e-6);
  EXPECT_NEAR(reference.q_2, sums.Q_2 / (N * N), 1e-6);
  EXPECT_NEAR(reference.q_l, sums.Q_l / (3 * N), 1e-6);
}

std::vector<Preset> presets_with_reference() {
  std::vector<Preset> all;
  for (const Preset& preset : presets)
    if (!betas_of(preset).empty()) all.push_back(preset);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Exact, CubicReferences, testing::ValuesIn(presets_with_reference()),
                         [](const auto& preset) { return std::string(preset.param.name); });

}  // namespace
}  // namespace psflip::exact
