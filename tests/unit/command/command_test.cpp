#include <gtest/gtest.h>

#include <map>

#include "engine/models/model.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/command/measured_command.hpp"

namespace psflip {
namespace {

using test::SyntheticJob;
using PsflipAnalysis = test::MeasuredCommand;

TEST_F(PsflipAnalysis, GoesFromShardsToATableOfTheRelaxation) {
  SyntheticJob job;
  job.temperatures = {1.0, 1.1};
  measure_ea3d("a.h5", job);
  job.first_sample = 64;
  measure_ea3d("b.h5", job);
  expect_success("reduce a.h5 --output ra.h5");
  expect_success("reduce b.h5 --output rb.h5");
  expect_success("combine ra.h5 rb.h5 --expect-samples 0:128 --output table.csv");
  const auto rows = table("table.csv");
  ASSERT_EQ(rows.size(), 1 + 2 * 3 * (10 + 7u))
      << "two temperatures, three times, ten observables, seven design effects";
  EXPECT_EQ(text("table.csv").substr(0, text("table.csv").find('\n')),
            "model,method,L,h,p,T,t,seed,observable,value,error,blocks,tau,equilibrated");
  for (const auto& row : rows) EXPECT_EQ(row.size(), 14u);
  EXPECT_EQ((std::vector<std::string>(rows[1].begin(), rows[1].begin() + 9)),
            (std::vector<std::string>{"ea3d", "relaxation", "8", "0", "0.5", "1", "1", "1", "e"}));
  EXPECT_EQ(rows[1][11], "4");
  expect_success("reduce a.h5 b.h5 --output both.h5");
  expect_success("combine both.h5 --output same.csv");
  EXPECT_EQ(text("table.csv"), text("same.csv"));
}

TEST_F(PsflipAnalysis, LeavesTimeEmptyAndGivesAVerdictInEquilibrium) {
  measure_ising2d("m.h5", 16);
  expect_success("reduce m.h5 --output r.h5");
  expect_success("combine r.h5 --output table.csv");
  const auto rows = table("table.csv");
  ASSERT_EQ(rows.size(), 1 + 5 * 14u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][6], "");
    EXPECT_EQ(rows[i][13], "1");
  }
}

TEST_F(PsflipAnalysis, FindsTheCrossingsOfNeighbouringSizesAndTheirLimit) {
  for (const std::int64_t L : {8, 16, 32}) {
    measure_ising2d("m" + std::to_string(L) + ".h5", L);
    expect_success("reduce m" + std::to_string(L) + ".h5 --output r" + std::to_string(L) + ".h5");
  }
  expect_success("crossing r32.h5 r8.h5 r16.h5 --observable U4 --output crossing.csv");
  const auto rows = table("crossing.csv");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"observable", "L1", "L2", "T_crossing", "error", "value", "value_error",
                                      "chi2_dof", "T_min", "T_max", "equilibrated", "blocks", "error_systematic",
                                      "value_error_systematic", "model", "method", "h", "p", "seed"}));
  EXPECT_EQ(rows[1][1] + "-" + rows[1][2] + " " + rows[2][1] + "-" + rows[2][2] + " " + rows[3][1] + "-" + rows[3][2],
            "8-16 16-32 8-inf");
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ((std::vector<std::string>(rows[i].begin() + 14, rows[i].end())),
              (std::vector<std::string>{"ising2d", "equilibrium", "0", "0", "1"}));
    EXPECT_NEAR(std::stod(rows[i][3]), 2.27, 4 * std::stod(rows[i][4])) << i;
    EXPECT_NEAR(std::stod(rows[i][5]), 1.17, 4 * std::stod(rows[i][6])) << i;
    EXPECT_LT(std::stod(rows[i][4]), 0.002);
    EXPECT_GE(std::stoi(rows[i][11]), 2);
    EXPECT_EQ(rows[i][12].empty() + rows[i][13].empty(), i < 3 ? 2 : 0) << "exponents are assumed for the limit alone";
  }
}

TEST_F(PsflipAnalysis, ComparesSizesOfTheRatioAskedFor) {
  for (const std::int64_t L : {8, 12, 16, 24}) {
    measure_ising2d("m" + std::to_string(L) + ".h5", L);
    expect_success("reduce m" + std::to_string(L) + ".h5 --output r" + std::to_string(L) + ".h5");
  }
  expect_success("crossing r8.h5 r12.h5 r16.h5 r24.h5 --observable U4 --ratio 2 --output crossing.csv");
  const auto rows = table("crossing.csv");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1][1] + "-" + rows[1][2] + " " + rows[2][1] + "-" + rows[2][2] + " " + rows[3][1] + "-" + rows[3][2],
            "8-16 12-24 8-inf");
  expect_refusal("crossing r8.h5 r12.h5 --observable U4 --ratio 2 --output t.csv", "No two of the sizes L = 8, 12");
  expect_refusal("crossing r8.h5 r16.h5 --observable U4 --ratio 1 --output t.csv", "--ratio 1 is not above 1");
}

