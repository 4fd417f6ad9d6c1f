#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::analysis {
namespace {

using test::average;
using test::CurieWeiss;
using test::exact_m2;
using test::exact_U4;
using test::scattered;
using test::SetValues;
using test::TemperingFile;

/// What the observables of the full data are, without bias correction.
std::map<std::string, double> plain(const Ensemble& ensemble) {
  const Observables all = observables(ensemble);
  const Eigen::VectorXd values = all.evaluate(equilibrium_blocks(ensemble).means());
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < all.names.size(); ++i) result[all.names[i]] = values[static_cast<Eigen::Index>(i)];
  return result;
}

double exact_xi_over_L(const CurieWeiss& model, double T) {
  const double m2 = exact_m2(model, T), L = static_cast<double>(model.L);
  return std::sqrt(model.sites() * m2 / (1 + m2) - 1) / (2 * L * std::sin(std::numbers::pi / L));
}

double exact_energy(const CurieWeiss& model, double T) {
  return average(model, T, [&](const SetValues& a) { return -(model.J * a[0] + model.h * a[1]) / model.sites(); });
}

TEST(Tempering, ObservablesOfASolvableModelHaveTheirKnownValues) {
  const TemperingFile job;
  const CurieWeiss& model = job.model;
  const std::vector<Ensemble> slots = reduce(job.make(), {});
  ASSERT_EQ(slots.size(), 4u);
  for (const Ensemble& slot : slots) {
    const double T = slot.temperature, N = model.sites();
    auto found = plain(slot);
    const double m2 = exact_m2(model, T);
    const double square_of_m = average(model, T, [&](const SetValues& a) { return a[5] * a[5] / (N * N); });
    EXPECT_NEAR(found["e"], exact_energy(model, T), 1e-12);
    // C is the derivative of the energy.
    const double step = 1e-4;
    EXPECT_NEAR(found["C"], (exact_energy(model, T + step) - exact_energy(model, T - step)) / (2 * step), 1e-6);
    EXPECT_NEAR(found["m_abs"], average(model, T, [&](const SetValues& a) { return a[6] / N; }), 1e-12);
    EXPECT_NEAR(found["m2"], m2, 1e-12);
    EXPECT_NEAR(found["U4"], exact_U4(model, T), 1e-12);
    EXPECT_NEAR(found["g"], (3 - exact_U4(model, T)) / 2, 1e-12);
    EXPECT_NEAR(found["chi_con"], N * (m2 - square_of_m), 1e-10);
    EXPECT_NEAR(found["chi_dis"], N * square_of_m, 1e-10);
    EXPECT_NEAR(found["xi_over_L"], exact_xi_over_L(model, T), 1e-12);
    EXPECT_NEAR(found["q"], square_of_m, 1e-12);
  }
}

TEST(Tempering, SlopesAreDerivativesInTemperature) {
  const TemperingFile job;
  const double step = 1e-4;
  for (const Ensemble& slot : reduce(job.make(), {})) {
    const double low = slot.temperature - step, high = slot.temperature + step;
    auto found = plain(slot);
    EXPECT_NEAR(found["U4_slope"], (exact_U4(job.model, high) - exact_U4(job.model, low)) / (2 * step), 1e-5);
    EXPECT_NEAR(found["xi_over_L_slope"],
                (exact_xi_over_L(job.model, high) - exact_xi_over_L(job.model, low)) / (2 * step), 1e-5);
  }
}

