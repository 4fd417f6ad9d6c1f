#include <gtest/gtest.h>

#include <fstream>

#include "jobs.hpp"
#include "refused.hpp"

// What `psflip rfim3d` must refuse: exit code 2, one line on stderr that names the culprit, no file left behind.
namespace psflip::equality {
namespace {

class TemperingRefusals : public Refused {
 protected:
  JobLine with_grid(const std::string& text) const {
    std::ofstream(folder_ / "grid.json") << text;
    JobLine job = field_;
    job.options.erase("--T");
    return job.with("--grid", (folder_ / "grid.json").string());
  }

  const JobLine field_ = small_random_field();
  const std::string grid_ =
      R"({"format": "psflip grid", "format_version": 1, "L": 4, "J": 1.0, "h": 1.0, "method": "insert",
          "temperatures": [3.4, 3.8, 4.3, 5.0], "rates": [0.5, 0.5, 0.5], "trials": [], "job": ""})";
};

TEST_F(TemperingRefusals, fewer_than_two_slots_are_refused) {
  expect_refused(field_.with("--T", "3.8"), {"--T", "at least 2"});
  expect_refused(field_.with("--T", ""), {"--T"});
  JobLine none = field_;
  none.options.erase("--T");
  expect_refused(none, {"--T", "at least 2"});
}

TEST_F(TemperingRefusals, more_slots_than_have_random_numbers_are_refused) {
  std::string T = "1";
  for (int k = 1; k < 257; ++k) T.append(",").append(std::to_string(1 + 0.01 * k));
  expect_refused(field_.with("--T", T), {"--T", "257", "256"});
}

TEST_F(TemperingRefusals, unordered_and_duplicate_temperatures_are_refused) {
  expect_refused(field_.with("--T", "3.4,4.3,3.8"), {"--T", "4.3", "3.8", "increasing"});
  expect_refused(field_.with("--T", "3.4,3.8,3.8"), {"--T", "3.8", "once"});
  expect_refused(field_.with("--T", "4.3,3.8"), {"--T", "increasing"});
  expect_refused(field_.with("--T", "3.8,3.8000000000000003"), {"--T"});
}

TEST_F(TemperingRefusals, a_temperature_that_is_not_positive_and_finite_is_refused) {
  for (const char* T : {"-1.1,2", "0,1", "nan,1", "3,inf", "3,nan"})
    expect_refused(field_.with("--T", T), {"--T", "positive"});
  expect_refused(field_.with("--T", "3,warm"), {"--T", "warm"});
}

TEST_F(TemperingRefusals, energies_beyond_the_range_of_a_double_are_refused) {
  expect_refused(field_.with("--h", "1e308"), {"--h 1e+308", "range of double"});
  expect_refused(field_.with("--T", "1e-308,1"), {"--T 1e-308", "range of double"});
}

TEST_F(TemperingRefusals, empty_values_and_gaps_in_lists_are_refused) {
  for (const char* option : {"--h", "--J", "--bins", "--exchange-interval", "--measure-interval", "--longer"})
    expect_refused(field_.with(option, ""), {option, "empty"});
  expect_refused(field_.with("--T", "3,,4"), {"--T", "numbers with commas"});
}

TEST_F(TemperingRefusals, slots_of_link_overlaps_that_are_not_there_or_named_twice_are_refused) {
  JobLine glass = small_longer_spin_glass();
  const std::string option = "--link-overlap-slots";
  expect_refused(glass.with(option, "0,4"), {option, "no slot 4", "0 (coldest) to 3"});
  expect_refused(glass.with(option, "3,0,3"), {option, "slot 3 twice"});
  for (const char* text : {"-1", "0,,1", "cold", "1.5", "0,"})
    expect_refused(glass.with(option, text), {option, "for example 0,5"});
  expect_refused(glass.with(option, "99999999999999999999"), {option, "64 bits"});
  expect_refused(glass.with(option, "0").with("--replicas", "1"), {"--replicas 1", "two sets"});
  expect_refused(field_.with(option, "0"), {option, "random bonds"});
}

TEST_F(TemperingRefusals, slots_that_never_exchange_are_refused) {
  expect_refused(field_.with("--T", "1e-9,1"), {"--T", "between"});
}

