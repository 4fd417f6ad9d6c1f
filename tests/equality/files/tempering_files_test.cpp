#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "member_systems.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/unit/set_names.hpp"
#include "tests/unit/temporary_folder.hpp"

// The numbers in measurement files of exchange Monte Carlo, one by one, against the oracle: docs/files/tempering.md.
namespace psflip::equality {
namespace {

using test::pair_names;
using test::set_names;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr std::size_t slots = 4, bins = 3, samples = 70;
const double temperatures[slots] = {3.4, 3.8, 4.3, 5.0};

System oracle_system() {
  System system;
  system.model = Model::rfim3d;
  system.L = 4;
  for (const double T : temperatures) system.betas.push_back(1 / T);
  system.first_sample = 29;
  system.samples = samples;
  system.replicas = 2;
  system.h = 1;
  system.seed = 5;
  system.round = {4, 1};
  return system;
}

/// One dataset out of the sums of the bins: [slot][bin][row] from sums[bin][(which * slots + slot) * row].
template <class Value>
std::vector<Value> dataset_of(const std::vector<Sums>& sums, std::vector<Value> Sums::*kind, std::size_t which,
                              std::size_t row) {
  std::vector<Value> all;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (const Sums& bin : sums) {
      const auto first = (bin.*kind).begin() + static_cast<std::ptrdiff_t>((which * slots + slot) * row);
      all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(row));
    }
  }
  return all;
}

/// Only the datasets of the list of the system are there.
void expect_sums(const io::LabelledFile& file, const System& system, const std::vector<Sums>& sums) {
  const SumLists lists = sum_lists_of(system);
  const std::size_t R = static_cast<std::size_t>(system.replicas);
  for (std::size_t i = 0; i < lists.set.size(); ++i) {
    const char* name = set_names[lists.set[i]];
    EXPECT_EQ(file.dataset(name).axes, (Names{"temperature", "bin", "sample", "set"}));
    EXPECT_TRUE(file.values<double>(name) == dataset_of(sums, &Sums::set, i, samples * R)) << name;
  }
  Names axes = {"temperature", "bin", "sample"};
  if (!system.preset().has_random_field() || R != 2) axes.push_back("pair");
  for (std::size_t i = 0; i < lists.pair.size(); ++i) {
    const char* name = pair_names[lists.pair[i]];
    EXPECT_EQ(file.dataset(name).axes, axes);
    EXPECT_TRUE(file.values<double>(name) == dataset_of(sums, &Sums::pair, i, samples * lists.pairs)) << name;
  }
  for (std::size_t i = 0; i < set_names.size(); ++i)
    EXPECT_EQ(file.has_dataset(set_names[i]), lists.has(static_cast<SetSum>(i))) << set_names[i];
  for (std::size_t i = 0; i < pair_names.size(); ++i)
    EXPECT_EQ(file.has_dataset(pair_names[i]), lists.has(static_cast<PairSum>(i))) << pair_names[i];
  if (lists.overlap_bins > 0) {
    EXPECT_EQ(file.dataset("overlap_counts").axes, (Names{"temperature", "sample", "overlap_bin"}));
    EXPECT_TRUE(file.values<std::int32_t>("overlap_counts") == sums.back().overlap_counts);
  }
  EXPECT_EQ(file.has_dataset("overlap_link_sums"), !lists.link_slots.empty());
  if (!lists.link_slots.empty()) {
    EXPECT_EQ(file.values<std::int64_t>("link_overlap_slot"),
              std::vector<std::int64_t>(lists.link_slots.begin(), lists.link_slots.end()));
    EXPECT_EQ(file.dataset("overlap_link_sums").axes, (Names{"link_overlap_slot", "sample", "overlap_bin"}));
    EXPECT_TRUE(file.values<std::int64_t>("overlap_link_sums") == sums.back().overlap_link_sums);
  }
  for (const auto& [name, kind] : {std::pair("flow_cold", &Sums::flow_cold), std::pair("flow_hot", &Sums::flow_hot)}) {
    EXPECT_EQ(file.dataset(name).axes, (Names{"temperature", "bin", "sample", "set"}));
    EXPECT_TRUE(file.values<std::int32_t>(name) == dataset_of(sums, kind, 0, samples * R)) << name;
  }
  std::vector<std::int32_t> accepted, round_trips;
  for (const Sums& bin : sums) {
    accepted.insert(accepted.end(), bin.accepted.begin(), bin.accepted.end());
    round_trips.insert(round_trips.end(), bin.round_trips.begin(), bin.round_trips.end());
  }
  EXPECT_EQ(file.dataset("exchange_accepted").axes, (Names{"bin", "exchange_pair", "sample", "set"}));
  EXPECT_TRUE(file.values<std::int32_t>("exchange_accepted") == accepted);
  EXPECT_TRUE(file.values<std::int32_t>("round_trips") == round_trips);
}