TEST(Tempering, CorrelationLengthsOfBothPartsFollowFromTheirSusceptibilities) {
  TemperingFile job;
  job.model.h = 0.3;
  job.averages = [&](double T, std::size_t, std::int64_t sample, int) {
    SetValues values = job.model.averages(T, sample);
    // chi_k = chi_con / 2 + chi_dis / 4 in every sample
    values[9] = 1024 * 3 * (0.5 * values[7] - 0.25 * values[5] * values[5]);
    return values;
  };
  auto file = job.make();
  for (io::Dataset& dataset : file.datasets)
    if (dataset.name == "magnetization_k_product")
      for (double& value : std::get<std::vector<double>>(dataset.values)) value *= 0.25 * job.model.sites();
  const double factor = 2 * 4 * std::sin(std::numbers::pi / 4);
  for (const Ensemble& slot : reduce(file, {})) {
    auto found = plain(slot);
    EXPECT_NEAR(found["xi_dis_over_L"], std::sqrt(4.0 - 1) / factor, 1e-9);
    EXPECT_NEAR(found["xi_con_over_L"], std::sqrt(2.0 - 1) / factor, 1e-9);
  }
}

TEST(Tempering, SamplesThatWereSimulatedLongerCountAsMuchAsTheOthers) {
  TemperingFile job;
  const std::vector<Ensemble> plain = reduce(job.make(), {});
  job.times_longer = 4;
  const std::vector<Ensemble> longer = reduce(job.make(), {});
  for (std::size_t slot = 0; slot < 4; ++slot)
    for (std::size_t q = 0; q < plain[slot].blocks.sums.size(); ++q) {
      const Eigen::MatrixXd &a = plain[slot].blocks.sums[q], &b = longer[slot].blocks.sums[q];
      for (Eigen::Index i = 0; i < a.size(); ++i)
        EXPECT_TRUE(std::isnan(a.data()[i]) ? std::isnan(b.data()[i])
                                            : std::abs(a.data()[i] - b.data()[i]) <= 1e-14 * std::abs(a.data()[i]))
            << plain[slot].blocks.names[q];
    }
}

TEST(Tempering, AutocorrelationTimesCountTheLengthOfTheBinOfEachSample) {
  TemperingFile job;
  job.averages = [&](double T, std::size_t, std::int64_t sample, int set) {
    SetValues values = job.model.averages(T, sample);
    values[5] += set;  // a gap of 1 in every sample
    return values;
  };
  const std::vector<Ensemble> plain = reduce(job.make(), {});
  job.times_longer = 4;
  const std::vector<Ensemble> longer = reduce(job.make(), {});
  for (std::size_t slot = 0; slot < 4; ++slot) {
    auto one = psflip::analysis::plain(plain[slot]), other = psflip::analysis::plain(longer[slot]);
    EXPECT_GT(one["tau_int_m"], 0);
    EXPECT_NEAR(other["tau_int_m"], 2.5 * one["tau_int_m"], 1e-9 * one["tau_int_m"]) << "half of them 4, half 1 times";
    EXPECT_NEAR(other["m2"], one["m2"], 1e-12);
  }
}

TEST(Tempering, ExchangesAndRoundTripsAreCountedInTheSlotsTheyBelongTo) {
  TemperingFile job;
  job.measurements[0] = 1;
  const std::vector<Ensemble> slots = reduce(job.make(), {});
  double extra = 0;
  for (std::int64_t sample = 0; sample < 64; ++sample) extra += static_cast<double>(sample % 3) / 64;
  for (std::size_t k = 0; k < 4; ++k) {
    int rates = 0, times = 0;
    for (const Row& row : table(slots[k])) {
      rates += row.observable == "exchange_rate";
      times += row.observable == "round_trip_time";
      if (row.observable == "exchange_rate") {
        EXPECT_NEAR(row.estimate.value, (20 + 10 * static_cast<double>(k) + extra) / 100, 1e-12);
      }
      // 1.5 trips of all four configurations in 80 rounds of 10 sweeps
      if (row.observable == "round_trip_time") {
        EXPECT_NEAR(row.estimate.value, 4 * 800 / 1.5, 5);
      }
    }
    EXPECT_EQ(rates, k < 3) << "the hottest slot has no hotter neighbour";
    EXPECT_EQ(times, k == 0) << "round trips end in the coldest slot";
  }
}