TEST_F(PsflipAnalysis, ComparesTwoRunsOfTheSameSamples) {
  test::TemperingFile one, other;
  other.temperatures = {0.85, 0.95, 1.05};
  other.averages = [](double T, std::size_t, std::int64_t sample, int) {
    test::SetValues values = test::CurieWeiss{}.averages(T, sample);
    for (const std::size_t i : {8, 11, 14}) values[i] *= 1.1;  // M^4, with B, with F: so U4 too
    return values;
  };
  io::write(folder / "m1.h5", one.make());
  io::write(folder / "m2.h5", other.make());
  expect_success("reduce m1.h5 --output r1.h5");
  expect_success("reduce m2.h5 --output r2.h5");
  expect_success("compare r1.h5 r2.h5 --output t.csv");
  const auto rows = table("t.csv");
  EXPECT_EQ(
      text("t.csv").substr(0, text("t.csv").find('\n')),
      "L,T,observable,value,error,other,other_error,difference,difference_error,difference_in_errors,equilibrated");
  ASSERT_EQ(rows.size(), 5u) << "two slots of the first run inside the range of the other, two observables";
  EXPECT_EQ(rows[1][1] + " " + rows[2][1], "0.9 1");
  EXPECT_EQ(rows[1][2] + " " + rows[3][2], "U4 xi_over_L");
  for (const std::size_t i : {1, 2}) {
    const double value = std::stod(rows[i][3]), difference = std::stod(rows[i][7]);
    EXPECT_NEAR(difference, 0.1 * value, 0.002 * value) << "other minus first";
    EXPECT_NEAR(std::stod(rows[i][5]), value + difference, 1e-3);
    EXPECT_NEAR(std::stod(rows[i][9]), difference / std::stod(rows[i][4]), 1e-6 * std::abs(std::stod(rows[i][9])));
    EXPECT_EQ(rows[i][10], "1");
  }
  EXPECT_NEAR(std::stod(rows[3][7]), 0, 1e-3) << "xi does not depend on M^4";
}

TEST_F(PsflipAnalysis, FitsTheDynamicExponent) {
  SyntheticJob job;
  job.samples = 640;
  measure_ea3d("m.h5", job);
  expect_success("reduce m.h5 --output r.h5");
  expect_success("dynamics r.h5 --fit-from 1 --fit-to 4 --output z.csv");
  const auto rows = table("z.csv");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"L", "T", "quantity", "exponent", "error", "z", "z_error", "t_min",
                                               "t_max", "chi2_dof", "points", "chi2_dof_covariance", "range", "model",
                                               "method", "h", "p", "seed"}));
  EXPECT_EQ((std::vector<std::string>(rows[1].begin() + 13, rows[1].end())),
            (std::vector<std::string>{"ea3d", "relaxation", "0", "0.5", "1"}));
  EXPECT_EQ(rows[1][2], "xi");
  EXPECT_EQ(rows[2][2], "chi");
  EXPECT_EQ(rows[1][7] + " " + rows[1][8] + " " + rows[1][10] + rows[1][12], "1 4 3whole");
}

TEST_F(PsflipAnalysis, ScansTheRangeOfThePowerLaw) {
  SyntheticJob job;
  job.samples = 640;
  job.moments = {1, 2, 4, 8, 16, 32, 64, 128};
  measure_ea3d("m.h5", job);
  expect_success("reduce m.h5 --output r.h5");
  expect_success("dynamics r.h5 --fit-from 1 --fit-to 128 --scan --output z.csv");
  std::vector<std::string> ranges;
  for (const auto& row : table("z.csv"))
    if (row[2] == "xi") ranges.push_back(row[7] + " " + row[8] + " " + row[12]);
  EXPECT_EQ(ranges, (std::vector<std::string>{"1 128 whole", "4 128 part", "1 32 part"}));
}

