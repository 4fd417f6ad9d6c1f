#include "expect_pass.hpp"
#include "suite.hpp"
#include "tests/exact/references/square4.hpp"

// The suites of all presets in two dimensions on 4 x 4 sites, by enumeration of all states.
namespace psflip::exact {
namespace {

Means means_of(const System& system, const Square4& states) {
  const StateMeans one = states.means();
  const PairMeans two = states.overlap_means();
  const double J = system.J, h = system.h;
  return {-J * one.B - h * one.F, J * J * one.B_2 + 2 * J * h * one.BF + h * h * one.F_2, one.M_2, two.Q_2, two.Q_l};
}

const std::vector<std::uint64_t> relaxation_times = {1, 3, 8};  // sweeps

/// The evolution of all states from the start.
std::vector<Means> relaxed(const System& system, const Disorder& disorder) {
  Square4 states(disorder, system.J, system.h, system.betas[0]);
  states.set_start(system.start);
  std::vector<Means> all;
  std::uint64_t half_sweep = 0;
  for (const std::uint64_t sweeps : relaxation_times) {
    while (half_sweep < 2 * sweeps) states.half_sweep(half_sweep++);
    all.push_back(means_of(system, states));
  }
  return all;
}

std::vector<Means> equilibrated(const System& system, const Disorder& disorder) {
  std::vector<Means> all;
  for (const double beta : system.betas) {
    Square4 states(disorder, system.J, system.h, beta);
    states.set_boltzmann();
    all.push_back(means_of(system, states));
  }
  return all;
}

/// A reference serves all samples of a model without disorder.
ExactMeans exact_means(Method method) {
  return [method](const System& system, const std::vector<Disorder>& disorder) {
    PointMeans points;
    std::vector<Means> of_sample;
    for (std::size_t sample = 0; sample < disorder.size(); ++sample) {
      if (sample == 0 || system.preset().has_disorder())
        of_sample =
            method == Method::relaxation ? relaxed(system, disorder[sample]) : equilibrated(system, disorder[sample]);
      points.resize(of_sample.size());
      for (std::size_t point = 0; point < of_sample.size(); ++point) points[point].push_back(of_sample[point]);
    }
    return points;
  };
}

std::vector<Parameters> parameters_of(const Preset& preset) {
  if (preset.has_random_bonds()) return {{0.1, 0}, {0.5, 0}};
  if (preset.has_random_field()) return {{0.5, 0.5}, {0.5, 1}, {0.5, 3}};
  return {{0.5, 0}, {0.5, 0.3}};
}

Effort effort_of(const Member& member) {
  const bool has_disorder = member.preset.has_disorder();
  const int replicas = has_disorder ? 4 : 2;
  if (member.method == Method::relaxation)
    return {has_disorder ? std::size_t{800} : 100, 0, has_disorder ? 32u : 512u, replicas, relaxation_times};
  return {member.method == Method::tempering ? std::size_t{150} : 100, 0, 32, replicas, {}, 100, 40};
}

class SquareSuite : public testing::TestWithParam<Member> {
 protected:
  Judgement judgement(const MakeEngine& make) const {
    const Member& member = GetParam();
    const Suite suite(member, 4, {0.4, 0.3, 0.2}, parameters_of(member.preset), exact_means(member.method));
    const Judgement found = suite.run(make, effort_of(member));
    report(found);
    return found;
  }
  static void report(const Judgement& j) {
    RecordProperty("pulls", static_cast<int>(j.pulls));
    RecordProperty("worst", j.worst + ", p = " + std::to_string(j.smallest_p));
    RecordProperty("chi_squared_p", std::to_string(j.chi_squared_p));
  }
};

TEST_P(SquareSuite, of_four_by_four_sites_is_exact) { expect_pass(judgement(right_engines())); }

TEST_P(SquareSuite, notices_an_acceptance_threshold_that_is_off_by_two_to_the_minus_eight) {
  EXPECT_FALSE(judgement(engines_with_changed_threshold(0x1p-8)).passes());
}

INSTANTIATE_TEST_SUITE_P(Exact, SquareSuite, testing::ValuesIn(members_if([](const Member& member) {
                           return member.preset.dimension == 2 && !member.preset.name.empty();
                         })),
                         name_of_parameter);

}  // namespace
}  // namespace psflip::exact