/// The sums of the next rounds, which end at the bins.
std::vector<Sums> sums_of_bins(oracle::Oracle& oracle, const std::vector<std::uint64_t>& rounds_of_bins) {
  std::vector<Sums> sums;
  for (const std::uint64_t rounds : rounds_of_bins) {
    oracle.advance(rounds);
    sums.push_back(oracle.sums());
    oracle.clear_sums();
  }
  return sums;
}

/// Of every preset with exchange Monte Carlo.
class SumsFile : public testing::TestWithParam<Preset> {};

TEST_P(SumsFile, has_the_sums_of_the_oracle_in_every_bin_and_its_final_state) {
  TemporaryFolder folder;
  const JobLine job = member_job(GetParam(), Method::tempering).with("--sweeps", "26");
  const io::LabelledFile file = file_of(job, folder / "file.h5");
  System system = system_of_member_job(GetParam());
  system.L = 4;
  for (const double T : temperatures) system.betas.push_back(1 / T);
  system.replicas = GetParam().has_random_bonds() ? 4 : 2;
  if (GetParam().has_random_bonds()) system.also.add(Integer::magnetization_k2);
  if (GetParam().has_random_bonds()) system.link_overlap_slots = {0, 2};
  system.round = {4, 1};
  oracle::Oracle oracle(system);
  expect_sums(file, system, sums_of_bins(oracle, {3, 3, 7}));  // 13 rounds: bins end at 13 / 4, 13 / 2 and 13
  std::vector<std::int8_t> spins;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto more = oracle.spins(slot);
    spins.insert(spins.end(), more.begin(), more.end());
  }
  const Names sites = system.dimension() == 3 ? Names{"z", "y", "x"} : Names{"y", "x"};
  const auto expect_signs = [&](const char* name, Names axes, const std::vector<std::int8_t>& signs) {
    axes.insert(axes.end(), sites.begin(), sites.end());
    EXPECT_EQ(file.dataset(name).axes, axes);
    EXPECT_TRUE(file.values<std::int8_t>(name) == signs) << name;
  };
  expect_signs("spins", {"temperature", "sample", "set"}, spins);
  if (GetParam().has_random_bonds()) expect_signs("couplings", {"sample", "direction"}, oracle.couplings());
  if (GetParam().has_random_field()) expect_signs("fields", {"sample"}, oracle.fields());
}

INSTANTIATE_TEST_SUITE_P(Presets, SumsFile, testing::ValuesIn(presets_with(Method::tempering)),
                         name_with<Method::tempering>);

const JobLine thin_field = small_random_field().with("--sweeps", "28").with("--measure-interval", "4");

