#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "command.hpp"
#include "member_jobs.hpp"

// Every preset with every method has its tests on every backend. ctest says which tests this build has.
namespace psflip::equality {
namespace {

struct ListedTest {
  std::string name;
  std::vector<std::string> labels;
};

/// ctest prints several labels of a test as one, with semicolons between them.
std::vector<std::string> labels_of(const nlohmann::json& test) {
  std::vector<std::string> labels;
  for (const auto& property : test.at("properties")) {
    if (property.at("name") != "LABELS") continue;
    for (const std::string printed : property.at("value")) {
      std::istringstream items(printed);
      for (std::string label; std::getline(items, label, ';');) labels.push_back(label);
    }
  }
  return labels;
}

/// All tests that ctest lists.
std::vector<ListedTest> listed_tests() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen("\"" PSFLIP_CTEST "\" --test-dir \"" PSFLIP_BUILD "\" --show-only=json-v1", "r"), pclose);
  std::string text;
  std::array<char, 65536> chunk;
  for (std::size_t n = 0; (n = fread(chunk.data(), 1, chunk.size(), pipe.get())) > 0;) text.append(chunk.data(), n);
  std::vector<ListedTest> tests;
  const nlohmann::json listed = nlohmann::json::parse(text.substr(text.find('{')));
  for (const auto& test : listed.at("tests")) tests.push_back({test.at("name"), labels_of(test)});
  return tests;
}

/// A required test: its label, and how its name begins, before the parameter PRESET_METHOD.
struct Rule {
  std::string backend, kind, label, pattern;
};

const std::string exact_tests = "Exact/[A-Za-z]+\\.[a-z_]+";
const std::string file_against_oracle = "Presets/(Relaxation|Equilibrium|Sums)File\\.has_.*_of_the_oracle_.*";

/// Of every preset with every method. Exact results are those of the CPU engine: equality with the oracle hands them on
/// to the oracle and to every other backend.
std::vector<Rule> rules_of_engines() {
  return {{"oracle and cpu", "exact", "exact", exact_tests},
          {"oracle and cpu", "equality", "equality", "Cpu/Members\\.have_the_trajectories_of_the_oracle.*"},
          {"oracle and cpu", "restart", "equality", "Cpu/Members\\.continue_a_restored_configuration.*"},
          {"ranks", "equality", "equality", "Ranks/Members\\.have_the_trajectories_of_the_oracle.*"},
          {"ranks", "restart", "equality", "Ranks/Members\\.continue_a_restored_configuration.*"}};
}

/// Of every preset with the methods that the executable has for it.
std::vector<Rule> rules_of_jobs() {
  std::vector<Rule> rules = {{"oracle", "file", "equality", file_against_oracle},
                             {"cpu", "file", "equality", "Members/Files\\.every_word_width_and_number_of_threads.*"},
                             {"cpu", "restart", "equality", "Members/Files\\.a_job_stopped_at_its_first_checkpoint.*"},
                             {"ranks", "file", "mpi", "Members/SmallJobs\\.one_to_four_ranks_give_the_data.*"},
                             {"ranks", "restart", "mpi", "Members/SmallJobs\\.checkpoints_of_.*_are_continued.*"}};
#ifdef PSFLIP_WITH_CUDA
  rules.insert(rules.end(),
               {{"cuda", "equality", "cuda", "Cuda/Members\\.have_the_trajectories_of_the_oracle.*"},
                {"cuda", "restart", "cuda", "Cuda/Members\\.continue_a_restored_configuration.*"},
                {"cuda", "file", "cuda", "Members/CudaFiles\\.are_those_of_the_cpu"},
                {"cuda", "restart", "cuda", "Members/CudaFiles\\.stopped_at_their_first_checkpoint_.*"},
                {"ranks with GPUs", "equality", "cuda", "CudaRanks/Members\\.have_the_trajectories_of_the_oracle.*"},
                {"ranks with GPUs", "restart", "cuda", "CudaRanks/Members\\.continue_a_restored_configuration.*"},
                {"ranks with GPUs", "file", "cuda", "Members/CudaRanks\\.one_to_four_give_the_data.*"},
                {"ranks with GPUs", "restart", "cuda", "Members/CudaRanks\\.continue_each_others_checkpoints_.*"}});
#endif
  return rules;
}

