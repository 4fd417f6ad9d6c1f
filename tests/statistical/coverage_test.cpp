#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <map>
#include <optional>

#include "analysis/critical/fixed_R_xi.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/simulation.hpp"

/// Whether the error bars are right: many small studies of disjoint samples through the real engine and the real
/// analysis; one reported error has to cover the truth in 68.27 % of them, 1.96 errors in 95 %, up to what chance
/// allows. The truth is the mean over all studies. Seeds are fixed, so a result is the same on every run and every
/// machine.
namespace psflip::analysis {
namespace {

using Key = std::pair<std::string, std::int64_t>;  ///< observable and time (0 in equilibrium)
using Estimates = std::map<Key, std::vector<statistics::Estimate>>;

io::LabelledFile simulate(const Job& job) {
  Simulation simulation(job, [](const System& system) { return cpu::make_engine(system, 1, 0); });
  simulation.run([] { return false; }, [] {});
  return simulation.measurement();
}

/// The estimates of `studies` jobs that take up the samples one after another.
Estimates repeat(Job job, int studies, std::optional<std::int64_t> block_samples = {}) {
  Estimates estimates;
  for (int study = 0; study < studies; ++study) {
    job.system.first_sample = static_cast<std::uint64_t>(study) * job.system.samples;
    for (const Row& row : table(reduce(simulate(job), block_samples)[0]))
      estimates[{row.observable, row.time.value_or(0)}].push_back(row.estimate);
  }
  return estimates;
}

double mean(const std::vector<statistics::Estimate>& estimates) {
  double sum = 0;
  for (const auto& estimate : estimates) sum += estimate.value;
  return sum / static_cast<double>(estimates.size());
}

/// Part of the studies whose interval of `widths` errors holds the truth.
int covered(const std::vector<statistics::Estimate>& estimates, double widths) {
  const double truth = mean(estimates);
  int count = 0;
  for (const auto& estimate : estimates) count += std::abs(estimate.value - truth) <= widths * estimate.error;
  return count;
}

/// Accepts the count if a right error bar reaches one as extreme in more than 1 of 10,000 cases on its side.
void expect_binomial(int count, std::size_t studies, double probability, const std::string& what) {
  const boost::math::binomial distribution(static_cast<double>(studies), probability);
  const double low = boost::math::quantile(distribution, 1e-4);
  const double high = boost::math::quantile(boost::math::complement(distribution, 1e-4));
  EXPECT_GE(count, low) << what << ": covered too rarely, of " << studies;
  EXPECT_LE(count, high) << what << ": covered too often, of " << studies;
}

void expect_coverage(const Estimates& all, const std::vector<Key>& keys) {
  for (const Key& key : keys) {
    const auto& estimates = all.at(key);
    const std::string what = key.first + " at t = " + std::to_string(key.second);
    expect_binomial(covered(estimates, 1), estimates.size(), 0.6827, what + ", one error");
    expect_binomial(covered(estimates, 1.96), estimates.size(), 0.95, what + ", 1.96 errors");
  }
}

Job spin_glass(Random random, std::uint64_t samples) {
  Job job;
  job.system.model = Model::ea3d;
  job.system.L = 4;
  job.system.replicas = 4;
  job.system.seed = 20;
  job.system.samples = samples;
  job.system.random = random;
  job.system.couplings = Couplings::bimodal;
  job.T = {1.1};
  job.beta = {1 / 1.1};
  job.sweeps = 50;
  return job;
}

std::vector<Key> relaxation_keys() {
  std::vector<Key> keys;
  for (const char* name : {"e", "m2", "q2", "chi_k", "xi", "U4", "U22"})
    for (const std::int64_t time : {1, 8, 50}) keys.emplace_back(name, time);
  return keys;
}

TEST(Coverage, OfErrorBarsIsRightWhenPacksShareRandomNumbers) {
  expect_coverage(repeat(spin_glass(Random::shared, 2048), 500), relaxation_keys());
}

TEST(Coverage, OfErrorBarsIsRightForIndependentRandomNumbers) {
  expect_coverage(repeat(spin_glass(Random::independent, 256), 500), relaxation_keys());
}

TEST(Coverage, OfErrorBarsIsRightForCoarserBlocks) {
  expect_coverage(repeat(spin_glass(Random::shared, 2048), 300, 64), relaxation_keys());
}

TEST(Coverage, OfReadingsAtFixedXiOverLIsRightThoughTimesOfARunAreCorrelated) {
  Job job = spin_glass(Random::shared, 2048);
  Estimates estimates;
  for (int study = 0; study < 400; ++study) {
    job.system.first_sample = static_cast<std::uint64_t>(study) * job.system.samples;
    const FixedRxiValues found = values_at_fixed_R_xi(reduce(simulate(job), {})[0], {0.35, 0.45});
    ASSERT_EQ(found.R_xi.size(), 2u);
    for (Eigen::Index c = 0; c < 2; ++c)
      for (Eigen::Index q = 0; q < 4; ++q)
        estimates[{fixed_R_xi_quantities()[static_cast<std::size_t>(q)], c}].push_back(
            {found.values(c, q), found.deviations.col(4 * c + q).norm()});
  }
  std::vector<Key> keys;
  for (const std::string& name : fixed_R_xi_quantities())
    for (const std::int64_t c : {0, 1}) keys.emplace_back(name, c);
  expect_coverage(estimates, keys);
}

TEST(Coverage, WouldBeWrongIfSamplesThatShareRandomNumbersWereBlocks) {
  Job job = spin_glass(Random::shared, 2048);
  Estimates estimates;
  for (int study = 0; study < 200; ++study) {
    job.system.first_sample = static_cast<std::uint64_t>(study) * job.system.samples;
    io::LabelledFile file = simulate(job);
    file.attributes["random"] = std::string("independent");
    for (const Row& row : table(reduce(file, {})[0]))
      estimates[{row.observable, row.time.value_or(0)}].push_back(row.estimate);
  }
  EXPECT_LT(covered(estimates.at({"e", 50}), 1), 200 * 0.6) << "energies of a pack are correlated";
}

TEST(Coverage, OfErrorBarsIsRightInEquilibrium) {
  Job job;
  job.method = Method::equilibrium;
  job.system.model = Model::ising2d;
  job.system.L = 8;
  job.system.replicas = 1;
  job.system.seed = 21;
  job.system.samples = 64;
  job.system.random = Random::independent;
  job.system.start = Start::ordered;
  job.T = {2.4};
  job.beta = {1 / 2.4};
  job.sweeps = 1600;
  job.measure_interval = 10;
  job.bins = 16;
  std::vector<Key> keys;
  for (const char* name : {"e", "C", "m_abs", "m2", "U4", "chi_k", "xi"}) keys.emplace_back(name, 0);
  expect_coverage(repeat(job, 400), keys);
}

TEST(Coverage, OfErrorBarsIsRightForARandomField) {
  Job job;
  job.method = Method::tempering;
  job.system.model = Model::rfim3d;
  job.system.L = 4;
  job.system.h = 1;
  job.system.seed = 22;
  job.system.samples = 64;
  job.system.replicas = 2;
  job.exchange_interval = 5;
  job.T = {3.9, 4.3, 4.8};
  for (const double T : job.T) job.beta.push_back(1 / T);
  job.sweeps = 320;
  job.bins = 4;
  std::vector<Key> keys;
  for (const char* name : {"e", "C", "m_abs", "m2", "U4", "chi_con", "chi_dis", "xi_over_L", "xi_dis_over_L", "q2",
                           "U4_slope", "xi_over_L_slope", "exchange_rate", "round_trip_time"})
    keys.emplace_back(name, 0);
  expect_coverage(repeat(job, 400), keys);
}

}  // namespace
}  // namespace psflip::analysis
