#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "member_systems.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/unit/temporary_folder.hpp"

// The numbers in the measurement files of every preset, one by one, against the oracle: docs/file-format.md.
namespace psflip::equality {
namespace {

const double temperatures[] = {2.5, 4.5};

System system_of(const Preset& preset, double T) {
  System system = system_of_member_job(preset);
  system.L = 6;
  system.betas = {1 / T};
  system.replicas = preset.has_disorder() ? 3 : 1;
  return system;
}

/// Observations at both temperatures, [temperature][stop].
std::vector<std::vector<Observation>> observed(const Preset& preset, const std::vector<std::int64_t>& sweeps,
                                               IntegerSet also = {}) {
  std::vector<std::vector<Observation>> all;
  for (const double T : temperatures) {
    System system = system_of(preset, T);
    system.also = also;
    oracle::Oracle oracle(system);
    all.emplace_back();
    for (const std::int64_t stop : sweeps) {
      oracle.advance(static_cast<std::uint64_t>(stop) - oracle.rounds());
      all.back().push_back(oracle.observe());
    }
  }
  return all;
}

class MemberFile : public testing::TestWithParam<Preset> {
 protected:
  const Preset& preset() const { return GetParam(); }
  io::LabelledFile file(Method method) const { return file_of(member_job(preset(), method), folder_ / "file.h5"); }
  test::TemporaryFolder folder_;
};

io::Values converted(const std::vector<std::int64_t>& values, Kind kind) {
  if (kind == Kind::fourier) return values;
  return std::vector<std::int32_t>(values.begin(), values.end());
}

class RelaxationFile : public MemberFile {};

TEST_P(RelaxationFile, has_every_integer_of_the_oracle_at_the_documented_times) {
  const io::LabelledFile found = file(Method::relaxation);
  const std::vector<std::int64_t> times = {1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 16, 19, 22, 24};  // floor(2^(k/4)), the end
  EXPECT_EQ(found.axis("time").values, io::Values(times));
  System system = system_of(preset(), temperatures[0]);
  system.also = optional_integers_of(preset());
  const auto seen = observed(preset(), times, system.also);
  for (const IntegerInfo& info : integer_table) {
    const std::string name(info.name);
    EXPECT_EQ(found.has_dataset(name), system.measures(info.integer)) << name;
    if (!system.measures(info.integer)) continue;
    std::vector<std::int64_t> wanted;
    for (const auto& of_temperature : seen)
      for (const Observation& moment : of_temperature)
        wanted.insert(wanted.end(), moment[info.integer].begin(), moment[info.integer].end());
    EXPECT_TRUE(found.dataset(name).values == converted(wanted, info.kind)) << name;
  }
}

/// What a measurement adds to a dataset of equilibrium, from the name of the dataset.
struct BinSum {
  Integer integer;  ///< gives the number of values
  std::function<double(const Observation&, std::size_t)> value;
};

BinSum power(Integer integer, int exponent) {
  return {integer, [=](const Observation& moment, std::size_t i) {
            const double x = double(moment[integer][i]);
            return exponent == 1 ? x : exponent == 2 ? x * x : (x * x) * (x * x);
          }};
}
BinSum modulus(Integer integer) {
  return {integer, [=](const Observation& moment, std::size_t i) { return std::abs(double(moment[integer][i])); }};
}

/// Of three replicas: pairs (0, 1), (0, 2), (1, 2).
double product_of_magnetizations(const Observation& moment, std::size_t i) {
  const std::size_t sample = i / 3, first = i % 3 == 2 ? 1 : 0, second = i % 3 == 0 ? 1 : 2;
  const std::vector<std::int64_t>& M = moment[Integer::magnetization];
  return double(M[3 * sample + first]) * double(M[3 * sample + second]);
}

const std::map<std::string, BinSum> bin_sums = {
    {"bond_sum", power(Integer::bond_sum, 1)},
    {"bond_sum_2", power(Integer::bond_sum, 2)},
    {"field_sum", power(Integer::field_sum, 1)},
    {"field_sum_2", power(Integer::field_sum, 2)},
    {"bond_field",
     {Integer::bond_sum,
      [](const Observation& moment, std::size_t i) {
        const bool is_random = !moment[Integer::field_sum].empty();  // F = M in a uniform field
        return double(moment[Integer::bond_sum][i]) *
               double(moment[is_random ? Integer::field_sum : Integer::magnetization][i]);
      }}},
    {"magnetization", power(Integer::magnetization, 1)},
    {"abs_magnetization", modulus(Integer::magnetization)},
    {"magnetization_2", power(Integer::magnetization, 2)},
    {"magnetization_4", power(Integer::magnetization, 4)},
    {"magnetization_k2", power(Integer::magnetization_k2, 1)},
    {"overlap", power(Integer::overlap, 1)},
    {"abs_overlap", modulus(Integer::overlap)},
    {"overlap_2", power(Integer::overlap, 2)},
    {"overlap_4", power(Integer::overlap, 4)},
    {"overlap_k2", power(Integer::overlap_k2, 1)},
    {"magnetization_product", {Integer::overlap, product_of_magnetizations}}};

class EquilibriumFile : public MemberFile {};

TEST_P(EquilibriumFile, has_the_sums_of_the_oracle_in_every_bin) {
  const io::LabelledFile found = file(Method::equilibrium);
  EXPECT_EQ(found.axis("bin").values, io::Values(std::vector<std::int64_t>{6, 12, 18, 24}));
  const auto seen = observed(preset(), {3, 6, 9, 12, 15, 18, 21, 24});  // two measurements in a bin
  std::size_t compared = 0;
  for (const io::Dataset& dataset : found.datasets) {
    if (dataset.axes.size() < 3 || dataset.axes[1] != "bin") continue;
    ASSERT_TRUE(bin_sums.contains(dataset.name)) << dataset.name;
    const BinSum& sum = bin_sums.at(dataset.name);
    std::vector<double> wanted;
    for (const auto& of_temperature : seen) {
      for (std::size_t first = 0; first < of_temperature.size(); first += 2)
        for (std::size_t i = 0; i < of_temperature[first][sum.integer].size(); ++i)
          wanted.push_back(sum.value(of_temperature[first], i) + sum.value(of_temperature[first + 1], i));
    }
    EXPECT_TRUE(dataset.values == io::Values(wanted)) << dataset.name;
    ++compared;
  }
  EXPECT_GE(compared, 6U);
}

INSTANTIATE_TEST_SUITE_P(Presets, RelaxationFile, testing::ValuesIn(presets_with(Method::relaxation)),
                         name_with<Method::relaxation>);
INSTANTIATE_TEST_SUITE_P(Presets, EquilibriumFile, testing::ValuesIn(presets_with(Method::equilibrium)),
                         name_with<Method::equilibrium>);

}  // namespace
}  // namespace psflip::equality