TEST(Tempering, TheFlowFractionComparesTheConfigurationsFromBothEndsOfTheGrid) {
  const std::vector<Ensemble> slots = reduce(TemperingFile{}.make(), {});
  const double known[] = {1, 10.0 / 16, 3.0 / 13, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(plain(slots[k]).at("flow_fraction"), known[k], 1e-12);
    int rows = 0;
    for (const Row& row : table(slots[k])) {
      if (row.observable != "flow_fraction") continue;
      ++rows;
      EXPECT_NEAR(row.estimate.value, known[k], 0.005) << "corrected for bias";
      if (k == 0 || k == 3)
        EXPECT_EQ(row.estimate.error, 0) << "the ends are known";
      else
        EXPECT_GT(row.estimate.error, 0.001);
    }
    EXPECT_EQ(rows, 1);
  }
}

/// The ratio r = a / b of means over samples of two kinds, 32 each, has the deviations (a_s - r b_s) / b of a sample.
TEST(Tempering, TheErrorOfTheFlowFractionIsThatOfARatioOfMeans) {
  const Ensemble slot = reduce(TemperingFile{}.make(), {})[1];
  const double r = 10.0 / 16, b = 0.8;  // 0.6 of 0.8 labelled measurements in even, 0.4 of 0.8 in odd samples
  const double error = std::sqrt((std::pow(0.6 - r * 0.8, 2) + std::pow(0.4 - r * 0.8, 2)) / 2 / 63) / b;
  for (const Row& row : table(slot))
    if (row.observable == "flow_fraction") {
      EXPECT_NEAR(row.estimate.error, error, 1e-3 * error);
    }
}

TEST(Tempering, AFileWithoutTheFlowHasAllOtherObservables) {
  io::LabelledFile file = TemperingFile{}.make();
  auto with = plain(reduce(file, {})[1]);
  std::erase_if(file.datasets, [](const io::Dataset& d) { return d.name == "flow_cold" || d.name == "flow_hot"; });
  const auto without = plain(reduce(file, {})[1]);
  EXPECT_EQ(with.erase("flow_fraction"), 1u);
  EXPECT_GT(without.size(), 20u);
  for (const auto& [name, value] : with) {
    ASSERT_TRUE(without.contains(name)) << name;
    EXPECT_TRUE(without.at(name) == value || std::isnan(value)) << name;
  }
}

TEST(Tempering, ARoundTripTakesSweepsHoweverManyOfThemAreMeasured) {
  TemperingFile job;
  job.rounds_per_measurement = 4;
  double found = 0;
  for (const Row& row : table(reduce(job.make(), {})[0]))
    if (row.observable == "round_trip_time") found = row.estimate.value;
  EXPECT_NEAR(found, 4 * 3200 / 1.5, 20);
}

TEST(Tempering, AutocorrelationTimeFollowsFromTheScatterOfTheTwoSets) {
  for (const double part : {0.02, 0.1}) {
    const Ensemble slot = reduce(scattered(part).make(), {})[2];
    // 2 tau / n = part / (1 + part / 2), because the scatter makes the product of the sets smaller by a half of it
    EXPECT_NEAR(plain(slot)["tau_int_m"], 0.5 * 800 * part / (1 + part / 2), 1e-6);
    EXPECT_NEAR(plain(slot)["tau_int_e"], 0, 1e-9);
  }
}

TEST(Tempering, AutocorrelationTimeIsInSweepsHoweverManyOfThemAreMeasured) {
  TemperingFile job = scattered(0.1);
  const double often = plain(reduce(job.make(), {})[2])["tau_int_m"];
  job.rounds_per_measurement = 4;  // the bins are four times as long
  EXPECT_NEAR(plain(reduce(job.make(), {})[2])["tau_int_m"], 4 * often, 1e-6);
}

