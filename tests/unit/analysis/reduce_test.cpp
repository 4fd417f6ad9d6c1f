#include "analysis/models/reduce.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/ensemble/merge.hpp"
#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/definitions.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "tests/unit/analysis/synthetic_files.hpp"
#include "tests/unit/expect_sentence.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::analysis {
namespace {

using test::SyntheticJob;

io::LabelledFile ea3d(const SyntheticJob& job) {
  return test::synthetic_ea3d(
      job, test::gaussian_overlaps(job, [](std::size_t m) { return 1.5 + 0.5 * static_cast<double>(m); }));
}

void expect_near(const Grouping& a, const Grouping& b) {
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.samples, b.samples);
  ASSERT_EQ(a.names, b.names);
  for (const std::string& name : a.names) EXPECT_TRUE(a[name].isApprox(b[name], 1e-13)) << name;
}

TEST(Reduce, ComputesThePrimaryQuantitiesOfASample) {
  SyntheticJob job;
  job.L = 4;
  job.samples = 1;
  job.moments = {1};
  const auto file = test::synthetic_ea3d(job, [](std::size_t, std::size_t, std::int64_t) {
    return test::Ea3dValues{{64, 32, 96, 0}, {8, -8, 16, 0}, {16, -32, 8, 4, 0, 64}, {1024, 2048, 0, 0, 0, 3072}};
  });
  const Grouping blocks = reduce(file, {})[0].blocks;
  EXPECT_DOUBLE_EQ(blocks["e"](0, 0), -(64 + 32 + 96) / 64.0 / 4);
  EXPECT_DOUBLE_EQ(blocks["m2"](0, 0), (64 + 64 + 256) / 64.0 / 4);
  EXPECT_DOUBLE_EQ(blocks["q2"](0, 0), (1 / 16. + 1 / 4. + 1 / 64. + 1 / 256. + 1) / 6);
  EXPECT_DOUBLE_EQ(blocks["q4"](0, 0), (1 / 256. + 1 / 16. + 1 / 4096. + 1 / 65536. + 1) / 6);
  EXPECT_DOUBLE_EQ(blocks["chi_k"](0, 0), (1 + 2 + 3) / 6.0 / 3 / 64);
  // Disjoint: (01)(23), (02)(13), (03)(12).
  EXPECT_DOUBLE_EQ(blocks["q2_q2"](0, 0), (1 / 16. * 1 + 0 + 1 / 64. * 1 / 256.) / 3);
}