void add_missing(const std::string& pair, const std::vector<Rule>& rules, const std::vector<ListedTest>& tests,
                 std::vector<std::string>& missing) {
  for (const Rule& rule : rules) {
    const std::regex pattern(rule.pattern + "/" + pair);
    const auto is_required = [&](const ListedTest& test) {
      return std::find(test.labels.begin(), test.labels.end(), rule.label) != test.labels.end() &&
             std::regex_match(test.name, pattern);
    };
    if (std::none_of(tests.begin(), tests.end(), is_required))
      missing.push_back(pair + " on " + rule.backend + ": " + rule.kind + " (" + rule.pattern + ")");
  }
}

/// Preset, method, backend and kind of every test that is missing.
std::vector<std::string> missing_tests(const std::vector<ListedTest>& tests) {
  std::vector<std::string> missing;
  for (const Preset& preset : presets) {
    for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering})
      add_missing(member_job(preset, method).name, rules_of_engines(), tests, missing);
    for (const Method method : methods_of(preset))
      add_missing(member_job(preset, method).name, rules_of_jobs(), tests, missing);
  }
  return missing;
}

TEST(Completeness, every_preset_method_and_backend_has_tests_of_equality_restarts_files_and_exact_results) {
  const std::vector<ListedTest> tests = listed_tests();
  for (const ListedTest& test : tests)
    ASSERT_EQ(test.name.find("_NOT_BUILT"), std::string::npos) << test.name << ": build all tests first";
  for (const std::string& test : missing_tests(tests)) ADD_FAILURE() << "no test of " << test;
}

/// Names the tests that miss if those are removed whose names match the pattern, or lose their labels.
std::vector<std::string> missing_without(const std::string& pattern, bool only_their_labels) {
  std::vector<ListedTest> kept;
  for (ListedTest test : listed_tests()) {
    const bool matches = std::regex_match(test.name, std::regex(pattern));
    if (matches && only_their_labels) test.labels.clear();
    if (!matches || only_their_labels) kept.push_back(test);
  }
  return missing_tests(kept);
}

TEST(Completeness, a_missing_test_is_named) {
  for (const bool only_labels : {false, true}) {
    const auto restarts = missing_without("Cpu/Members\\.continue_.*/ea3d_relaxation", only_labels);
    ASSERT_EQ(restarts.size(), 1U);
    EXPECT_EQ(restarts[0].find("ea3d_relaxation on oracle and cpu: restart"), 0U) << restarts[0];
    const auto exact = missing_without("Exact/.*/rfim3d_tempering", only_labels);
    ASSERT_EQ(exact.size(), 1U);
    EXPECT_EQ(exact[0].find("rfim3d_tempering on oracle and cpu: exact"), 0U) << exact[0];
    const auto files = missing_without("Members/SmallJobs\\.one_to_four_.*/ising2d_equilibrium", only_labels);
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files[0].find("ising2d_equilibrium on ranks: file"), 0U) << files[0];
  }
}

/// Of the executable, not of this program: a method that it gains needs its tests.
TEST(Completeness, the_executable_has_the_methods_that_are_tested_and_no_others) {
  for (const Preset& preset : presets) {
    const std::vector<Method> methods = methods_of(preset);
    for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering}) {
      const bool is_tested = std::find(methods.begin(), methods.end(), method) != methods.end();
      const Outcome help = run({std::string(preset.name), std::string(name_of(method)), "--help"});
      EXPECT_EQ(help.exit_code == 0, is_tested) << preset.name << " " << name_of(method);
    }
  }
}

}  // namespace
}  // namespace psflip::equality
