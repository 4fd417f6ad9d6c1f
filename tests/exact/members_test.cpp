#include <algorithm>
#include <cmath>
#include <optional>

#include "members.hpp"
#include "simulation.hpp"
#include "tempering.hpp"
#include "tests/exact/references/first_sweep.hpp"
#include "tests/exact/references/square4.hpp"

// Every member of the family at one temperature against exact results that hold for any traits.
namespace psflip::exact {
namespace {

bool may_share(const Preset& preset) { return preset.has_random_bonds() && !preset.has_field(); }

std::vector<Member> square_members(Method method) {
  return members_if([=](const Member& member) { return member.method == method && member.preset.dimension == 2; });
}

class FirstHalfSweep : public testing::TestWithParam<Member> {};

TEST_P(FirstHalfSweep, has_the_energies_of_the_closed_form) {
  const Preset& preset = GetParam().preset;
  const int D = preset.dimension;
  for (const Random random : {Random::independent, Random::shared}) {
    if (random == Random::shared && !may_share(preset)) continue;
    for (const double beta : {0.2, 0.5}) {
      System system = member_system(preset, 8, beta, 8192, 1);
      system.random = random;
      const auto engine = engine_for(system);
      engine->advance(1);
      const Observation seen = engine->observe();
      Blocks rows;
      for (std::size_t i = 0; i < system.samples; ++i)
        rows.push_back({double(seen[Integer::bond_sum][i]), field_sum_of(system, seen, i)});
      rows = merged(rows, 32);
      const UpdatedSite exact = updated_site(D, 0.5, system.J, system.h, beta);
      const double N = double(system.sites());
      EXPECT_LT(std::abs(pull(mean_of(rows, 0), D * N * exact.satisfaction)), sigma_bound) << "B, beta = " << beta;
      if (preset.has_field()) {
        EXPECT_LT(std::abs(pull(mean_of(rows, 1), N / 2 * exact.alignment)), sigma_bound) << "F, beta = " << beta;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Exact, FirstHalfSweep, testing::ValuesIn(members_if([](const Member& member) {
                           return member.method == Method::relaxation;
                         })),
                         name_of_parameter);

/// Averages over some times of a run on 4 x 4 sites: measured ones minus exact ones, a row for each sample.
class SquareRuns {
 public:
  SquareRuns(const System& system, const std::vector<std::uint64_t>& half_sweeps)
      : system_(system), times_(half_sweeps), engine_(engine_for(system)) {}

  Blocks differences() {
    Blocks rows = measured();
    const std::vector<Disorder> disorder = disorder_of(system_, *engine_);
    std::vector<double> exact;
    for (std::size_t sample = 0; sample < rows.size(); ++sample) {
      if (sample == 0 || system_.preset().has_disorder()) exact = exact_means(disorder[sample]);
      for (std::size_t column = 0; column < exact.size(); ++column) rows[sample][column] -= exact[column];
    }
    return rows;
  }

 private:
  Blocks measured() {
    const auto replicas = static_cast<std::size_t>(system_.replicas);
    const double weight = 1 / double(times_.size() * replicas);
    Blocks rows(system_.samples, std::vector<double>(5, 0.0));
    for (const std::uint64_t time : times_) {
      engine_->advance(time - engine_->rounds());
      const Observation seen = engine_->observe();
      for (std::size_t i = 0; i < seen[Integer::bond_sum].size(); ++i) {
        const double B = double(seen[Integer::bond_sum][i]), M = double(seen[Integer::magnetization][i]);
        const double values[] = {B, B * B, field_sum_of(system_, seen, i), std::abs(M), M * M};
        for (std::size_t column = 0; column < 5; ++column) rows[i / replicas][column] += weight * values[column];
      }
    }
    return rows;
  }

  std::vector<double> exact_means(const Disorder& disorder) const {
    Square4 chain(disorder, system_.J, system_.h, system_.betas[0]);
    chain.set_start(system_.start);
    std::vector<double> sums(5, 0.0);
    std::uint64_t done = 0;
    for (const std::uint64_t time : times_) {
      while (done < time) chain.half_sweep(done++);
      const StateMeans means = chain.means();
      const double values[] = {means.B, means.B_2, means.F, means.abs_M, means.M_2};
      for (std::size_t column = 0; column < 5; ++column) sums[column] += values[column] / double(times_.size());
    }
    return sums;
  }

  System system_;
  std::vector<std::uint64_t> times_;
  std::unique_ptr<Engine> engine_;
};

/// Columns B, B^2, F, abs(M), M^2: measured means minus exact ones of independent samples.
void expect_no_difference(const Blocks& rows, const Preset& preset, const std::string& where) {
  const char* const names[] = {"B", "B^2", "F", "abs(M)", "M^2"};
  for (std::size_t column = 0; column < 5; ++column) {
    if (column == 2 && !preset.has_field()) continue;
    EXPECT_LT(std::abs(pull(mean_of(rows, column), 0)), sigma_bound) << names[column] << ", " << where;
  }
}

class SquareLattice : public testing::TestWithParam<Member> {
 protected:
  System system(Start start) const {
    const Preset& preset = GetParam().preset;
    System system =
        preset.has_disorder() ? member_system(preset, 4, 0.45, 64, 8) : member_system(preset, 4, 0.45, 32768, 1);
    system.start = start;
    return system;
  }
  static void expect_exact(const System& system, const std::vector<std::uint64_t>& half_sweeps) {
    const Blocks rows = SquareRuns(system, half_sweeps).differences();
    expect_no_difference(rows, system.preset(), std::to_string(half_sweeps.front()) + " half sweeps and more");
  }
};

class Relaxation : public SquareLattice {};
class Equilibrium : public SquareLattice {};

TEST_P(Relaxation, of_four_by_four_sites_is_the_evolution_of_all_states) {
  for (const std::uint64_t half_sweeps : {1, 2, 3, 8}) expect_exact(system(Start::random), {half_sweeps});
}

TEST_P(Equilibrium, of_four_by_four_sites_has_the_averages_of_all_states) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t time = 12; time <= 60; time += 4) times.push_back(time);
  System one = system(Start::ordered);
  expect_exact(one, times);
  if (!one.preset().has_random_bonds()) return;
  one.p = 0.1;
  expect_exact(one, times);
}

INSTANTIATE_TEST_SUITE_P(Exact, Relaxation, testing::ValuesIn(square_members(Method::relaxation)), name_of_parameter);
INSTANTIATE_TEST_SUITE_P(Exact, Equilibrium, testing::ValuesIn(square_members(Method::equilibrium)), name_of_parameter);

/// Exchange Monte Carlo from an ordered start, from where the states whose local fields all vanish are not reached.
class Tempering : public testing::TestWithParam<Member> {
 protected:
  System system(int replicas) const {
    const std::uint64_t samples = GetParam().preset.has_disorder() ? 64 : 4096;
    System system = member_system(GetParam().preset, 4, 1, samples, replicas);
    system.betas = {0.5, 0.42, 0.34, 0.25};
    system.start = Start::ordered;
    system.round = {2, 1};
    return system;
  }
  /// Calls f(slot, sample, exact) for all; a reference serves all samples of a model without disorder.
  template <class F>
  static void for_each_exact(const System& system, const TemperingMeans& means, F f) {
    for (std::size_t slot = 0; slot < system.slots(); ++slot) {
      std::optional<Square4> states;
      for (std::size_t sample = 0; sample < system.samples; ++sample) {
        if (!states || system.preset().has_disorder()) {
          states.emplace(means.disorder[sample], system.J, system.h, system.betas[slot]);
          states->set_boltzmann();
        }
        f(slot, sample, *states);
      }
    }
  }
};

TEST_P(Tempering, of_four_by_four_sites_has_the_averages_of_all_states_in_every_slot) {
  for (const double p : {0.5, 0.1}) {
    System one = system(2);
    if (p != 0.5 && !one.preset().has_random_bonds()) continue;
    one.p = p;
    const TemperingMeans means = tempering_means(one, 40, 400);
    EXPECT_GT(*std::min_element(means.rates.begin(), means.rates.end()), 0.2);
    std::vector<Blocks> rows(one.slots());
    for_each_exact(one, means, [&](std::size_t slot, std::size_t sample, const Square4& states) {
      const std::vector<double>& row = means.slots[slot].rows[sample];
      const StateMeans exact = states.means();
      rows[slot].push_back({row[sum_B] - exact.B, row[sum_B2] - exact.B_2, row[sum_F] - exact.F,
                            row[sum_abs_M] - exact.abs_M, row[sum_M2] - exact.M_2});
    });
    for (std::size_t slot = 0; slot < one.slots(); ++slot)
      expect_no_difference(rows[slot], one.preset(), "slot " + std::to_string(slot));
  }
}

constexpr std::size_t first_share = 7;  ///< column of the least value of Q
constexpr double rare_share = 0.003;    ///< values of Q that occur less often have no normal distribution of means

TEST_P(Tempering, of_four_by_four_sites_has_the_overlaps_of_all_pairs_of_states) {
  System one = system(4);
  if (!one.preset().has_random_bonds() || one.preset().has_random_field()) return;
  one.link_overlap_slots = {0, 1, 2, 3};
  const TemperingMeans means = tempering_means(one, 40, 400);
  std::vector<Blocks> rows(one.slots());
  std::vector<std::vector<double>> shares(one.slots(),
                                          std::vector<double>(one.sites() + 1, 0.0));  // of the values of Q
  for_each_exact(one, means, [&](std::size_t slot, std::size_t sample, const Square4& states) {
    const PairMeans exact = states.pair_means();
    const double* pair = &means.slots[slot].rows[sample][pair_column(sum_Q)];
    std::vector<double> row = {pair[sum_Q2] - exact.Q_2,      pair[sum_abs_Q] - exact.abs_Q,
                               pair[sum_Q4] - exact.Q_4,      pair[sum_link] - exact.Q_l,
                               pair[sum_B_Q2] - exact.B_Q_2,  pair[sum_B_Q4] - exact.B_Q_4,
                               pair[sum_B_link] - exact.B_Q_l};
    for (std::size_t i = 0; i < exact.Q_shares.size(); ++i) {
      shares[slot][i] += exact.Q_shares[i] / double(one.samples);
      row.push_back(means.overlaps[slot][sample][i] - exact.Q_shares[i]);
    }
    for (std::size_t i = 0; i < exact.Q_shares.size(); ++i)
      row.push_back(means.links[slot][sample][i] - exact.Q_l_of_Q[i]);
    rows[slot].push_back(row);
  });
  for (std::size_t slot = 0; slot < one.slots(); ++slot)
    for (std::size_t column = 0; column < rows[slot][0].size(); ++column) {
      if (column >= first_share && shares[slot][(column - first_share) % (one.sites() + 1)] < rare_share) continue;
      EXPECT_LT(std::abs(pull(mean_of(rows[slot], column), 0)), sigma_bound)
          << "column " << column << ", slot " << slot;
    }
}

INSTANTIATE_TEST_SUITE_P(Exact, Tempering, testing::ValuesIn(square_members(Method::tempering)), name_of_parameter);

}  // namespace
}  // namespace psflip::exact