TEST_F(TemperingRefusals, fields_and_couplings_that_are_negative_or_no_numbers_are_refused) {
  for (const char* value : {"-1", "nan", "inf", "-inf"}) {
    expect_refused(field_.with("--h", value), {"--h"});
    expect_refused(field_.with("--J", value), {"--J"});
  }
  expect_refused(field_.with("--h", "strong"), {"--h", "strong"});
  expect_refused(field_.with("--h", "0").with("--J", "0"), {"--h 0 --J 0", "energy"});
}

TEST_F(TemperingRefusals, shared_random_numbers_are_refused_with_the_reason) {
  expect_refused(field_.with("--random", "shared"), {"--random shared", "order in the same way", "independent"});
}

TEST_F(TemperingRefusals, lattices_that_the_checkerboard_does_not_fit_are_refused) {
  expect_refused(field_.with("--L", "7"), {"--L 7", "even"});
  expect_refused(field_.with("--L", "2"), {"--L 2", "double"});
  expect_refused(field_.with("--L", "0"), {"--L 0"});
  expect_refused(field_.with("--L", "258"), {"--L 258", "256"});
}

TEST_F(TemperingRefusals, schedules_that_do_not_come_out_even_are_refused_with_one_that_does) {
  expect_refused(field_.with("--sweeps", "27"), {"--sweeps 27", "28"});
  expect_refused(field_.with("--sweeps", "0"), {"--sweeps 0"});
  expect_refused(field_.with("--sweeps", "2147483648"), {"--sweeps"});
  expect_refused(field_.with("--exchange-interval", "0"), {"--exchange-interval 0"});
  expect_refused(field_.with("--exchange-interval", "-2"), {"--exchange-interval -2"});
  expect_refused(field_.with("--bins", "5"), {"--bins 5", "13", "4"});
  expect_refused(field_.with("--bins", "-1"), {"--bins -1"});
}

TEST_F(TemperingRefusals, no_sweeps_between_exchanges_are_refused_by_their_name) {
  JobLine job = field_.with("--exchange-interval", "0");
  job.options.erase("--bins");
  expect_refused(job, {"--exchange-interval 0", "at least 1 sweep"});
}

TEST_F(TemperingRefusals, ends_of_a_grid_that_are_none_are_refused) {
  JobLine adapt = field_.with("--T", "3,5").with("--slots", "3");
  adapt.method = "adapt";
  adapt.flags = {};
  adapt.options.erase("--bins");
  expect_refused(adapt.with("--T", "5,3"), {"--T 5,3", "LOW,HIGH"});
  expect_refused(adapt.with("--T", "3,3"), {"--T 3,3", "LOW,HIGH"});
  expect_refused(adapt.with("--T", "3"), {"--slots", "LOW,HIGH"});
  expect_refused(adapt.with("--T", "-3,5"), {"--T -3", "positive"});
  for (const char* slots : {"0", "1", "-4"}) expect_refused(adapt.with("--slots", slots), {"--slots", "at least 2"});
  expect_refused(adapt.with("--slots", "257"), {"--slots 257", "256"});
  expect_refused(adapt.with("--exchange-interval", "0"), {"--exchange-interval 0", "at least 1 sweep"});
  for (const char* option : {"--trials", "--insertions"})
    expect_refused(adapt.with(option, "4611686018427387904"), {option, "256"});
}

TEST_F(TemperingRefusals, measurements_that_are_not_whole_rounds_and_whole_in_every_bin_are_refused) {
  const JobLine thin = field_.with("--sweeps", "24");
  expect_refused(thin.with("--measure-interval", "3"), {"--measure-interval 3", "--exchange-interval 2", "try 4"});
  expect_refused(thin.with("--measure-interval", "1"), {"--measure-interval 1", "--exchange-interval 2", "try 2"});
  expect_refused(thin.with("--measure-interval", "-4"), {"--measure-interval -4"});
  expect_refused(thin.with("--measure-interval", "10"), {"--sweeps 24", "--measure-interval 10", "try 30"});
  expect_refused(thin.with("--measure-interval", "48"), {"--sweeps 24", "--measure-interval 48", "try 48"});
  expect_refused(thin.with("--measure-interval", "8"), {"--bins 3", "3 measurements", "at most 2"});
  expect_refused(thin.with("--measure-interval", "4").with("--exchange-interval", "0"), {"--exchange-interval 0"});
}

