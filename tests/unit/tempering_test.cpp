#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "analysis/physics/ensemble_file.hpp"
#include "analysis/physics/merge.hpp"
#include "analysis/physics/observables.hpp"
#include "analysis/physics/reduce.hpp"
#include "analysis/physics/table.hpp"
#include "analysis/physics/tempered_crossing.hpp"
#include "tests/unit/synthetic_tempering.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::physics {
namespace {

using test::CurieWeiss;
using test::SetValues;
using test::TemperingFile;

/// What the observables of the full data are, without bias correction.
std::map<std::string, double> plain(const Ensemble& ensemble) {
  const Observables all = rfim3d_observables(ensemble);
  const Eigen::VectorXd values = all.evaluate(equilibrium_blocks(ensemble).means());
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < all.names.size(); ++i) result[all.names[i]] = values[static_cast<Eigen::Index>(i)];
  return result;
}

/// Disorder averages of the solvable model over samples 0 ... 63: of functions of the thermal averages of a sample.
template <class F>
double average(const CurieWeiss& model, double T, F f) {
  double sum = 0;
  for (std::int64_t sample = 0; sample < 64; ++sample) sum += f(model.averages(T, sample)) / 64;
  return sum;
}

double exact_m2(const CurieWeiss& model, double T) {
  return average(model, T, [&](const SetValues& a) { return a[7]; }) / std::pow(model.sites(), 2);
}

