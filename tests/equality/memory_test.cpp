#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "member_jobs.hpp"
#include "refused.hpp"

// The memory of a job is computed before anything is allocated, and what does not fit is refused.
namespace psflip::equality {
namespace {

constexpr double mib = 1 << 20;

class Memory : public Refused {
 protected:
  /// A job with about 100 MB: what --print-memory says, and what the process takes.
  void expect_computed_memory(const JobLine& job) {
    Arguments arguments = job.arguments(output());
    const Outcome outcome = run(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
    arguments.push_back("--print-memory");
    const double computed = nlohmann::json::parse(output_of(arguments))["bytes"];
    const auto measured = static_cast<double>(outcome.peak_bytes);
    EXPECT_GT(measured, 60 * mib) << "too small for a comparison";
    EXPECT_NEAR(computed / measured, 1, 0.25) << computed / mib << " MiB computed, " << measured / mib << " measured";
  }
};

JobLine glass(const std::string& L, const std::string& samples, const std::string& sweeps) {
  return {"",
          "ea3d",
          "relaxation",
          {{"--L", L}, {"--T", "1.1"}, {"--samples", "0:" + samples}, {"--sweeps", sweeps}, {"--seed", "1"}},
          {}};
}

TEST_F(Memory, of_measurements_is_computed) { expect_computed_memory(glass("4", "131072", "4")); }

TEST_F(Memory, of_files_with_spins_and_disorder_is_computed) {
  JobLine job = glass("16", "2048", "1");
  job.flags = {"--save-spins", "--save-disorder"};
  expect_computed_memory(job);
}

TEST_F(Memory, of_checkpoints_is_computed) {
  const std::string checkpoint = (folder_ / "checkpoint.h5").string();
  expect_computed_memory(glass("8", "32768", "4").with("--checkpoint", checkpoint).with("--checkpoint-interval", "0"));
}

TEST_F(Memory, of_packed_sites_is_computed) {
  JobLine job = glass("1024", "512", "1").with("--packing", "sites").with("--T", "2.3");
  job.model = "ising2d";
  expect_computed_memory(job);
}

TEST_F(Memory, of_bins_and_times_is_computed) {
  JobLine job = glass("8", "1024", "1280").with("--bins", "640").with("--measure-interval", "2").with("--T", "2.3");
  job.model = "ising2d";
  job.method = "equilibrium";
  expect_computed_memory(job);
}

TEST_F(Memory, of_more_samples_than_fit_is_refused_at_once) {
  for (const char* L : {"4", "64", "256"})
    expect_refused(glass(L, "35184372088832", "4000"), {"the job needs ", " GiB", "available", "--samples", "--L"});
  JobLine job = glass("64", "4000000000", "3200");
  expect_refused(job, {"the job needs ", " GiB", "available", "--samples", "--L", "ranks"});
  for (const char* model : {"ising2d", "ising3d", "ea2d"}) {
    job.model = model;
    expect_refused(job.with("--L", "4"), {"GiB"});
    job.method = "equilibrium";
    expect_refused(job.with("--L", "4"), {"GiB"});
    job.method = "tempering";
    expect_refused(job.with("--L", "4").with("--T", "1,2,3"), {"GiB"});
    job.method = "relaxation";
  }
}

TEST_F(Memory, of_more_measurements_than_fit_is_refused_at_once) {
  JobLine job = glass("4", "32", "2147483647").with("--bins", "2147483647").with("--measure-interval", "1");
  job.method = "equilibrium";
  expect_refused(job.with("--samples", "0:3200"), {"GiB"});
}

TEST_F(Memory, of_an_adapted_grid_is_that_of_its_last_trial) {
  JobLine job = glass("32", "65536", "40").with("--trials", "10").with("--insertions", "20").with("--T", "1,2");
  job.method = "adapt";
  expect_refused(job.with("--max-memory", "40"), {"GiB", "--max-memory 40"});
}

TEST_F(Memory, that_a_user_allows_is_the_limit) {
  const JobLine job = glass("4", "32", "4");
  expect_refused(job.with("--max-memory", "0.001"), {"the job needs 0.0", " GiB", "--max-memory 0.001", "--samples"});
  for (const char* limit : {"0", "-1", "nan", "inf"})
    expect_refused(job.with("--max-memory", limit), {"--max-memory", "GiB", "for example"});
  EXPECT_EQ(run(job.with("--max-memory", "1").arguments(output())).exit_code, 0);
}

TEST_F(Memory, is_printed_without_a_simulation) {
  Arguments arguments = glass("64", "4000000000", "4000").arguments(output());
  arguments.push_back("--print-memory");
  const nlohmann::json memory = nlohmann::json::parse(output_of(arguments));
  const double spins = 4e9 * 64 * 64 * 64 * 4 / 8;
  EXPECT_GT(memory["bytes"], spins);
  EXPECT_LT(memory["bytes"], 3 * spins);
  EXPECT_EQ(memory["ranks"], 1);
  EXPECT_GT(memory["available_bytes"], 0);
  EXPECT_TRUE(memory["gpu_bytes"].is_null() || memory["backend"] == "cuda");
  EXPECT_TRUE(folder_.empty());
}

struct Member {
  Preset preset;
  Method method;
};
void PrintTo(const Member& member, std::ostream* stream) { *stream << member.preset.name << name_of(member.method); }

std::vector<Member> members() {
  std::vector<Member> all;
  for (const Preset& preset : presets)
    for (const Method method : methods_of(preset)) all.push_back({preset, method});
  return all;
}

class MemoryOfMembers : public Memory, public testing::WithParamInterface<Member> {};

/// Most of it spins and disorder: 80 MiB.
TEST_P(MemoryOfMembers, is_computed) {
  const auto& [preset, method] = GetParam();
  const bool is_tempered = method == Method::tempering;
  const std::uint64_t L = preset.dimension == 3 ? 32 : 128, sites = preset.dimension == 3 ? L * L * L : L * L;
  const std::uint64_t replicas = preset.has_random_bonds() ? 4 : preset.has_disorder() || is_tempered ? 2 : 1;
  const std::uint64_t disorder = preset.has_random_bonds()   ? static_cast<std::uint64_t>(preset.dimension)
                                 : preset.has_random_field() ? 1
                                                             : 0;
  const std::uint64_t bits = sites * ((is_tempered ? 2 : 1) * replicas + disorder), pack = 32;
  const std::uint64_t samples = (80 << 23) / bits / pack * pack;
  JobLine job{"",
              std::string(preset.name),
              std::string(name_of(method)),
              {{"--L", std::to_string(L)}, {"--T", "4"}, {"--samples", fmt::format("64:{}", samples)}, {"--seed", "1"}},
              {}};
  job.options["--sweeps"] = "2";
  if (preset.has_random_field()) job.options["--h"] = "1";
  if (method == Method::equilibrium) job = job.with("--bins", "1").with("--measure-interval", "1");
  if (is_tempered) job = job.with("--T", "4,4.1").with("--exchange-interval", "1");
  expect_computed_memory(job);
}

INSTANTIATE_TEST_SUITE_P(Members, MemoryOfMembers, testing::ValuesIn(members()), [](const auto& member) {
  return fmt::format("{}_{}", member.param.preset.name, name_of(member.param.method));
});

}  // namespace
}  // namespace psflip::equality
