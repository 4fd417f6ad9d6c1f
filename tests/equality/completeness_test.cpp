#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

#include "command.hpp"
#include "member_jobs.hpp"

// Every preset, method and backend has its tests. The names of all tests of the build say which exist.
namespace psflip::equality {
namespace {

/// What `ctest` lists.
std::vector<std::string> names_of_tests() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen("\"" PSFLIP_CTEST "\" --test-dir \"" PSFLIP_BUILD "\" --show-only=json-v1", "r"), pclose);
  std::string text;
  std::array<char, 65536> chunk;
  for (std::size_t n = 0; (n = fread(chunk.data(), 1, chunk.size(), pipe.get())) > 0;) text.append(chunk.data(), n);
  const nlohmann::json listed = nlohmann::json::parse(text.substr(text.find('{')));
  std::vector<std::string> names;
  for (const auto& test : listed.at("tests")) names.push_back(test.at("name"));
  return names;
}

/// A kind of test on a backend: how its name begins, up to the parameter PRESET_METHOD.
struct Kind {
  std::string name, pattern;
};

std::vector<Kind> required_kinds() {
  std::vector<Kind> kinds = {{"equality, cpu", "Cpu/Members\\.have_the_trajectories_of_the_oracle.*"},
                             {"restart, cpu", "Cpu/Members\\.continue_a_restored_configuration.*"},
                             {"file, cpu", "Members/Files\\.every_word_width_and_number_of_threads.*"},
                             {"restart from a file, cpu", "Members/Files\\.a_job_stopped_at_its_first_checkpoint.*"},
                             {"equality, ranks", "Ranks/Members\\.have_the_trajectories_of_the_oracle.*"},
                             {"restart, ranks", "Ranks/Members\\.continue_a_restored_configuration.*"},
                             {"file, ranks", "Members/SmallJobs\\.one_to_four_ranks_give_the_data.*"},
                             {"exact", "Exact/[A-Za-z]+\\.[a-z_]+"}};
#ifdef PSFLIP_WITH_CUDA
  kinds.insert(kinds.end(), {{"equality, cuda", "Cuda/Members\\.have_the_trajectories_of_the_oracle.*"},
                             {"restart, cuda", "Cuda/Members\\.continue_a_restored_configuration.*"},
                             {"file, cuda", "Members/CudaFiles\\.are_those_of_the_cpu"},
                             {"equality, ranks with a GPU each", "CudaRanks/Members\\.have_the_trajectories.*"},
                             {"restart, ranks with a GPU each", "CudaRanks/Members\\.continue_a_restored.*"}});
#endif
  return kinds;
}

/// Preset, method and kind of every test that is missing.
std::vector<std::string> missing_tests(const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  for (const Preset& preset : presets) {
    for (const Method method : methods_of(preset)) {
      const std::string pair = member_job(preset, method).name;
      for (const Kind& kind : required_kinds()) {
        const std::regex pattern(kind.pattern + "/" + pair);
        if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return std::regex_match(name, pattern); }))
          missing.push_back(pair + ": " + kind.name);
      }
    }
  }
  return missing;
}

TEST(Completeness, every_preset_method_and_backend_has_tests_of_equality_restarts_files_and_exact_results) {
  const std::vector<std::string> names = names_of_tests();
  ASSERT_GT(names.size(), 1000U) << "ctest does not list the tests of this build";
  for (const std::string& test : missing_tests(names)) ADD_FAILURE() << "no test of " << test;
}

TEST(Completeness, a_missing_test_is_named) {
  std::vector<std::string> names = names_of_tests();
  std::erase_if(names, [](const std::string& name) { return name.find("Cpu/Members.continue") == 0; });
  const std::vector<std::string> missing = missing_tests(names);
  EXPECT_NE(std::find(missing.begin(), missing.end(), "ea3d_relaxation: restart, cpu"), missing.end());
}

/// methods_of() lists what the executable has, so that a method that it gains needs its tests.
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