TEST(TemperingFile, has_the_sums_of_the_measured_rounds_and_the_same_final_spins) {
  TemporaryFolder folder;
  const io::LabelledFile file = file_of(thin_field, folder / "file.h5");
  System system = oracle_system();
  system.round.rounds_per_sum = 2;
  oracle::Oracle oracle(system);
  expect_sums(file, system, sums_of_bins(oracle, {2, 4, 8}));  // 7 measurements: bins end at 7 / 4, 7 / 2 and 7
  EXPECT_EQ(file.values<std::int64_t>("bin"), (std::vector<std::int64_t>{4, 12, 28}));
  EXPECT_EQ(file.values<std::int64_t>("measurements"), (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(file.values<std::int64_t>("exchange_attempts"), (std::vector<std::int64_t>{1, 1, 1, 2, 2, 2, 4, 4, 4}));
  EXPECT_EQ(file.integer("measure_interval"), 4);
  EXPECT_NE(file.text("job").find("measure-interval = 4\n"), std::string::npos);
  const io::LabelledFile all = file_of(small_random_field().with("--sweeps", "28"), folder / "all.h5");
  EXPECT_TRUE(file.values<std::int8_t>("spins") == all.values<std::int8_t>("spins"));
}

TEST(TemperingFile, says_nothing_of_the_measure_interval_where_it_is_that_of_exchanges) {
  TemporaryFolder folder;
  const io::LabelledFile plain = file_of(small_random_field(), folder / "plain.h5");
  EXPECT_FALSE(plain.attributes.contains("measure_interval"));
  EXPECT_EQ(plain.text("job").find("measure"), std::string::npos);
  for (const char* same : {"2", "0"}) {
    const io::LabelledFile named = file_of(small_random_field().with("--measure-interval", same), folder / "named.h5");
    EXPECT_TRUE(same_data(named, plain));
    EXPECT_FALSE(named.attributes.contains("measure_interval"));
    EXPECT_EQ(named.text("job"), plain.text("job"));
  }
}

TEST(TemperingFile, says_what_was_done_when) {
  TemporaryFolder folder;
  const io::LabelledFile file = file_of(small_random_field(), folder / "file.h5");
  EXPECT_EQ(file.values<double>("temperature"), (std::vector{3.4, 3.8, 4.3, 5.0}));
  EXPECT_EQ(file.values<double>("beta"), oracle_system().betas);
  EXPECT_EQ(file.values<std::int64_t>("bin"), (std::vector<std::int64_t>{6, 12, 26}));
  EXPECT_EQ(file.values<std::int64_t>("measurements"), (std::vector<std::int64_t>{3, 3, 7}));
  // Rounds 0, 2, 4, ... try the pairs 0 and 2, rounds 1, 3, 5, ... the pair 1.
  EXPECT_EQ(file.values<std::int64_t>("exchange_attempts"), (std::vector<std::int64_t>{2, 1, 2, 1, 2, 1, 4, 3, 4}));
  EXPECT_EQ(file.text("model"), "rfim3d");
  EXPECT_EQ(file.real("h"), 1.0);
  EXPECT_EQ(file.real("J"), 1.0);
  EXPECT_EQ(file.integer("exchange_interval"), 2);
}

/// Extended runs of the two slowest of five packs of 32 samples.
class LongerRuns : public testing::Test {
 protected:
  static constexpr std::size_t count = 160;

  io::LabelledFile file(const JobLine& job) const { return file_of(job, folder_ / "file.h5"); }
  io::LabelledFile plain(JobLine job, const char* sweeps) const {
    job.options.erase("--longer");
    return file(job.with("--sweeps", sweeps));
  }

  /// Values of one sample, in order.
  template <class T>
  static std::vector<T> of_sample(const io::LabelledFile& file, const io::Dataset& dataset, std::size_t sample) {
    std::size_t width = 1;
    for (auto axis = dataset.axes.rbegin(); *axis != "sample"; ++axis) width *= io::size(file.axis(*axis).values);
    const auto& all = std::get<std::vector<T>>(dataset.values);
    std::vector<T> mine;
    for (std::size_t row = 0; row * count * width < all.size(); ++row)
      for (std::size_t k = 0; k < width; ++k) mine.push_back(all[(row * count + sample) * width + k]);
    return mine;
  }

  template <class T>
  void expect_same_sample(const io::LabelledFile& found, const io::LabelledFile& expected, std::size_t sample) const {
    for (const io::Dataset& dataset : expected.datasets) {
      const bool per_sample = std::find(dataset.axes.begin(), dataset.axes.end(), "sample") != dataset.axes.end();
      if (!per_sample || !std::holds_alternative<std::vector<T>>(dataset.values)) continue;
      EXPECT_EQ(of_sample<T>(found, found.dataset(dataset.name), sample), of_sample<T>(expected, dataset, sample))
          << dataset.name << ", sample " << sample;
    }
  }

  void expect_longer(const JobLine& job) const;
  /// The packs whose means over the last bin but one have the largest variances, in units of the thermal one:
  /// spread(row) is both of row (slot, bin, sample).
  template <class Spread>
  void expect_packs(const io::LabelledFile& found, Spread spread) const;

  TemporaryFolder folder_;
};

void LongerRuns::expect_longer(const JobLine& job) const {
  const io::LabelledFile found = file(job), brief = plain(job, "32"), extended = plain(job, "128");
  const auto& times = found.values<std::int64_t>("times_longer");
  ASSERT_EQ(times.size(), count);
  EXPECT_EQ(std::count(times.begin(), times.end(), 4), 64);
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), 96);
  for (std::size_t sample = 0; sample < count; ++sample) {
    EXPECT_EQ(times[sample], times[sample / 32 * 32]) << "packs are whole";
    const io::LabelledFile& expected = times[sample] == 4 ? extended : brief;
    expect_same_sample<double>(found, expected, sample);
    expect_same_sample<std::int32_t>(found, expected, sample);
    expect_same_sample<std::int64_t>(found, expected, sample);
    expect_same_sample<std::int8_t>(found, expected, sample);
  }
  for (const char* what : {"measurements", "exchange_attempts"})
    EXPECT_EQ(found.values<std::int64_t>(what), brief.values<std::int64_t>(what));
  EXPECT_EQ(found.values<std::int64_t>("bin"), brief.values<std::int64_t>("bin"));
  EXPECT_EQ(found.integer("longer_packs"), 2);
  EXPECT_EQ(found.integer("longer_times"), 4);
  EXPECT_FALSE(brief.attributes.contains("longer_packs"));
}