TEST(Tempering, ReducedFilesOfShardsGiveTheSumsOfTheWhole) {
  const test::TemporaryFolder folder;
  TemperingFile job;
  const std::vector<Ensemble> whole = reduce(job.make(), {});
  std::vector<std::filesystem::path> paths;
  for (const auto& [first, count] : {std::pair(40, 24), std::pair(0, 40)}) {
    job.first_sample = first;
    job.samples = count;
    paths.push_back(folder / ("reduced_" + std::to_string(first) + ".h5"));
    io::write(paths.back(), to_file(reduce(job.make(), {})));
  }
  const std::vector<Ensemble> merged = read_ensembles(paths);
  ASSERT_EQ(merged.size(), whole.size());
  for (std::size_t t = 0; t < whole.size(); ++t) {
    EXPECT_EQ(merged[t].blocks.ids, whole[t].blocks.ids);
    EXPECT_EQ(merged[t].measurements, whole[t].measurements);
    for (const std::string& name : whole[t].blocks.names) {
      const auto &a = merged[t].blocks[name], &b = whole[t].blocks[name];
      EXPECT_TRUE(a.isApprox(b, 1e-13) || (a.array().isNaN().all() && b.array().isNaN().all())) << name;
    }
  }
}

std::string refusal_to_merge(const TemperingFile& one, const TemperingFile& two) {
  return test::refusal([&] { merge({reduce(one.make(), {})[0], reduce(two.make(), {})[0]}); });
}

TEST(Tempering, ShardsOfAnotherFieldAreRefused) {
  TemperingFile one, two;
  two.first_sample = 64;
  two.model.h = 0.1;
  const std::string message = refusal_to_merge(one, two);
  EXPECT_NE(message.find("their h differs (0.05 and 0.1)"), std::string::npos) << message;
}

TEST(Tempering, ShardsThatWereMeasuredMoreOrLessOftenAreRefused) {
  TemperingFile one, two;
  for (std::int64_t& count : one.measurements) count *= 4;  // in as many sweeps
  two.first_sample = 64;
  two.rounds_per_measurement = 4;
  const std::string message = refusal_to_merge(one, two);
  EXPECT_NE(message.find("their measure_interval differs (none and 40)"), std::string::npos) << message;
}

TEST(Tempering, ShardsWithLongerRunsOfOtherLengthsAreRefused) {
  TemperingFile one, two;
  two.first_sample = 64;
  two.times_longer = 4;
  const std::string message = refusal_to_merge(one, two);
  EXPECT_NE(message.find("their longer_packs differs (none and 1)"), std::string::npos) << message;
}

TEST(Tempering, SumsOfAnotherVersionAreRefused) {
  const test::TemporaryFolder folder;
  io::LabelledFile file = to_file(reduce(TemperingFile{}.make(), {}));
  std::erase_if(file.datasets, [](const io::Dataset& dataset) { return dataset.name == "block_long_gap_m"; });
  io::write(folder / "old.h5", file);
  const std::string message = test::refusal([&] { read_ensembles({folder / "old.h5"}); });
  EXPECT_NE(message.find("old.h5: its sums are not those of this version"), std::string::npos) << message;
}

TEST(Tempering, SumsWithAnEmptyAxisAreRefused) {
  const io::LabelledFile valid = to_file(reduce(TemperingFile{}.make(), {}));
  ASSERT_GE(valid.axes.size(), 4U);
  for (const io::Axis& emptied : valid.axes) {
    io::LabelledFile file = valid;
    for (io::Axis& axis : file.axes)
      if (axis.name == emptied.name) std::visit([](auto& all) { all.clear(); }, axis.values);
    for (io::Dataset& dataset : file.datasets)
      if (std::find(dataset.axes.begin(), dataset.axes.end(), emptied.name) != dataset.axes.end())
        std::visit([](auto& all) { all.clear(); }, dataset.values);
    const std::string message = test::refusal([&] { from_file(file); });
    EXPECT_NE(message.find("its axis " + emptied.name + " is empty"), std::string::npos) << message;
    EXPECT_TRUE(test::is_one_sentence(message)) << message;
  }
}

}  // namespace
}  // namespace psflip::analysis