double exact_U4(const CurieWeiss& model, double T) {
  const double m4 = average(model, T, [&](const SetValues& a) { return a[8]; }) / std::pow(model.sites(), 4);
  return m4 / std::pow(exact_m2(model, T), 2);
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

TEST(Tempering, ExchangesAndRoundTripsAreCountedInTheSlotsTheyBelongTo) {
  const TemperingFile job;
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

/// Two sets whose time averages of m scatter with the variance `part` of that of single measurements.
TemperingFile scattered(double part) {
  TemperingFile job;
  job.averages = [=, model = job.model](double T, std::size_t, std::int64_t sample, int set) {
    SetValues values = model.averages(T, sample);
    const double variance = values[7] - values[5] * values[5];
    values[5] += (set == 0 ? 1 : -1) * std::sqrt(part * variance / 2);
    return values;
  };
  return job;
}

TEST(Tempering, AutocorrelationTimeFollowsFromTheScatterOfTheTwoSets) {
  for (const double part : {0.02, 0.1}) {
    const Ensemble slot = reduce(scattered(part).make(), {})[2];
    // 2 tau / n = part / (1 + part / 2), because the scatter makes the product of the sets smaller by a half of it
    EXPECT_NEAR(plain(slot)["tau_int_m"], 0.5 * 800 * part / (1 + part / 2), 1e-6);
    EXPECT_NEAR(plain(slot)["tau_int_e"], 0, 1e-9);
  }
}

TEST(Tempering, VerdictNeedsSetsThatAgree) {
  EXPECT_EQ(equilibrated(reduce(scattered(0.1).make(), {})[1]), true);
  EXPECT_EQ(equilibrated(reduce(scattered(0.4).make(), {})[1]), false);
}

TEST(Tempering, VerdictNeedsThreeLastBinsThatAgree) {
  const auto verdict = [](std::size_t hot_bins) {
    TemperingFile job;
    job.averages = [=, model = job.model](double T, std::size_t bin, std::int64_t sample, int) {
      return model.averages(bin < hot_bins ? 1.2 * T : T, sample);
    };
    return equilibrated(reduce(job.make(), {})[0]);
  };
  EXPECT_EQ(verdict(0), true);
  EXPECT_EQ(verdict(2), true) << "what is before the last three bins is not asked";
  EXPECT_EQ(verdict(3), false);
  EXPECT_EQ(verdict(4), false);
}

TEST(Tempering, VerdictIsOpenWithFewBinsOrSamples) {
  TemperingFile job;
  job.measurements = {10, 10};
  EXPECT_EQ(equilibrated(reduce(job.make(), {})[0]), std::nullopt);
  job.measurements = {10, 10, 20};
  EXPECT_EQ(equilibrated(reduce(job.make(), {})[0]), true);
  job.samples = 15;
  EXPECT_EQ(equilibrated(reduce(job.make(), {})[0]), std::nullopt);
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
  const std::vector<Ensemble> merged = read_reduced(paths);
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

TEST(Tempering, ShardsOfAnotherFieldAreRefused) {
  TemperingFile one, two;
  two.first_sample = 64;
  two.model.h = 0.1;
  const std::string message = test::refusal([&] { merge({reduce(one.make(), {})[0], reduce(two.make(), {})[0]}); });
  EXPECT_NE(message.find("their h differs (0.05 and 0.1)"), std::string::npos) << message;
}

CurieWeiss weak_field(std::int64_t L) { return {L, 1, 0.001}; }

std::vector<Ensemble> ensembles_of(std::int64_t L, const std::vector<double>& temperatures) {
  TemperingFile job;
  job.model = weak_field(L);
  job.temperatures = temperatures;
  return reduce(job.make(), {});
}

TEST(TemperedCrossing, IsThatOfTheExactCurvesAlsoWhenGridsDiffer) {
  std::vector<Ensemble> all = ensembles_of(4, {0.8, 0.88, 0.96, 1.04, 1.12, 1.2});
  for (Ensemble& ensemble : ensembles_of(8, {0.84, 0.9, 0.95, 0.985, 1.02, 1.06, 1.15})) all.push_back(ensemble);
  const auto found = tempered_crossings(tempered_curves_of(all, "U4"));
  ASSERT_EQ(found.size(), 1u);
  double low = 0.8, high = 1.2;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (exact_U4(weak_field(8), middle) < exact_U4(weak_field(4), middle) ? low : high) = middle;
  }
  // The rest is the error of the cubic between slots.
  EXPECT_NEAR(found[0].temperature.value, low, 3e-4);
  EXPECT_NEAR(found[0].value.value, exact_U4(weak_field(4), low), 1e-3);
  EXPECT_GT(found[0].temperature.error, 0) << "the fields of the samples differ";
  EXPECT_LE(found[0].T_min, low);
  EXPECT_GE(found[0].T_max, low);
  EXPECT_EQ(found[0].equilibrated, true);
}

/// Noisy curves R = R* + 0.4 (Tc - T) L^(1/nu) - 0.3 L^-omega, linear, so the cubic is exact.
std::vector<TemperedCurve> synthetic_curves(const std::vector<int>& sizes, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise * 8);  // 64 samples
  std::vector<TemperedCurve> curves;
  for (const int L : sizes) {
    const Eigen::VectorXd temperatures = Eigen::VectorXd::LinSpaced(6 + L % 3, 3.6, 4.6);
    const Eigen::Index slots = temperatures.size();
    TemperedCurve curve{L, temperatures, {Eigen::MatrixXd(64, 2 * slots), Eigen::VectorXd::Ones(64)}, {}, {}};
    const double scale = std::pow(L, 1 / 1.38);
    for (Eigen::Index s = 0; s < 64; ++s) {
      const double shift = normal(random);  // of the sample, common to its slots
      for (Eigen::Index k = 0; k < slots; ++k) {
        curve.blocks.sums(s, k) =
            1.2 + 0.4 * (3.85 - temperatures[k]) * scale - 0.3 * std::pow(L, -0.52) + shift + 0.3 * normal(random);
        curve.blocks.sums(s, slots + k) = -0.4 * scale + 0.3 * normal(random);
      }
    }
    curve.function = [](const Eigen::VectorXd& means) { return means; };
    curve.equilibrated.assign(static_cast<std::size_t>(slots), true);
    curves.push_back(std::move(curve));
  }
  return curves;
}

TEST(TemperedCrossing, IsExtrapolatedForSizesOfAnyRatio) {
  const auto found = tempered_crossings(synthetic_curves({4, 6, 8, 16, 32}, 1e-9, 1));
  ASSERT_EQ(found.size(), 5u);
  EXPECT_GT(found[0].temperature.value, found[3].temperature.value) << "drift";
  EXPECT_NEAR(found[4].temperature.value, 3.85, 1e-6);
  EXPECT_NEAR(found[4].value.value, 1.2, 1e-6);
  EXPECT_TRUE(std::isinf(found[4].L2));
}

TEST(TemperedCrossing, HasErrorsThatCoverTheTruthThoughSlotsShareSamples) {
  const double truth = tempered_crossings(synthetic_curves({8, 16}, 1e-9, 1))[0].temperature.value;
  int covered = 0;
  for (std::uint64_t study = 0; study < 300; ++study) {
    const auto found = tempered_crossings(synthetic_curves({8, 16}, 0.004, 100 + study))[0];
    covered += std::abs(found.temperature.value - truth) < found.temperature.error;
  }
  EXPECT_NEAR(covered, 300 * 0.6827, 4 * std::sqrt(300 * 0.6827 * 0.3173));
}

TEST(TemperedCrossing, SaysWhenASlotBesideItIsNotEquilibrated) {
  auto curves = synthetic_curves({8, 16}, 1e-4, 3);
  const auto where = tempered_crossings(curves)[0];
  for (Eigen::Index k = 0; k < curves[0].temperatures.size(); ++k)
    if (curves[0].temperatures[k] <= where.temperature.value)
      curves[0].equilibrated[static_cast<std::size_t>(k)] = false;
  EXPECT_EQ(tempered_crossings(curves)[0].equilibrated, false);
}

TEST(TemperedCrossing, IsRefusedWhereThereIsNone) {
  const auto expect = [](const std::vector<TemperedCurve>& curves, const CrossingOptions& options,
                         const std::string& part) {
    const std::string message = test::refusal([&] { tempered_crossings(curves, options); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_TRUE(test::is_one_sentence(message)) << message;
  };
  const auto curves = synthetic_curves({8, 16}, 1e-6, 4);
  CrossingOptions options = random_field_exponents;
  expect({curves[0]}, options, "needs two sizes");
  options.from = 4.3;
  expect(curves, options, "do not cross between T = 4.3 and 4.6");
  options.from = 5;
  expect(curves, options, "do not cross in a range of temperatures that both sizes cover");
}

}  // namespace
}  // namespace psflip::physics