TEST_F(PsflipAnalysis, FindsAutocorrelationTimesInTheStoredBins) {
  SyntheticJob job;
  job.model = "ising2d";
  job.random = "independent";
  job.samples = 4;
  job.temperatures = {2.3};
  job.measurements = 1;  // every measurement is kept, 5 sweeps apart
  job.moments.clear();
  for (std::int64_t bin = 1; bin <= 8192; ++bin) job.moments.push_back(5 * bin);
  io::write(folder / "m.h5", test::synthetic_ising2d(job, test::autoregressive_lattice(job, 0.8)));
  expect_success("series m.h5 --output s.csv");
  const auto rows = table("s.csv");
  ASSERT_EQ(rows.size(), 1 + 3 * (10 + 1u)) << "ten lengths of bins from 4096 to 8 bins and the window";
  EXPECT_EQ(text("s.csv").substr(0, text("s.csv").find('\n')),
            "L,T,observable,method,bin_sweeps,bins,error,tau_int,tau_int_error");
  const double tau = 4.5 * 5, exact = 0.1 * std::sqrt(2 * 4.5 / (4 * 4096.0));  // of AR(1) with variance 0.1^2
  EXPECT_EQ(rows[1][3] + rows[1][4] + " " + rows[1][5] + " " + rows[1][7], "binning5 4096 2.5");
  const auto &longest = rows[8], &window = rows[11];  // longest of which there are enough
  EXPECT_NEAR(std::stod(longest[7]), tau * (1 - 4.5 / 128), 4 * std::stod(longest[8]));
  EXPECT_NEAR(std::stod(longest[6]), exact, 0.3 * exact);
  EXPECT_EQ(longest[4] + window[2] + window[3], "640ewindow");
  EXPECT_NEAR(std::stod(window[7]), tau, 4 * std::stod(window[8]));
  EXPECT_LT(std::stod(window[8]), 0.15 * tau);
  EXPECT_NEAR(std::stod(window[6]), exact, 0.1 * exact);
}

TEST_F(PsflipAnalysis, RefusesASeriesWhereThereIsNone) {
  measure_ea3d("relaxation.h5", {});
  measure_ising2d("few.h5", 16);
  expect_refusal("series relaxation.h5 --output s.csv", "only equilibrium has equal bins");
  expect_refusal("series few.h5 --output s.csv", "has 8 bins, too few for a series");
}

TEST_F(PsflipAnalysis, RefusesFitsInTimeToWhatIsInEquilibriumAndToOneReplica) {
  measure_ising2d("m.h5", 8);
  expect_success("reduce m.h5 --output equilibrium.h5");
  SyntheticJob job;
  job.replicas = 1;
  measure_ea3d("one.h5", job);
  expect_success("reduce one.h5 --output one_replica.h5");
  const std::string dynamics = " --fit-from 1 --fit-to 4 --output t.csv";
  const std::string critical = " --clock 0.1 --readings v.csv --output t.csv";
  expect_refusal("dynamics equilibrium.h5" + dynamics, "holds equilibrium of ising2d, but xi and chi grow with time");
  expect_refusal("critical equilibrium.h5" + critical, "holds equilibrium of ising2d, but xi / L grows with time");
  expect_refusal("dynamics one_replica.h5" + dynamics, "has one replica, but overlaps need two");
  expect_refusal("critical one_replica.h5" + critical, "has one replica, but overlaps need two");
}

TEST_F(PsflipAnalysis, ListsTheObservablesOfEveryModelAndMethod) {
  std::istringstream lines(run("observables").out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "model,method,observable,label");
  std::map<std::string, int> count;
  while (std::getline(lines, line)) {
    const std::size_t model = line.find(','), method = line.find(',', model + 1);
    ++count[line.substr(0, method)];
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 3) << line;
  }
  for (const Preset& preset : presets)
    for (const char* method : {"relaxation", "equilibrium", "tempering"})
      EXPECT_GE(count[std::string(preset.name) + "," + method], 10) << preset.name << " " << method;
  EXPECT_EQ(count.size(), 3 * std::size(presets));
}

TEST_F(PsflipAnalysis, DescribesAnyFile) {
  measure_ea3d("m.h5", {});
  const Outcome outcome = run("info m.h5");
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"kind", "measurement", "stream_version", "bond_sum", "[temperature, time, sample, replica]"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
}

