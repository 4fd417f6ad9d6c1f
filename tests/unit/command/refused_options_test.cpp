#include <gtest/gtest.h>

#include "tests/unit/command/measured_command.hpp"

// Options of psflip-analysis that would lose data or mislead are refused.
namespace psflip {
namespace {

using test::SyntheticJob;
using RefusedOptions = test::MeasuredCommand;

TEST_F(RefusedOptions, RefusesAnOutputThatIsAnInput) {
  SyntheticJob job;
  measure_ea3d("m.h5", job);
  expect_success("reduce m.h5 --output r.h5");
  measure_ising2d("square.h5", 8);
  expect_success("reduce square.h5 --output s.h5");
  std::filesystem::create_symlink("r.h5", folder / "link.h5");
  const std::vector<char> reduced = test::slurp(folder / "r.h5"), square = test::slurp(folder / "square.h5");
  for (const std::string output : {"r.h5", "link.h5", "./r.h5"}) {
    expect_refusal("combine r.h5 --output " + output, "is the same file as the input r.h5");
    expect_refusal("dynamics r.h5 --fit-from 1 --fit-to 4 --output " + output, "is the same file as the input");
    expect_refusal("compare s.h5 r.h5 --output " + output, "is the same file as the input");
    expect_refusal("crossing s.h5 r.h5 --observable U4 --output " + output, "is the same file as the input");
    expect_refusal("critical r.h5 --clock 0.3 --readings t.csv --output " + output, "is the same file as the input");
    expect_refusal("critical r.h5 --clock 0.3 --output t.csv --readings " + output, "is the same file as the input");
  }
  expect_refusal("critical r.h5 --clock 0.3 --output t.csv --readings t.csv", "is the same file as --output");
  expect_refusal("series square.h5 --output square.h5", "is the same file as the input");
  EXPECT_EQ(test::slurp(folder / "r.h5"), reduced);
  EXPECT_EQ(test::slurp(folder / "square.h5"), square);
}

TEST_F(RefusedOptions, RefusesValuesThatAreEmptyOrNoNumber) {
  measure_ea3d("m.h5", {});
  expect_success("reduce m.h5 --output r.h5");
  expect_refusal("dynamics r.h5 --fit-from 1 --fit-to 4 --output t.csv --eta nan", "--eta: nan is not a finite number");
  for (const std::string eta : {"1e400", "'nan(1)'", "' nan'", "inf"})
    expect_refusal("dynamics r.h5 --fit-from 1 --fit-to 4 --output t.csv --eta " + eta, "is not a finite number");
  expect_success("combine r.h5 --output inf");  // a name, no number
  expect_refusal("dynamics r.h5 --fit-from nan --fit-to 4 --output t.csv", "--fit-from = nan");
  expect_refusal("crossing r.h5 --observable U4 --output t.csv --omega NaN", "--omega: NaN");
  expect_refusal("critical r.h5 --clock nan --output t.csv --readings u.csv", "--clock: nan");
  expect_refusal("dynamics r.h5 --fit-from 1 --fit-to 4 --output t.csv --eta ''", "--eta: the value is empty");
  expect_refusal("dynamics r.h5 --fit-from 1 --fit-to 4 --output t.csv --eta -inf", "--eta: -inf is not a finite");
  expect_refusal("combine r.h5 --output t.csv --expect-samples ''", "--expect-samples: the value is empty");
  expect_refusal("reduce m.h5 --output u.h5 --block-samples ''", "--block-samples: the value is empty");
}

TEST_F(RefusedOptions, RefusesOverlapsOfFilesThatHaveNone) {
  measure_ea3d("m.h5", {});
  measure_ising2d("square.h5", 8);
  expect_success("reduce m.h5 --output r.h5");
  expect_refusal("overlaps m.h5 --output t.csv", "m.h5: it has no histogram of the overlap; only exchange Monte Carlo");
  expect_refusal("overlaps square.h5 --output t.csv", "square.h5: it has no histogram of the overlap");
  expect_refusal("overlaps r.h5 --output t.csv", "r.h5");
  expect_refusal("overlaps m.h5 --output m.h5", "is the same file as the input m.h5");
  expect_refusal("overlaps m.h5 --block-samples 5 --output t.csv", "--block-samples 5 is not possible");
}

TEST_F(RefusedOptions, RefusesSystemsThatUsedTheSameRandomNumbers) {
  SyntheticJob job;
  job.L = 10;
  job.temperatures = {0.942};
  measure_ea3d("a.h5", job);
  job.L = 48;
  job.temperatures = {2.837};
  measure_ea3d("b.h5", job);
  job.seed = 2;
  measure_ea3d("other.h5", job);
  for (const std::string name : {"a.h5", "b.h5", "other.h5"}) expect_success("reduce " + name + " --output r" + name);
  const std::string law = "dynamics --fit-from 1 --fit-to 4 --output t.csv ";
  expect_refusal(law + "ra.h5 rb.h5", "ra.h5 (ea3d, L = 10, T = 0.942) and rb.h5 (ea3d, L = 48, T = 2.837)");
  EXPECT_EQ(run(law + "ra.h5 rother.h5").err.find("random numbers"), std::string::npos);
}

}  // namespace
}  // namespace psflip
