#include <gtest/gtest.h>

#include <cmath>

#include "tests/equality/jobs.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/unit/temporary_folder.hpp"

// The numbers in a measurement file, one by one, against the oracle: docs/file-format.md.
namespace psflip::equality {
namespace {

using test::TemporaryFolder;

System oracle_spin_glass(double beta, Random random) {
  System system;
  system.model = Model::ea3d;
  system.L = 6;
  system.betas = {beta};
  system.first_sample = 29;
  system.samples = 70;
  system.replicas = 3;
  system.seed = 5;
  system.random = random;
  system.couplings = Couplings::bimodal;
  return system;
}

template <class Value>
void append(std::vector<Value>& all, const std::vector<std::int64_t>& more) {
  for (const std::int64_t value : more) all.push_back(static_cast<Value>(value));
}

/// Everything that small_spin_glass() has to write.
struct SpinGlassData {
  std::vector<std::int32_t> bond_sum, magnetization, overlap;
  std::vector<std::int64_t> overlap_k2;
  std::vector<std::int8_t> spins, couplings;
};

SpinGlassData spin_glass_data(const std::vector<std::int64_t>& times, Random random) {
  SpinGlassData data;
  for (const double T : {1.1, 2.5}) {
    oracle::Oracle oracle(oracle_spin_glass(1 / T, random));
    for (const std::int64_t time : times) {
      oracle.advance(static_cast<std::uint64_t>(time) - oracle.rounds());
      const Observation seen = oracle.observe();
      append(data.bond_sum, seen[Integer::bond_sum]);
      append(data.magnetization, seen[Integer::magnetization]);
      append(data.overlap, seen[Integer::overlap]);
      append(data.overlap_k2, seen[Integer::overlap_k2]);
    }
    const auto spins = oracle.spins();
    data.spins.insert(data.spins.end(), spins.begin(), spins.end());
    data.couplings = oracle.couplings();
  }
  return data;
}

using Names = std::vector<std::string>;

void expect_spin_glass_file(const io::LabelledFile& file, Random random) {
  const std::vector<std::int64_t> times = {1, 2, 3, 4, 5, 6, 8, 9, 11, 13};  // floor(2^(k/4)) and the end
  const SpinGlassData data = spin_glass_data(times, random);
  EXPECT_EQ(file.axis("time").values, io::Values(times));
  EXPECT_EQ(file.axis("temperature").values, io::Values(std::vector{1.1, 2.5}));
  EXPECT_EQ(file.dataset("beta").values, io::Values(std::vector{1 / 1.1, 1 / 2.5}));
  EXPECT_EQ(file.dataset("pair_replicas").values, io::Values(std::vector<std::int32_t>{0, 1, 0, 2, 1, 2}));
  EXPECT_EQ(file.dataset("bond_sum").axes, (Names{"temperature", "time", "sample", "replica"}));
  EXPECT_EQ(file.dataset("overlap").axes, (Names{"temperature", "time", "sample", "pair"}));
  EXPECT_EQ(file.dataset("spins").axes, (Names{"temperature", "sample", "replica", "z", "y", "x"}));
  EXPECT_EQ(file.dataset("couplings").axes, (Names{"sample", "direction", "z", "y", "x"}));
  EXPECT_TRUE(file.dataset("bond_sum").values == io::Values(data.bond_sum));
  EXPECT_TRUE(file.dataset("magnetization").values == io::Values(data.magnetization));
  EXPECT_TRUE(file.dataset("overlap").values == io::Values(data.overlap));
  EXPECT_TRUE(file.dataset("overlap_k2").values == io::Values(data.overlap_k2));
  EXPECT_TRUE(file.dataset("spins").values == io::Values(data.spins));
  EXPECT_TRUE(file.dataset("couplings").values == io::Values(data.couplings));
}

TEST(Measurements, a_spin_glass_file_has_the_integers_of_the_oracle_at_the_documented_times) {
  TemporaryFolder folder;
  expect_spin_glass_file(file_of(small_spin_glass(), folder / "shared.h5"), Random::shared);
  expect_spin_glass_file(file_of(small_spin_glass().with("--random", "independent"), folder / "independent.h5"),
                         Random::independent);
}

TEST(Measurements, the_sample_axis_holds_global_sample_ids) {
  TemporaryFolder folder;
  const io::LabelledFile file = file_of(small_spin_glass().with("--samples", "1099511627776:3"), folder / "far.h5");
  EXPECT_EQ(file.axis("sample").values,
            io::Values(std::vector<std::int64_t>{1099511627776, 1099511627777, 1099511627778}));
  EXPECT_EQ(file.integer("first_sample"), 1099511627776);
  EXPECT_EQ(file.integer("samples"), 3);
}

System oracle_square(double beta) {
  System system;
  system.model = Model::ising2d;
  system.L = 6;
  system.betas = {beta};
  system.first_sample = 29;
  system.samples = 70;
  system.seed = 5;
  return system;
}

struct BinSums {
  std::vector<double> B, B_2, M, abs_M, M_2, M_4, K;

  void start_bin(std::size_t samples) {
    for (auto* sums : {&B, &B_2, &M, &abs_M, &M_2, &M_4, &K}) sums->resize(sums->size() + samples, 0.0);
  }
  void add(const Observation& seen) {
    const std::size_t samples = seen[Integer::bond_sum].size(), first = B.size() - samples;
    for (std::size_t i = 0; i < samples; ++i) {
      const double b = double(seen[Integer::bond_sum][i]), m = double(seen[Integer::magnetization][i]);
      B[first + i] += b;
      B_2[first + i] += b * b;
      M[first + i] += m;
      abs_M[first + i] += std::abs(m);
      M_2[first + i] += m * m;
      M_4[first + i] += m * m * m * m;
      K[first + i] += double(seen[Integer::magnetization_k2][i]);
    }
  }
};

TEST(Measurements, an_ising_file_has_the_sums_of_the_oracle_in_every_bin) {
  TemporaryFolder folder;
  const io::LabelledFile file = file_of(small_square(), folder / "square.h5");
  BinSums sums;
  for (const double T : {2.2, 2.3}) {
    oracle::Oracle oracle(oracle_square(1 / T));
    for (int measurement = 0; measurement < 8; ++measurement) {  // 4 bins of 2, 3 sweeps apart
      if (measurement % 2 == 0) sums.start_bin(70);
      oracle.advance(3);
      sums.add(oracle.observe());
    }
  }
  EXPECT_EQ(file.axis("bin").values, io::Values(std::vector<std::int64_t>{6, 12, 18, 24}));
  EXPECT_EQ(file.dataset("measurements").values, io::Values(std::vector<std::int64_t>(4, 2)));
  EXPECT_EQ(file.dataset("bond_sum").axes, (Names{"temperature", "bin", "sample"}));
  EXPECT_TRUE(file.dataset("bond_sum").values == io::Values(sums.B));
  EXPECT_TRUE(file.dataset("bond_sum_2").values == io::Values(sums.B_2));
  EXPECT_TRUE(file.dataset("magnetization").values == io::Values(sums.M));
  EXPECT_TRUE(file.dataset("abs_magnetization").values == io::Values(sums.abs_M));
  EXPECT_TRUE(file.dataset("magnetization_2").values == io::Values(sums.M_2));
  EXPECT_TRUE(file.dataset("magnetization_4").values == io::Values(sums.M_4));
  EXPECT_TRUE(file.dataset("magnetization_k2").values == io::Values(sums.K));
}

}  // namespace
}  // namespace psflip::equality