TEST_F(PsflipAnalysis, ExplainsItself) {
  for (const std::string command :
       {"", "reduce ", "combine ", "crossing ", "compare ", "dynamics ", "series ", "info "}) {
    const Outcome outcome = run(command + "--help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("Usage: psflip-analysis"), std::string::npos) << command;
  }
  EXPECT_NE(run("--version").out.find("stream version"), std::string::npos);
}

TEST_F(PsflipAnalysis, RefusesBadOptions) {
  measure_ea3d("m.h5", {});
  expect_success("reduce m.h5 --output r.h5");
  expect_refusal("", "subcommand");
  expect_refusal("reduce m.h5", "--output");
  expect_refusal("reduce m.h5 --output r2.h5 --block-samples 16", "give a positive multiple of 32");
  expect_refusal("reduce m.h5 --output m.h5", "--output m.h5 is the same file as the input m.h5");
  expect_refusal("reduce m.h5 --output no/r.h5", "the folder no does not exist");
  expect_refusal("combine r.h5 --output t.csv --expect-samples 0-64", "is not FIRST:COUNT");
  expect_refusal("combine r.h5 --output t.csv --unknown 3", "--unknown");
  expect_refusal("crossing r.h5 --observable U5 --output t.csv", "U5 not in {U4,xi_over_L}");
  expect_refusal("crossing r.h5 --observable U4 --output t.csv", "crossings are taken in equilibrium");
  expect_refusal("compare r.h5 r.h5 --output t.csv", "the comparison is for tempering alone");
  expect_refusal("dynamics r.h5 --fit-from 4 --fit-to 2 --output t.csv", "--fit-from 4 is not before --fit-to 2");
  expect_refusal("dynamics r.h5 --fit-from x --fit-to 2 --output t.csv", "--fit-from");
}

TEST_F(PsflipAnalysis, RefusesFilesThatAreMissingDamagedOrOfAnotherKind) {
  measure_ea3d("m.h5", {});
  expect_success("reduce m.h5 --output r.h5");
  expect_refusal("combine nowhere.h5 --output t.csv", "there is no such file");
  expect_refusal("combine m.h5 --output t.csv", "it is a measurement file where a reduced file is wanted");
  expect_refusal("reduce r.h5 --output t.h5", "it is a reduced file where a measurement file is wanted");
  std::vector<char> bytes = test::slurp(folder / "r.h5");
  bytes[bytes.size() / 2] ^= 1;
  test::spill(folder / "flipped.h5", bytes);
  expect_refusal("combine flipped.h5 --output t.csv", "its checksum is wrong");
  bytes.resize(bytes.size() / 2);
  test::spill(folder / "short.h5", bytes);
  expect_refusal("combine short.h5 --output t.csv", "it is truncated");
  expect_refusal("info short.h5", "it is truncated");
}

TEST_F(PsflipAnalysis, RefusesShardsThatDoNotBelongTogether) {
  SyntheticJob job;
  const auto make = [&](const std::string& name) {
    measure_ea3d("m-" + name, job);
    expect_success("reduce m-" + name + " --output " + name);
  };
  make("a.h5");
  job.first_sample = 32;
  make("overlap.h5");
  job.first_sample = 128;
  make("far.h5");
  job.seed = 2;
  make("seed.h5");
  job.seed = 1;
  job.L = 10;
  make("large.h5");
  expect_refusal("combine a.h5 overlap.h5 --output t.csv", "both hold the samples 32 to 63");
  expect_refusal("combine a.h5 a.h5 --output t.csv", "both hold the samples 0 to 63");
  expect_refusal("combine a.h5 far.h5 --expect-samples 0:192 --output t.csv", "the files hold 0:64, 128:64");
  expect_refusal("combine a.h5 --expect-samples 0:128 --output t.csv", "the files hold 0:64");
  expect_refusal("combine a.h5 seed.h5 --output t.csv", "their seed differs");
  expect_refusal("combine a.h5 large.h5 --output t.csv", "their L differs (8 and 10)");
}

TEST_F(PsflipAnalysis, RefusesFilesOfAnotherStreamVersion) {
  measure_ea3d("m.h5", {});
  expect_success("reduce m.h5 --output r.h5");
  for (const char* name : {"m.h5", "r.h5"}) {
    io::LabelledFile file = io::read(folder / name, "");
    file.attributes["stream_version"] = std::int64_t{stream_version + 1};
    io::write(folder / name, file);
  }
  expect_refusal("reduce m.h5 --output t.h5", "its random numbers follow stream version");
  expect_refusal("combine r.h5 --output t.csv", "its random numbers follow stream version");
}

TEST_F(PsflipAnalysis, JoinsTheBlocksOfAReducedFile) {
  io::write(folder / "m.h5", test::TemperingFile().make());
  expect_success("reduce m.h5 --block-samples 2 --output r.h5");
  expect_success("join-blocks r.h5 --block-samples 8 --output j.h5");
  const io::LabelledFile joined = io::read(folder / "j.h5", "reduced");
  EXPECT_EQ(joined.integer("block_samples"), 8);
  EXPECT_EQ(joined.values<std::int64_t>("block").size(), 8u);
}

}  // namespace
}  // namespace psflip