TEST(Reduce, MakesPacksTheBlocksOfSharedRandomNumbersAndSamplesThoseOfIndependentOnes) {
  SyntheticJob job;
  job.first_sample = 40;
  job.samples = 60;
  const Ensemble shared = reduce(ea3d(job), {})[0];
  EXPECT_EQ(shared.blocks.ids, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(shared.blocks.samples, Eigen::Vector3d(24, 32, 4));
  job.random = "independent";
  const Ensemble independent = reduce(ea3d(job), {})[0];
  EXPECT_EQ(independent.blocks.size(), 60);
  EXPECT_EQ(independent.blocks.ids[0], 40);
  EXPECT_EQ(independent.packs.size(), 3);
  EXPECT_EQ(reduce(ea3d(job), 10)[0].blocks.ids, (std::vector<std::int64_t>{4, 5, 6, 7, 8, 9}));
}

TEST(Reduce, RefusesBlocksThatWouldSplitAPack) {
  for (const std::int64_t size : {0, -32, 16, 33}) {
    const std::string message = test::refusal([&] { reduce(ea3d({}), size); });
    EXPECT_NE(message.find("give a positive multiple of 32"), std::string::npos) << message;
  }
  EXPECT_EQ(reduce(ea3d({}), 64)[0].blocks.size(), 1);
}

TEST(Reduce, SurvivesTheFile) {
  const test::TemporaryFolder folder;
  SyntheticJob job;
  job.temperatures = {1.0, 1.1};
  const std::vector<Ensemble> before = reduce(ea3d(job), {});
  io::write(folder / "reduced.h5", to_file(before));
  const std::vector<Ensemble> after = from_file(io::read(folder / "reduced.h5", "reduced"));
  ASSERT_EQ(after.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    EXPECT_EQ(after[t].temperature, job.temperatures[t]);
    EXPECT_EQ(after[t].beta, 1 / job.temperatures[t]);
    EXPECT_EQ(after[t].moments, job.moments);
    ASSERT_EQ(after[t].ranges.size(), 1u);
    EXPECT_EQ(after[t].ranges[0].count, 64);
    expect_near(after[t].blocks, before[t].blocks);
    expect_near(after[t].packs, before[t].packs);
  }
}

TEST(Reduce, KeepsTheLastMoments) {
  SyntheticJob job;
  job.moments = {1, 2, 4, 8};
  const Ensemble all = reduce(ea3d(job), {})[0];
  Ensemble last = all;
  keep_last_moments(last, 3);
  EXPECT_EQ(last.moments, (std::vector<std::int64_t>{2, 4, 8}));
  for (const auto& [kept, before] : {std::pair(&last.blocks, &all.blocks), std::pair(&last.packs, &all.packs)})
    for (const std::string& name : before->names) EXPECT_EQ((*kept)[name], (*before)[name].bottomRows(3)) << name;
  keep_last_moments(last, 5);
  EXPECT_EQ(last.moments.size(), 3u);
}

TEST(Reduce, StatesTheDefinitionsOfDerivedNumbersAndReadsFilesWithoutThem) {
  const test::TemporaryFolder folder;
  std::vector<Ensemble> ensembles = reduce(ea3d({}), {});
  const std::map<std::string, std::string> texts = definitions(ensembles[0].preset());
  io::write(folder / "with.h5", to_file(ensembles));
  for (const auto& [name, text] : texts) ensembles[0].attributes.erase(name);
  io::write(folder / "without.h5", to_file(ensembles));
  EXPECT_EQ(texts.size(), 3u);
  for (const auto& [name, text] : texts) {
    EXPECT_EQ(io::read(folder / "with.h5", "reduced").text(name), text);
    EXPECT_FALSE(io::read(folder / "without.h5", "reduced").attributes.contains(name)) << "as in version 0.1";
  }
  expect_near(read_ensembles({folder / "without.h5"})[0].blocks, read_ensembles({folder / "with.h5"})[0].blocks);
}

TEST(Merge, KeepsDefinitionsThatAllFilesState) {
  SyntheticJob first, second;
  second.first_sample = 64;
  std::vector<Ensemble> shards = {reduce(ea3d(first), {})[0], reduce(ea3d(second), {})[0]};
  EXPECT_TRUE(merge(shards)[0].attributes.contains("definition_xi"));
  shards[1].attributes.erase("definition_xi");
  EXPECT_FALSE(merge(shards)[0].attributes.contains("definition_xi"));
}

TEST(Merge, GivesTheSameSumsForAnySplitIntoShards) {
  for (const char* random : {"shared", "independent"}) {
    SyntheticJob job;
    job.random = random;
    job.samples = 100;
    const Ensemble whole = reduce(ea3d(job), {})[0];
    std::vector<Ensemble> shards;
    for (const auto& [first, count] : {std::pair(57, 43), std::pair(0, 40), std::pair(40, 17)}) {
      job.first_sample = first;
      job.samples = count;
      io::LabelledFile file = ea3d(job);
      file.attributes["seconds"] = 0.5 * static_cast<double>(count);
      file.attributes["threads"] = std::int64_t{2};
      file.attributes["ps_per_flip"] = static_cast<double>(count);
      file.attributes["created"] = fmt::format("2025-01-{}", count);
      shards.push_back(reduce(file, {})[0]);
    }
    const std::vector<Ensemble> merged = merge(shards);
    ASSERT_EQ(merged.size(), 1u);
    ASSERT_EQ(merged[0].ranges.size(), 1u);
    EXPECT_EQ(merged[0].ranges[0].count, 100);
    EXPECT_EQ(merged[0].attributes.count("samples"), 0u) << "the ranges say it";
    EXPECT_EQ(merged[0].attributes.count("seconds"), 0u) << "what differs belongs to no part";
    EXPECT_EQ(merged[0].attributes.at("device"), io::Attribute("machine 0 / machine 40 / machine 57"));
    EXPECT_EQ(merged[0].attributes.at("created"), io::Attribute("2025-01-43"));
    EXPECT_EQ(merged[0].integer("shards"), 3);
    EXPECT_DOUBLE_EQ(std::get<double>(merged[0].attributes.at("core_seconds")), 100);
    EXPECT_DOUBLE_EQ(std::get<double>(merged[0].attributes.at("ps_per_flip")), 100. / 3);
    expect_near(merged[0].blocks, whole.blocks);
    expect_near(merged[0].packs, whole.packs);
  }
}

/// The refusal to merge two jobs, the second being the first as changed by `change` with samples 64 to 127.
template <class Change>
std::string merge_refusal(Change change) {
  SyntheticJob first, second;
  second.first_sample = 64;
  change(second);
  const std::string message = test::refusal([&] { merge({reduce(ea3d(first), {})[0], reduce(ea3d(second), {})[0]}); });
  EXPECT_TRUE(test::is_one_sentence(message)) << message;
  return message;
}

TEST(Merge, RefusesShardsThatOverlap) {
  const std::string message = merge_refusal([](SyntheticJob& job) { job.first_sample = 60; });
  EXPECT_NE(message.find("both hold the samples 60 to 63"), std::string::npos) << message;
}

TEST(Merge, RefusesFilesOfDifferentJobs) {
  const auto expect = [](auto change, const std::string& part) {
    const std::string message = merge_refusal(change);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect([](SyntheticJob& job) { job.seed = 2; }, "their seed differs (1 and 2)");
  expect([](SyntheticJob& job) { job.random = "independent"; }, "their random differs (shared and independent)");
  expect([](SyntheticJob& job) { job.replicas = 2; }, "their replicas differs (4 and 2)");
  expect([](SyntheticJob& job) { job.moments = {1, 2, 8}; }, "their sweeps differs (4 and 8)");
  expect([](SyntheticJob& job) { job.moments = {1, 3, 4}; }, "measured at different times");
}

TEST(Merge, JoinsShardsOfOwnSamplesAndRefusesThemNextToThoseOfASeed) {
  const auto shard = [](std::int64_t first, const std::string& hash) {
    SyntheticJob job;
    job.first_sample = first;
    io::LabelledFile file = ea3d(job);
    if (!hash.empty()) file.attributes.insert({{"disorder", std::string("given")}, {"disorder_hash", hash}});
    return reduce(file, {})[0];
  };
  const std::vector<Ensemble> merged = merge({shard(0, "1"), shard(64, "2"), shard(128, "3")});
  EXPECT_EQ(merged.at(0).attributes.at("disorder"), io::Attribute(std::string("given")));
  EXPECT_FALSE(merged[0].attributes.contains("disorder_hash"));
  const std::string message = test::refusal([&] { merge({shard(0, "1"), shard(64, "2"), shard(128, "")}); });
  test::expect_sentence(message, "their disorder differs (given and none)");
}

TEST(Merge, RefusesSamplesThatAreNotTheExpectedOnes) {
  SyntheticJob job;
  std::vector<Ensemble> shards = {reduce(ea3d(job), {})[0]};
  EXPECT_NO_THROW(require_samples(shards, {0, 64}));
  job.first_sample = 96;
  shards.push_back(reduce(ea3d(job), {})[0]);
  const std::string message = test::refusal([&] { require_samples(merge(shards), {0, 160}); });
  test::expect_sentence(message, "the files hold 0:64, 96:64");
}

TEST(Reduce, RefusesAFileOfAnotherStreamVersion) {
  io::LabelledFile file = ea3d({});
  file.path = "shard.h5";
  file.attributes["stream_version"] = std::int64_t{stream_version + 1};
  const std::string message = test::refusal([&] { reduce(file, {}); });
  test::expect_sentence(message, "simulate it again with this program");
}

TEST(Reduce, RefusesAFileWithoutSamples) {
  SyntheticJob job;
  job.samples = 0;
  EXPECT_NE(test::refusal([&] { reduce(ea3d(job), {}); }).find("it holds no measurements"), std::string::npos);
}

TEST(Reduce, RefusesAFileThatLacksADatasetOrHasOtherAxes) {
  io::LabelledFile file = ea3d({});
  file.path = "shard.h5";
  std::swap(file.datasets[1].axes[0], file.datasets[1].axes[1]);
  EXPECT_NE(test::refusal([&] { reduce(file, {}); }).find("its dataset bond_sum is not over the axes"),
            std::string::npos);
  file.datasets.pop_back();
  file.datasets.erase(file.datasets.begin() + 1);
  EXPECT_NE(test::refusal([&] { reduce(file, {}); }).find("its dataset bond_sum is missing"), std::string::npos);
  file.attributes["model"] = std::string("potts");
  EXPECT_NE(test::refusal([&] { reduce(file, {}); }).find("its model potts is unknown"), std::string::npos);
}

TEST(Reduce, SumsProductsOverAllSamplesOfAllShards) {
  SyntheticJob job;
  const Ensemble one = reduce(ea3d(job), {})[0];
  job.first_sample = 64;
  const Ensemble both = merge({one, reduce(ea3d(job), {})[0]})[0];
  EXPECT_EQ(both.products.size(), 1);
  EXPECT_EQ(both.products.samples[0], 128);
  EXPECT_EQ(both.products.names.size(), 21u) << "six quantities, each pair once";
  job.first_sample = 0;
  job.samples = 128;
  const Ensemble whole = reduce(ea3d(job), {})[0];
  for (const std::string name : {"e.e", "q2.q4", "q2_q2.q2_q2"})
    EXPECT_LT((both.products[name] - whole.products[name]).norm(), 1e-12 * whole.products[name].norm()) << name;
}

TEST(Reduce, LeavesOutPacksWhereAskedAndMergesOnlyWhatAllShardsHold) {
  SyntheticJob job;
  const Ensemble without = reduce(ea3d(job), 64, false)[0];
  EXPECT_EQ(without.packs.size(), 0);
  const std::vector<Ensemble> back = from_file(to_file({without}));
  EXPECT_EQ(back[0].packs.size(), 0);
  EXPECT_EQ(back[0].products.samples[0], 64);
  job.first_sample = 64;
  const Ensemble with = reduce(ea3d(job), 64)[0];
  EXPECT_EQ(with.packs.size(), 2);
  EXPECT_EQ(merge({without, with})[0].packs.size(), 0);
  EXPECT_EQ(merge({without, with})[0].products.samples[0], 128);
}

}  // namespace
}  // namespace psflip::analysis