TEST_F(TemperingRefusals, longer_runs_that_make_no_sense_are_refused) {
  const JobLine longer = small_longer();
  for (const char* text : {"2", "2:", ":4", "a:b", "2:4:8", "2:-4", "-2:4"})
    expect_refused(longer.with("--longer", text), {"--longer " + std::string(text), "PACKS:TIMES", "4:8"});
  for (const char* text : {"0:4", "0:1", "2:1", "2:0", "2:3"})
    expect_refused(longer.with("--longer", text), {"power of 2"});
  expect_refused(longer.with("--longer", "5:4"), {"--longer 5:4", "5 packs", "--sweeps"});
  expect_refused(longer.with("--samples", "29:160"), {"--longer 2:4", "29:160", "multiples of 32"});
  expect_refused(longer.with("--samples", "32:100"), {"--longer 2:4", "32:100", "multiples of 32"});
  expect_refused(longer.with("--bins", "2"), {"--longer 2:4", "--bins 2"});
  expect_refused(longer.with("--sweeps", "34"), {"--longer 2:4", "--sweeps 34", "multiple of 8", "try 40"});
  expect_refused(longer.with("--longer", "2:67108864"), {"--longer", "2^31"});
  JobLine spins = longer;
  spins.flags = {"--save-spins"};
  expect_refused(spins, {"--longer 2:4", "--save-spins"});
}

TEST_F(TemperingRefusals, a_checkpoint_of_other_measurements_is_refused) {
  const JobLine job = field_.with("--L", "12").with("--sweeps", "100000");
  expect_checkpoint_refused(job, job.with("--measure-interval", "4"));
}

TEST_F(TemperingRefusals, samples_seeds_and_options_are_checked_as_for_the_other_models) {
  for (const char* samples : {"0:0", "7", "a:b", "35184372088832:1"})
    expect_refused(field_.with("--samples", samples), {"--samples"});
  expect_refused(field_.with("--seed", "-1"), {"--seed"});
  expect_refused(field_.with("--exchange-intervall", "2"), {"--exchange-intervall", "--exchange-interval?"});
  for (const char* option : {"--L", "--h", "--samples", "--sweeps", "--seed"}) {
    JobLine job = field_;
    job.options.erase(option);
    expect_refused(job, {option});
  }
}

TEST_F(TemperingRefusals, a_grid_serves_jobs_of_its_own_size_and_energy_only) {
  EXPECT_EQ(run(with_grid(grid_).arguments(output())).exit_code, 0);
  std::filesystem::remove(output());
  expect_refused(with_grid(grid_).with("--L", "6"), {"--grid", "L = 4", "L = 6"});
  expect_refused(with_grid(grid_).with("--h", "0.5"), {"--grid", "h = 1", "h = 0.5"});
  expect_refused(with_grid(grid_).with("--J", "0.5"), {"--grid", "J = 0.5"});
  expect_refused(with_grid(grid_).with("--T", "3,4"), {"--grid", "--T"});
  std::string of_glass = grid_;
  of_glass.replace(of_glass.find("\"L\""), 3, "\"model\": \"ea3d\", \"L\"");
  expect_refused(with_grid(of_glass), {"--grid", "made for ea3d", "job is of rfim3d", "psflip rfim3d adapt"});
  JobLine square = with_grid(grid_);
  square.model = "rfim2d";
  expect_refused(square, {"--grid", "made for rfim3d", "job is of rfim2d", "psflip rfim2d adapt"});
}

TEST_F(TemperingRefusals, what_is_no_grid_is_refused) {
  JobLine missing = with_grid(grid_);
  expect_refused(missing.with("--grid", (folder_ / "missing.json").string()), {"--grid", "missing.json"});
  for (const char* text : {"", "{", "[1, 2]", "{\"format\": \"psflip grid\"}", "{\"format\": \"other\"}"})
    expect_refused(with_grid(text), {"--grid", "grid.json"});
}

TEST_F(TemperingRefusals, a_checkpoint_of_another_job_is_refused) {
  expect_checkpoint_refused(field_.with("--L", "12").with("--sweeps", "100000"), field_);
}

}  // namespace
}  // namespace psflip::equality
