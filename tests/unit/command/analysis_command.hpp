#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/unit/temporary_folder.hpp"

/// The executable psflip-analysis from outside: files in, tables out, one sentence and exit code 2 for what it must
/// refuse.
namespace psflip::test {

class AnalysisCommand : public testing::Test {
 protected:
  struct Outcome {
    int code;
    std::string out, err;
  };

  /// Runs `psflip-analysis arguments` inside the folder of the test.
  Outcome run(const std::string& arguments) {
    const std::string command =
        "cd " + (folder / ".").string() + " && " + PSFLIP_ANALYSIS + " " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    Outcome outcome{WEXITSTATUS(status), text(".out"), text(".err")};
    std::filesystem::remove(folder / ".out");
    std::filesystem::remove(folder / ".err");
    return outcome;
  }

  std::string text(const std::string& name) {
    const std::vector<char> bytes = slurp(folder / name);
    return {bytes.begin(), bytes.end()};
  }

  void expect_success(const std::string& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }

  /// Expects exit code 2, one sentence on stderr that contains `part`, nothing on stdout and no new file.
  void expect_refusal(const std::string& arguments, const std::string& part) {
    const std::size_t before = folder.entries();
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    ASSERT_FALSE(outcome.err.empty());
    EXPECT_EQ(outcome.err.back(), '\n');
    outcome.err.pop_back();
    EXPECT_TRUE(is_one_sentence(outcome.err)) << outcome.err;
    EXPECT_EQ(folder.entries(), before) << arguments;
  }

  /// Rows of a table, the header first, split at commas.
  std::vector<std::vector<std::string>> table(const std::string& name) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text(name));
    for (std::string row; std::getline(lines, row);) {
      rows.emplace_back();
      for (std::size_t start = 0; start <= row.size();) {
        const std::size_t comma = std::min(row.find(',', start), row.size());
        rows.back().push_back(row.substr(start, comma - start));
        start = comma + 1;
      }
    }
    return rows;
  }

  TemporaryFolder folder;
};

}  // namespace psflip::test