TEST_F(LongerRuns, are_those_of_a_job_with_as_many_sweeps_and_all_other_samples_those_of_the_job) {
  expect_longer(small_longer());
}

TEST_F(LongerRuns, of_a_spin_glass_are_those_of_a_job_with_as_many_sweeps) { expect_longer(small_longer_spin_glass()); }

TEST_F(LongerRuns, without_disorder_are_those_of_a_job_with_as_many_sweeps) { expect_longer(small_longer_square()); }

template <class Spread>
void LongerRuns::expect_packs(const io::LabelledFile& found, Spread spread) const {
  std::vector<std::pair<double, std::size_t>> packs;
  for (std::size_t pack = 0; pack < 5; ++pack) packs.emplace_back(0.0, pack);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    double variance = 0;
    std::vector<double> of_means(5, 0.0);
    for (std::size_t sample = 0; sample < count; ++sample) {
      const auto [of_mean, thermal] = spread((slot * bins + 1) * count + sample);
      of_means[sample / 32] += of_mean;
      variance += thermal;
    }
    for (std::size_t pack = 0; pack < 5; ++pack) packs[pack].first += of_means[pack] / variance;
  }
  std::sort(packs.rbegin(), packs.rend());
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(found.values<std::int64_t>("times_longer")[32 * packs[k].second], k < 2 ? 4 : 1);
}

TEST_F(LongerRuns, are_of_the_packs_whose_sets_differ_most_in_the_last_bin_but_one) {
  const io::LabelledFile brief = plain(small_longer(), "32");
  const auto& m = brief.values<double>("magnetization");
  const auto &m2 = brief.values<double>("magnetization_2"), &product = brief.values<double>("magnetization_product");
  const auto n = static_cast<double>(brief.values<std::int64_t>("measurements")[1]);
  expect_packs(file(small_longer()), [&](std::size_t i) {
    return std::pair(std::pow((m[2 * i] - m[2 * i + 1]) / n, 2) / 2,
                     (m2[2 * i] + m2[2 * i + 1]) / 2 / n - product[i] / n);
  });
}

TEST_F(LongerRuns, of_a_spin_glass_are_of_the_packs_whose_mean_overlaps_are_farthest_from_zero) {
  const io::LabelledFile brief = plain(small_longer_spin_glass(), "32");
  const auto &q = brief.values<double>("overlap"), &q2 = brief.values<double>("overlap_2");
  const auto n = static_cast<double>(brief.values<std::int64_t>("measurements")[1]);
  expect_packs(file(small_longer_spin_glass()), [&](std::size_t i) {
    double of_mean = 0, thermal = 0;
    for (std::size_t pair = 6 * i; pair < 6 * i + 6; ++pair) {
      of_mean += std::pow(q[pair] / n, 2) / 6;
      thermal += q2[pair] / n / 6;
    }
    return std::pair(of_mean, thermal);
  });
}

TEST_F(LongerRuns, without_disorder_are_of_the_packs_whose_energies_differ_most) {
  const io::LabelledFile brief = plain(small_longer_square(), "32");
  const auto &B = brief.values<double>("bond_sum"), &B2 = brief.values<double>("bond_sum_2");
  const auto n = static_cast<double>(brief.values<std::int64_t>("measurements")[1]);
  expect_packs(file(small_longer_square()), [&](std::size_t i) {
    const double one = B[2 * i] / n, two = B[2 * i + 1] / n;
    return std::pair(std::pow(one - two, 2) / 2, (B2[2 * i] + B2[2 * i + 1]) / 2 / n - one * two);
  });
}

}  // namespace
}  // namespace psflip::equality
