#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "refused.hpp"

// Grids of temperatures, through the executable.
namespace psflip::equality {
namespace {

using Reals = std::vector<double>;

class Adapt : public Refused {
 protected:
  nlohmann::json grid_of(const JobLine& job) const {
    const auto path = folder_ / "grid.json";
    const Outcome outcome = run(job.arguments(path));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    nlohmann::json grid = nlohmann::json::parse(std::ifstream(path), nullptr, false);
    grid.erase("created");
    return grid;
  }

  void expect_adapt_refused(const JobLine& job, const std::vector<std::string>& words) {
    expect_refused(job.arguments(output()), words);
  }

  const JobLine insert_ = {"insert",
                           "rfim3d",
                           "adapt",
                           {{"--L", "8"},
                            {"--h", "1"},
                            {"--T", "2.8,4.7"},
                            {"--slots", "5"},
                            {"--samples", "0:64"},
                            {"--sweeps", "200"},
                            {"--trials", "3"},
                            {"--insertions", "2"},
                            {"--seed", "3"}},
                           {}};
  const JobLine equal_ = insert_.with("--method", "equal-rates").with("--slots", "8").with("--sweeps", "1000");
};

double lowest(const nlohmann::json& trial) {
  const Reals rates = trial["rates"];
  return *std::min_element(rates.begin(), rates.end());
}
double spread(const nlohmann::json& trial) {
  const Reals rates = trial["rates"];
  return *std::max_element(rates.begin(), rates.end()) - lowest(trial);
}

TEST_F(Adapt, insertion_halves_the_intervals_with_the_lowest_rates) {
  const nlohmann::json grid = grid_of(insert_), trials = grid["trials"];
  ASSERT_EQ(trials.size(), 4U);
  EXPECT_EQ(trials[0]["temperatures"].size(), 5U);
  for (std::size_t i = 0; i + 1 < trials.size(); ++i) {
    Reals expected = trials[i]["temperatures"], rates = trials[i]["rates"], T = expected;
    for (int insertion = 0; insertion < 2; ++insertion) {
      const auto worst = std::min_element(rates.begin(), rates.end());
      const auto k = static_cast<std::size_t>(worst - rates.begin());
      expected.push_back((T[k] + T[k + 1]) / 2);
      *worst = 2;
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(trials[i + 1]["temperatures"].get<Reals>(), expected);
  }
  EXPECT_EQ(grid["temperatures"], trials.back()["temperatures"]);
  EXPECT_EQ(grid["rates"], trials.back()["rates"]);
  EXPECT_GT(lowest(grid), lowest(trials[0]));
}

TEST_F(Adapt, equal_rates_moves_slots_between_fixed_ends_until_they_exchange_equally_often) {
  const nlohmann::json grid = grid_of(equal_), first = grid["trials"][0];
  const Reals T = grid["temperatures"];
  EXPECT_EQ(T.size(), 8U);
  EXPECT_EQ(T.front(), 2.8);
  EXPECT_EQ(T.back(), 4.7);
  EXPECT_TRUE(std::is_sorted(T.begin(), T.end()));
  EXPECT_LT(spread(grid), spread(first) / 3);
  EXPECT_GT(lowest(grid), lowest(first));
}

TEST_F(Adapt, an_adapted_grid_exchanges_more_often_than_an_equally_spaced_one_with_more_slots) {
  const JobLine job = equal_.with("--L", "16").with("--samples", "0:128").with("--sweeps", "400");
  const nlohmann::json dense = grid_of(job.with("--slots", "21").with("--trials", "0"));
  const nlohmann::json adapted = grid_of(job.with("--slots", "19").with("--trials", "2"));
  EXPECT_GE(lowest(adapted), 0.2);
  EXPECT_GT(lowest(adapted), lowest(dense));
}

TEST_F(Adapt, stops_as_soon_as_the_lowest_rate_is_enough) {
  const nlohmann::json all = grid_of(insert_), trials = all["trials"];
  const std::string target = nlohmann::json(lowest(trials[1])).dump();
  const nlohmann::json stopped = grid_of(insert_.with("--target", target));
  EXPECT_EQ(stopped["trials"].size(), lowest(trials[0]) >= lowest(trials[1]) ? 1U : 2U);
}

TEST_F(Adapt, gives_the_same_grid_on_every_word_width_and_number_of_threads) {
  const nlohmann::json expected = grid_of(insert_);
  EXPECT_EQ(grid_of(insert_.with("--word-bits", "64").with("--threads", "2")), expected);
}

TEST_F(Adapt, the_job_stored_in_a_grid_makes_it_again) {
  const nlohmann::json first = grid_of(insert_);
  std::ofstream(folder_ / "job.toml") << first["job"].get<std::string>();
  const auto again = folder_ / "again.json";
  const Outcome outcome =
      run({"--config", (folder_ / "job.toml").string(), "rfim3d", "adapt", "--output", again.string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(again))["trials"], first["trials"]);
}

TEST_F(Adapt, a_grid_is_the_input_of_a_production_job) {
  const nlohmann::json grid = grid_of(insert_);
  JobLine job = small_random_field().with("--L", "8").with("--grid", (folder_ / "grid.json").string());
  job.options.erase("--T");
  EXPECT_EQ(file_of(job, output()).values<double>("temperature"), grid["temperatures"].get<Reals>());
  std::filesystem::remove(output());
  expect_refused(job.with("--L", "4"), {"--grid", "L = 8", "L = 4"});
}

TEST_F(Adapt, options_that_make_no_grid_are_refused) {
  expect_adapt_refused(insert_.with("--slots", "1"), {"--slots 1"});
  expect_adapt_refused(insert_.with("--slots", "257"), {"--slots 257", "256"});
  expect_adapt_refused(insert_.with("--T", "2.8,3,4.7"), {"--slots", "--T LOW,HIGH"});
  expect_adapt_refused(insert_.with("--T", "4.7,2.8"), {"--T", "increasing"});
  expect_adapt_refused(insert_.with("--T", "2.8,nan"), {"--T"});
  expect_adapt_refused(insert_.with("--method", "inserts"), {"--method inserts", "insert?"});
  expect_adapt_refused(insert_.with("--trials", "-1"), {"--trials -1"});
  expect_adapt_refused(insert_.with("--trials", "200"), {"--trials 200", "405", "256"});
  expect_adapt_refused(insert_.with("--insertions", "0"), {"--insertions 0"});
  expect_adapt_refused(insert_.with("--target", "1.5"), {"--target 1.5"});
  expect_adapt_refused(insert_.with("--target", "nan"), {"--target"});
  expect_adapt_refused(insert_.with("--sweeps", "30"), {"--sweeps 30", "4"});
  expect_adapt_refused(insert_.with("--random", "shared"), {"--random shared"});
  expect_adapt_refused(insert_.with("--bins", "3"), {"--bins"});
  expect_adapt_refused(insert_.with("--measure-interval", "20"), {"--measure-interval", "adapt"});
  expect_adapt_refused(insert_.with("--longer", "1:2"), {"--longer", "only tempering"});
  expect_adapt_refused(insert_.with("--checkpoint", (folder_ / "c.h5").string()), {"--checkpoint"});
  JobLine grid = insert_.with("--grid", (folder_ / "grid.json").string());
  grid.options.erase("--T");
  expect_adapt_refused(grid, {"--grid", "adapt"});
  JobLine flags = insert_;
  flags.flags = {"--save-spins"};
  expect_adapt_refused(flags, {"--save-spins"});
  expect_refused(insert_.arguments(folder_ / "no" / "folder.json"), {"--output"});
}

}  // namespace
}  // namespace psflip::equality
