#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/reduce.hpp"
#include "tests/unit/analysis/synthetic_files.hpp"
#include "tests/unit/set_names.hpp"

// Exchange Monte Carlo of a spin glass: files with the exact averages of a solvable model, so every number is known.
namespace psflip::analysis {
namespace {

constexpr double N = 64;

/// A replica of a sample is in one of two states, with bond sums B and a size f of its configuration; the overlap of
/// two replicas is N f f' up to its sign, of which the mean is half of its square, and the magnetization N f up to its
/// sign. K is such that chi_k = 1 + q^2, of the magnetization 1 + m^2, and the link overlap is 3 N q^2.
struct TwoStates {
  double B[2], f[2];

  explicit TwoStates(std::int64_t sample)
      : B{96 + static_cast<double>(sample % 7), 80 - static_cast<double>(sample % 5)}, f{1, 0.4} {}

  /// Thermal mean of B^b f^power.
  double mean(double T, int b, int power) const {
    double sum = 0, weights = 0;
    for (int state = 0; state < 2; ++state) {
      const double weight = std::exp((B[state] - B[0]) / T);
      weights += weight;
      sum += weight * std::pow(B[state], b) * std::pow(f[state], power);
    }
    return sum / weights;
  }
};

/// Thermal means of the sums of a pair of replicas, in the order of test::pair_names; those that it has not are 0.
std::array<double, 12> pair_means(const TwoStates& model, double T) {
  const double q_2 = std::pow(model.mean(T, 0, 2), 2), q_4 = std::pow(model.mean(T, 0, 4), 2);
  const double both = 2 * model.mean(T, 1, 0);  // B of two replicas
  const double B_q_2 = 2 * model.mean(T, 1, 2) * model.mean(T, 0, 2),
               B_q_4 = 2 * model.mean(T, 1, 4) * model.mean(T, 0, 4);
  const double k = 1024 * 3 * N, N_2 = N * N, N_4 = N_2 * N_2;
  return {N * q_2 / 2,
          N_2 * q_2,
          N_4 * q_4,
          0,
          0,
          N * std::pow(model.mean(T, 0, 1), 2),
          k * (1 + q_2),
          3 * N * q_2,
          N_2 * B_q_2,
          N_4 * B_q_4,
          k * (both + B_q_2),
          3 * N * B_q_2};
}

constexpr std::int64_t samples = 64;

/// Disorder averages over all samples.
template <class F>
double average(F f) {
  double sum = 0;
  for (std::int64_t sample = 0; sample < samples; ++sample) sum += f(TwoStates(sample)) / samples;
  return sum;
}

double q2_at(double T) {
  return average([=](const TwoStates& model) { return pair_means(model, T)[1] / (N * N); });
}
double U4_at(double T) {
  return average([=](const TwoStates& model) { return pair_means(model, T)[2] / std::pow(N, 4); }) /
         std::pow(q2_at(T), 2);
}
double xi_over_L_at(double T) {
  return std::sqrt(N * q2_at(T) / (1 + q2_at(T)) - 1) / (2 * 4 * std::sin(std::numbers::pi / 4));
}

const std::vector<double> temperatures = {6, 7, 8, 9};
const std::vector<std::int64_t> measurements = {10, 10, 20, 40};
constexpr std::int32_t counts_of_bin = 3;

io::LabelledFile spin_glass_file(std::int64_t sets) {
  test::SyntheticJob job;
  job.model = "ea3d";
  job.L = 4;
  job.replicas = sets;
  job.random = "independent";
  job.samples = samples;
  job.temperatures = temperatures;
  job.moments = {100, 200, 400, 800};
  io::LabelledFile file = test::synthetic_header(job);
  for (io::Axis& axis : file.axes)
    if (axis.name == "time") axis.name = "bin";
  file.attributes["method"] = std::string("tempering");
  file.attributes["exchange_interval"] = std::int64_t{10};
  const std::int64_t pairs = sets * (sets - 1) / 2;
  std::vector<std::int64_t> set_ids(static_cast<std::size_t>(sets)), pair_ids(static_cast<std::size_t>(pairs)),
      bin_ids(63);
  std::iota(set_ids.begin(), set_ids.end(), 0);
  std::iota(pair_ids.begin(), pair_ids.end(), 0);
  file.axes.push_back({"set", set_ids, "", ""});
  file.axes.push_back({"pair", pair_ids, "", ""});
  file.axes.push_back({"overlap_bin", bin_ids, "", ""});
  file.datasets.push_back({"measurements", {"bin"}, measurements, "", ""});
  std::map<std::string, std::vector<double>> of_sets, of_pairs;
  for (const double T : temperatures)
    for (const std::int64_t count : measurements)
      for (std::int64_t sample = 0; sample < samples; ++sample) {
        const TwoStates model(sample);
        const auto n = static_cast<double>(count);
        for (std::int64_t set = 0; set < sets; ++set) {
          of_sets["bond_sum"].push_back(n * model.mean(T, 1, 0));
          of_sets["bond_sum_2"].push_back(n * model.mean(T, 2, 0));
          const double m_2 = model.mean(T, 0, 2);
          of_sets["abs_magnetization"].push_back(n * N * model.mean(T, 0, 1));
          of_sets["magnetization_2"].push_back(n * N * N * m_2);
          of_sets["magnetization_4"].push_back(n * std::pow(N, 4) * model.mean(T, 0, 4));
          of_sets["magnetization_k2"].push_back(n * 1024 * 3 * N * (1 + m_2));
        }
        const std::array<double, 12> means = pair_means(model, T);
        for (std::int64_t pair = 0; pair < pairs; ++pair)
          for (const std::size_t i : {0, 1, 2, 5, 6, 7, 8, 9, 10, 11})
            of_pairs[test::pair_names[i]].push_back(n * means[i]);
      }
  for (const auto& [name, values] : of_sets)
    file.datasets.push_back({name, {"temperature", "bin", "sample", "set"}, values, "", ""});
  for (const auto& [name, values] : of_pairs)
    file.datasets.push_back({name, {"temperature", "bin", "sample", "pair"}, values, "", ""});
  file.datasets.push_back({"overlap_counts",
                           {"temperature", "sample", "overlap_bin"},
                           std::vector<std::int32_t>(temperatures.size() * samples * 63, counts_of_bin),
                           "",
                           ""});
  return file;
}

/// What the observables of the full data are, without bias correction.
std::map<std::string, double> plain(const Ensemble& ensemble) {
  const Observables all = observables(ensemble);
  const Eigen::VectorXd values = all.evaluate(equilibrium_blocks(ensemble).means());
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < all.names.size(); ++i) result[all.names[i]] = values[static_cast<Eigen::Index>(i)];
  return result;
}

TEST(TemperedSpinGlass, ObservablesOfASolvableModelHaveTheirKnownValues) {
  for (const Ensemble& slot : reduce(spin_glass_file(4), {})) {
    const double T = slot.temperature;
    auto found = plain(slot);
    EXPECT_NEAR(found["e"], average([=](const TwoStates& model) { return -model.mean(T, 1, 0) / N; }), 1e-12);
    EXPECT_NEAR(found["q2"], q2_at(T), 1e-12);
    EXPECT_NEAR(found["q"], q2_at(T) / 2, 1e-12);
    EXPECT_NEAR(found["q4"], U4_at(T) * std::pow(q2_at(T), 2), 1e-12);
    EXPECT_NEAR(found["q_link"], q2_at(T), 1e-12);
    EXPECT_NEAR(found["U4"], U4_at(T), 1e-12);
    EXPECT_NEAR(found["xi_over_L"], xi_over_L_at(T), 1e-12);
    const double square = average([=](const TwoStates& model) { return std::pow(model.mean(T, 0, 2), 4); });
    EXPECT_NEAR(found["U22"], square / std::pow(q2_at(T), 2) - 1, 1e-12);
  }
}

TEST(TemperedSpinGlass, TheMagnetizationHasItsMomentsAndLength) {
  for (const Ensemble& slot : reduce(spin_glass_file(4), {})) {
    auto found = plain(slot);
    const auto moment = [&](int power) {
      return average([=](const TwoStates& model) { return model.mean(slot.temperature, 0, power); });
    };
    const double m_2 = moment(2);
    EXPECT_NEAR(found["m_abs"], moment(1), 1e-12);
    EXPECT_NEAR(found["m2"], N * m_2, 1e-11);
    EXPECT_NEAR(found["U4_m"], moment(4) / (m_2 * m_2), 1e-12);
    const double xi = std::sqrt(N * m_2 / (1 + m_2) - 1) / (2 * std::sin(std::numbers::pi / 4));
    EXPECT_NEAR(found["xi_m"], xi, 1e-12);
    EXPECT_NEAR(found["xi_m_over_L"], xi / 4, 1e-12);
  }
}

/// Even sets have means of m^2 larger by d, odd sets smaller: four of the six pairs differ by 2 d.
TEST(TemperedSpinGlass, TheAutocorrelationTimeOfTheMagnetizationFollowsFromTheScatterOfTheSets) {
  constexpr double d = 0.01;
  io::LabelledFile file = spin_glass_file(4);
  for (io::Dataset& dataset : file.datasets) {
    if (dataset.name != "magnetization_2") continue;
    auto& values = std::get<std::vector<double>>(dataset.values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto count = static_cast<double>(measurements[i / (4 * samples) % measurements.size()]);
      values[i] += (i % 2 == 0 ? 1 : -1) * count * N * N * d;
    }
  }
  for (const Ensemble& slot : reduce(file, {})) {
    const double thermal = average([&](const TwoStates& model) {
      return model.mean(slot.temperature, 0, 4) - std::pow(model.mean(slot.temperature, 0, 2), 2);
    });
    EXPECT_NEAR(plain(slot)["tau_int_m2"], 400 / 2.0 * (4 * d * d / 3) / (thermal + d * d / 3), 1e-9);
  }
}

TEST(TemperedSpinGlass, SlopesAreDerivativesInTemperature) {
  const double step = 1e-4;
  for (const std::int64_t sets : {3, 4, 5}) {
    for (const Ensemble& slot : reduce(spin_glass_file(sets), {})) {
      const double low = slot.temperature - step, high = slot.temperature + step;
      auto found = plain(slot);
      EXPECT_NEAR(found["U4_slope"], (U4_at(high) - U4_at(low)) / (2 * step), 1e-7) << sets;
      EXPECT_NEAR(found["xi_over_L_slope"], (xi_over_L_at(high) - xi_over_L_at(low)) / (2 * step), 1e-7) << sets;
    }
  }
}

TEST(TemperedSpinGlass, TwoSetsHaveNoSlopes) {
  for (const Ensemble& slot : reduce(spin_glass_file(2), {})) {
    const auto found = plain(slot);
    EXPECT_TRUE(found.contains("U4") && found.contains("q_link"));
    EXPECT_FALSE(found.contains("U4_slope") || found.contains("xi_over_L_slope") || found.contains("U22"));
  }
}

/// 65 values of Q in 63 bins: two bins hold two of them.
TEST(TemperedSpinGlass, DensitiesOfTheOverlapCountTheValuesInTheirBins) {
  const auto found = plain(reduce(spin_glass_file(4), {})[0]);
  double one_value = 0, two_values = 0;
  for (std::size_t bin = 0; bin < 63; ++bin) {
    const double density = found.at("P_q_" + std::to_string(bin));
    EXPECT_DOUBLE_EQ(density, found.at("P_q_" + std::to_string(62 - bin))) << bin;
    one_value += std::abs(density - N / 2 / 63) < 1e-12 ? 1 : 0;
    two_values += std::abs(density - N / 4 / 63) < 1e-12 ? 1 : 0;
  }
  EXPECT_EQ(one_value, 61);
  EXPECT_EQ(two_values, 2);
  EXPECT_FALSE(found.contains("P_q_63"));
}

}  // namespace
}  // namespace psflip::analysis
