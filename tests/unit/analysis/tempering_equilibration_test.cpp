#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"

namespace psflip::analysis {
namespace {

using test::scattered;
using test::SetValues;
using test::TemperingFile;

std::optional<bool> even_verdict(const Ensemble& ensemble) {
  const auto verdict = tempering_verdict(ensemble);
  return verdict ? std::optional(verdict->even) : std::nullopt;
}

/// Part of the variance of m that the mean of a bin of n autocorrelation times keeps, if m relaxes like exp(-t / tau).
double kept(double n) { return 2 / n * (1 - (1 - std::exp(-n)) / n); }

/// Two independent sets whose means over a bin of so many measurements scatter by `part(measurements)` of the variance.
TemperingFile scattered_by_length(const std::function<double(double)>& part) {
  TemperingFile job;
  job.averages = [=, model = job.model, counts = job.measurements](double T, std::size_t bin, std::int64_t sample,
                                                                   int set) {
    SetValues values = model.averages(T, sample);
    const double variance = values[7] - values[5] * values[5];
    const bool up = set == 0 ? sample % 4 < 2 : sample % 2 == 0;  // all four combinations
    values[5] += (up ? 1 : -1) * std::sqrt(part(static_cast<double>(counts[bin])) * variance);
    return values;
  };
  return job;
}

Verdict verdict_on(const TemperingFile& job) { return tempering_verdict(reduce(job.make(), {})[1]).value(); }

TEST(TemperingEquilibration, VerdictOnEvenMomentsNeedsSixMeasuredAutocorrelationTimesOfMAndThatOnFirstPowersTen) {
  const auto after = [](double times) {  // the last bin, of 80 measurements, lasts so many autocorrelation times
    return verdict_on(scattered_by_length([=](double measurements) { return kept(times * measurements / 80); }));
  };
  EXPECT_FALSE(after(4).even || after(4).first_powers);
  EXPECT_TRUE(after(7).even);
  EXPECT_FALSE(after(7).first_powers);
  EXPECT_TRUE(after(12).even && after(12).first_powers);
}

TEST(TemperingEquilibration, VerdictRefusesSetsThatAreStuckOrAge) {
  const auto always = [](double part) { return verdict_on(scattered_by_length([=](double) { return part; })); };
  EXPECT_FALSE(always(1).even || always(1).first_powers);
  EXPECT_FALSE(always(0.25).even || always(0.25).first_powers)
      << "tau grows with the run: eight times the measured one";
  EXPECT_FALSE(always(0.15).even || always(0.15).first_powers);
  EXPECT_TRUE(always(0.05).even && always(0.05).first_powers) << "so little does no harm";
}

TEST(TemperingEquilibration, VerdictNeedsTenAutocorrelationTimesOfTheSquareOfM) {
  const auto verdict = [](double part) { return verdict_on(scattered(part, 7, 8)); };
  EXPECT_TRUE(verdict(0.1).even && verdict(0.1).first_powers);
  EXPECT_FALSE(verdict(0.5).even || verdict(0.5).first_powers);
}

TEST(TemperingEquilibration, VerdictNeedsThreeLastBinsThatAgree) {
  const auto verdict = [](std::size_t hot_bins) {
    TemperingFile job;
    job.averages = [=, model = job.model](double T, std::size_t bin, std::int64_t sample, int) {
      return model.averages(bin < hot_bins ? 1.2 * T : T, sample);
    };
    return even_verdict(reduce(job.make(), {})[0]);
  };
  EXPECT_EQ(verdict(0), true);
  EXPECT_EQ(verdict(2), true) << "bins before the last three do not count";
  EXPECT_EQ(verdict(3), false);
  EXPECT_EQ(verdict(4), false);
}

/// The product of the sets is smaller by `part` in all bins but the last, as while magnetization states still relax.
TemperingFile with_late_sectors(double part) {
  TemperingFile job;
  job.averages = [=, model = job.model](double T, std::size_t bin, std::int64_t sample, int) {
    SetValues values = model.averages(T, sample);
    if (bin < 4) values[5] *= std::sqrt(1 - part);
    return values;
  };
  return job;
}

TEST(TemperingEquilibration, VerdictIsStricterOnWhatDependsOnTheWeightsOfTheSectors) {
  const auto verdict = [](double part) {
    return tempering_verdict(reduce(with_late_sectors(part).make(), {})[0]).value();
  };
  EXPECT_TRUE(verdict(0.01).even && verdict(0.01).first_powers) << "a bias far below the error is none";
  EXPECT_TRUE(verdict(0.06).even) << "U4 and xi depend on the magnetization states weakly";
  EXPECT_FALSE(verdict(0.06).first_powers);
  EXPECT_FALSE(verdict(0.5).even) << "configurations that are trapped say nothing about even moments either";
  const Ensemble slot = reduce(with_late_sectors(0.06).make(), {})[0];
  for (const Row& row : table(slot))
    EXPECT_EQ(row.equilibrated, !observable_of(slot, row.observable).odd_powers_of_m) << row.observable;
}

/// Exact averages with noise of the size that 2 tau_int / n = 0.01 leaves in the last bin, shorter bins having more.
TemperingFile noisy(std::uint64_t seed, double hotter) {
  TemperingFile job;
  job.temperatures = {0.9, 1.0};
  job.model.L = 2;
  job.model.h = 0.3;
  job.samples = 128;
  auto random = std::make_shared<std::mt19937_64>(seed);
  job.averages = [=, model = job.model, counts = job.measurements](double T, std::size_t bin, std::int64_t sample,
                                                                   int) {
    std::normal_distribution<double> normal(0, 0.1 * std::sqrt(80.0 / static_cast<double>(counts[bin])));
    SetValues values = model.averages(bin < 4 ? hotter * T : T, sample);
    values[5] += normal(*random) * std::sqrt(values[7] - values[5] * values[5]);
    const double even = normal(*random);
    for (const std::size_t i : {0u, 7u}) values[i] *= 1 + 0.5 * even;
    values[8] *= 1 + even;
    // what 8 spins and 24 bonds can give
    const double N = 8;
    values[0] = std::clamp(values[0], -3 * N, 3 * N);
    values[5] = std::clamp(values[5], -N, N);
    values[7] = std::clamp(values[7], 0.0, N * N);
    values[8] = std::clamp(values[8], 0.0, std::pow(N, 4));
    return values;
  };
  return job;
}

TEST(TemperingEquilibration, VerdictAcceptsEquilibriumAtTheStatedRateAndSeesADriftOfTheSizeOfTheError) {
  int equilibrium = 0, drift = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    equilibrium += even_verdict(reduce(noisy(seed, 1).make(), {})[0]).value();
    drift += even_verdict(reduce(noisy(seed, 1.1).make(), {})[0]).value();
  }
  EXPECT_GE(equilibrium, 98);
  EXPECT_LE(drift, 2);
}

TEST(TemperingEquilibration, VerdictIsOpenWithFewBinsOrSamplesOrAnOrderedStart) {
  TemperingFile job;
  job.measurements = {10, 10};
  EXPECT_EQ(even_verdict(reduce(job.make(), {})[0]), std::nullopt);
  job.measurements = {10, 10, 20};
  EXPECT_EQ(even_verdict(reduce(job.make(), {})[0]), true);
  auto file = job.make();
  file.attributes["start"] = std::string("ordered");
  EXPECT_EQ(even_verdict(reduce(file, {})[0]), std::nullopt) << "both sets start in one magnetization state";
  job.samples = 15;
  EXPECT_EQ(even_verdict(reduce(job.make(), {})[0]), std::nullopt);
}

}  // namespace
}  // namespace psflip::analysis
