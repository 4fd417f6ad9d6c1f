#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "engine/io/error.hpp"
#include "jobs.hpp"
#include "refused.hpp"

// What must be refused is refused: exit code 2, one line on stderr that names the culprit, no file left behind.
namespace psflip::equality {
namespace {

class Refusals : public Refused {
 protected:
  const JobLine glass_ = small_spin_glass();
  const JobLine square_ = small_square();
};

TEST_F(Refusals, an_odd_L_is_refused) {
  expect_refused(glass_.with("--L", "7"), {"--L 7", "even"});
  expect_refused(square_.with("--L", "33"), {"--L 33", "even"});
}

TEST_F(Refusals, an_L_below_four_is_refused_because_bonds_double) {
  expect_refused(glass_.with("--L", "2"), {"--L 2", "double"});
  expect_refused(square_.with("--L", "2"), {"--L 2"});
  expect_refused(glass_.with("--L", "0"), {"--L 0"});
  expect_refused(glass_.with("--L", "-8"), {"--L -8"});
}

TEST_F(Refusals, an_L_beyond_the_addresses_of_a_model_is_refused) {
  expect_refused(glass_.with("--L", "258"), {"--L 258", "256"});
  expect_refused(glass_.with("--L", "2048"), {"--L 2048", "256"});
  expect_refused(square_.with("--L", "16386").with("--packing", "samples"), {"--L 16386", "16384"});
  expect_refused(square_.with("--L", "65600").with("--packing", "sites"), {"--L 65600", "65536"});
}

TEST_F(Refusals, a_temperature_that_is_not_positive_and_finite_is_refused) {
  for (const char* T : {"-1.1", "0", "nan", "inf", "-inf", "1.1,-2", "1.1,nan"}) {
    expect_refused(glass_.with("--T", T), {"--T", "positive"});
    expect_refused(square_.with("--T", T), {"--T", "positive"});
  }
}

TEST_F(Refusals, an_inverse_temperature_that_is_not_positive_and_finite_is_refused) {
  JobLine job = glass_;
  job.options.erase("--T");
  for (const char* beta : {"-0.9", "0", "nan", "inf"}) expect_refused(job.with("--beta", beta), {"--beta"});
}

TEST_F(Refusals, a_temperature_listed_twice_is_refused) {
  expect_refused(glass_.with("--T", "1.1,1.1"), {"--T", "twice"});
}

TEST_F(Refusals, both_or_none_of_T_and_beta_are_refused) {
  expect_refused(glass_.with("--beta", "0.9"), {"--T", "--beta"});
  JobLine none = glass_;
  none.options.erase("--T");
  expect_refused(none, {"--T"});
}

TEST_F(Refusals, an_empty_list_is_refused) {
  expect_refused(glass_.with("--T", ""), {"--T"});
  expect_refused(glass_.with("--T", ","), {"--T"});
  expect_refused(glass_.with("--samples", ""), {"--samples"});
}

TEST_F(Refusals, a_value_of_the_wrong_type_is_refused) {
  expect_refused(glass_.with("--L", "six"), {"--L", "six"});
  expect_refused(glass_.with("--L", "6.5"), {"--L", "6.5"});
  expect_refused(glass_.with("--T", "warm"), {"--T", "warm"});
  expect_refused(glass_.with("--sweeps", "many"), {"--sweeps", "many"});
  expect_refused(glass_.with("--sweeps", "-5"), {"--sweeps"});
  expect_refused(glass_.with("--seed", "-1"), {"--seed"});
  expect_refused(glass_.with("--seed", "4294967296"), {"--seed", "4294967295"});
}

/// Not a number, not finite, beyond double precision and 64 bits, and very long.
const std::vector<std::string> no_numbers = {"nan", "inf", "-inf", "1e999", "x", "4x", std::string(400, '9')};

TEST_F(Refusals, what_is_no_finite_number_is_refused_with_the_option_and_what_was_typed) {
  const JobLine field = small_random_field();
  const std::vector<std::pair<JobLine, std::vector<std::string>>> numbers = {
      {glass_,
       {"--L", "--T", "--p", "--sweeps", "--seed", "--replicas", "--threads", "--word-bits", "--max-memory",
        "--max-seconds", "--checkpoint-interval"}},
      {square_, {"--h", "--J", "--bins", "--measure-interval"}},
      {field, {"--T", "--h", "--J", "--bins", "--measure-interval", "--exchange-interval"}}};
  for (const auto& [job, options] : numbers)
    for (const std::string& option : options)
      for (const std::string& text : no_numbers) {
        const Outcome outcome = run(job.with(option, text).arguments(output()));
        EXPECT_EQ(outcome.exit_code, 2) << option << " " << text;
        EXPECT_EQ(outcome.error_lines().size(), 1U) << outcome.error_text;
        EXPECT_NE(outcome.error_text.find(option), std::string::npos) << outcome.error_text;
        EXPECT_NE(outcome.error_text.find(text.substr(0, 20)), std::string::npos) << outcome.error_text;
        EXPECT_LT(outcome.error_text.size(), 300U) << "a long text is cut: " << outcome.error_text;
      }
  EXPECT_TRUE(folder_.empty());
}

TEST_F(Refusals, long_numbers_in_lists_and_pairs_are_refused_as_too_large) {
  const std::string digits(300, '9');
  expect_refused(glass_.with("--samples", digits + ":32"), {"--samples 9999", "300 characters", "64 bits"});
  expect_refused(glass_.with("--samples", "0:" + digits), {"--samples 9999", "300 characters", "64 bits"});
  JobLine without_flags = glass_;
  without_flags.flags = {};
  expect_refused(without_flags.with("--save-spins", "1," + digits), {"--save-spins 9999", "300 characters", "64 bits"});
  expect_refused(without_flags.with("--save-spins", digits + "x"), {"--save-spins 9999", "301 characters", "1,8,64"});
  expect_refused(small_random_field().with("--longer", digits + ":2"), {"--longer 9999", "300 characters", "64 bits"});
  expect_refused(glass_.with("--config", digits), {"--config 9999", "300 characters", "cannot be read"});
}

TEST_F(Refusals, a_word_that_is_no_method_is_refused_with_the_methods) {
  expect_refused(Arguments{"ea3d", "relaxatoin"}, {"psflip ea3d relaxatoin", "did you mean relaxation?"});
  expect_refused(Arguments{"ea3d", std::string(300, '9')}, {"psflip ea3d 9999", "300 characters"});
}

TEST_F(Refusals, a_missing_method_is_suggested_where_it_has_the_options) {
  expect_refused(Arguments{"ea3d", "--L", "4"}, {"a method follows the model", "type: psflip ea3d relaxation --L 4"});
  for (const char* option : {"--h", "--foo", "--h=0.1"})
    expect_refused(Arguments{"ea3d", "--L", "4", option}, {"a method follows the model", "see psflip ea3d --help."});
}

TEST_F(Refusals, a_missing_method_is_no_line_of_version_0_1_without_L) {
  for (const char* model : {"ea3d", "ising2d", "rfim3d"})
    for (const char* option : {"--h", "--hlp", "--h=0.1"})
      expect_refused(Arguments{model, option}, {std::string("psflip ") + model + " " + option + ": a method follows",
                                                "give one of relaxation, ", std::string("; see psflip ") + model});
}

TEST_F(Refusals, a_word_like_no_value_is_refused_with_all_of_them) {
  expect_refused(glass_.with("--start", "9"), {"--start 9: unknown value, give one of random, ordered."});
  expect_refused(Arguments{std::string(300, '9')}, {"psflip 9999", "300 characters", "give one of ", "ea3d", "bench"});
}

TEST_F(Refusals, a_folder_in_place_of_a_job_file_is_refused) {
  expect_refused(glass_.with("--config", (folder_ / "").string()), {"--config", "this is a folder; give a TOML"});
  expect_refused(Arguments{"ea3d", "--config", "/"}, {"--config /: this is a folder; give a TOML file"});
}

TEST_F(Refusals, an_option_without_its_value_is_refused_in_words_of_psflip) {
  expect_refused(Arguments{"--config"}, {"--config: the value is missing, give one."});
  expect_refused(Arguments{"ea3d", "relaxation", "--config"}, {"--config: the value is missing, give one."});
  expect_refused(Arguments{"ising2d", "relaxation", "--h"}, {"--h: the value is missing, give one."});
}

TEST_F(Refusals, a_suggestion_is_an_option_of_the_command_and_resembles_the_word) {
  expect_refused(Arguments{"info", "--foo"}, {"--foo: psflip info has no such option, see psflip info --help."});
  expect_refused(Arguments{"info", "--h"}, {"--h: psflip info has no such option"});
  expect_refused(Arguments{"models", "--jsn"}, {"did you mean --json?"});
  expect_refused(glass_.with("--h", "1"), {"--h: psflip ea3d relaxation has no such option, the model has no field"});
}

TEST_F(Refusals, whole_numbers_are_decimal_and_not_rounded) {
  for (const char* text : {"6.0", "1e2", "010", "0x10", "1 0", "6,6"})
    expect_refused(glass_.with("--L", text), {std::string("--L ") + text, "whole number"});
  expect_refused(glass_.with("--L", "3000000000"), {"--L 3000000000", "too large"});
  expect_refused(glass_.with("--seed", "99999999999999999999"), {"--seed 99999999999999999999", "64 bits"});
  expect_refused(glass_.with("--T", "1.1,1e-999"), {"--T 1e-999", "double precision"});
}

TEST_F(Refusals, an_option_that_is_given_twice_is_refused) {
  Arguments twice = glass_.arguments(output());
  twice.insert(twice.end(), {"--sweeps", "8"});
  expect_refused(twice, {"--sweeps", "more than once"});
}

TEST_F(Refusals, an_option_before_the_model_is_refused_with_its_place) {
  for (const Arguments& first : {Arguments{"--threads", "1"}, Arguments{"--h", "1"}}) {
    Arguments arguments = square_.arguments(output());
    arguments.insert(arguments.begin(), first.begin(), first.end());
    expect_refused(arguments, {first[0], "behind the model and method"});
  }
  std::ofstream(folder_ / "job.toml") << "L = 6\n[ea3d.relaxation]\nT = [1.1]\n";
  expect_refused({"--config", (folder_ / "job.toml").string(), "ea3d", "relaxation", "--output", output().string()},
                 {"--L", "[MODEL.METHOD]"});
}

TEST_F(Refusals, an_empty_value_is_refused_and_does_not_count_as_zero) {
  for (const char* option : {"--L", "--sweeps", "--seed", "--replicas", "--random", "--start", "--threads",
                             "--gpu-lock", "--checkpoint", "--checkpoint-interval", "--max-seconds", "--backend"})
    expect_refused(glass_.with(option, ""), {option, "empty"});
  for (const char* option : {"--bins", "--measure-interval", "--packing"})
    expect_refused(square_.with(option, ""), {option, "empty"});
  std::ofstream(folder_ / "job.toml")
      << "[ea3d.relaxation]\nL = 6\nT = [1.1]\nsamples = \"0:8\"\nsweeps = 4\nseed = \"\"\n";
  expect_refused({"--config", (folder_ / "job.toml").string(), "ea3d", "relaxation", "--output", output().string()},
                 {"seed"});
}

TEST_F(Refusals, a_gap_in_a_list_is_refused) {
  for (const char* T : {"1,,2", ",1", "1,"}) expect_refused(glass_.with("--T", T), {"--T", "numbers with commas"});
}

TEST_F(Refusals, measurements_that_a_model_does_not_have_are_refused) {
  expect_refused(glass_.with("--measure", "magnetisation_k2"), {"--measure", "did you mean magnetization_k2"});
  expect_refused(glass_.with("--measure", "magnetization_k2,"), {"--measure"});
  expect_refused(glass_.with("--measure", ""), {"--measure", "empty"});
  expect_refused(square_.with("--measure", "magnetization_k2"), {"--measure", "random bonds"});
}

TEST_F(Refusals, a_time_that_is_negative_or_no_number_is_refused) {
  const JobLine job = glass_.with("--checkpoint", (folder_ / "c").string());
  for (const char* seconds : {"nan", "-1", "inf"})
    for (const char* option : {"--max-seconds", "--checkpoint-interval"})
      expect_refused(job.with(option, seconds), {option, "seconds"});
}

TEST_F(Refusals, more_threads_than_a_machine_starts_are_refused) {
  expect_refused(glass_.with("--threads", "65536"), {"--threads 65536", "processors"});
}

TEST_F(Refusals, temperatures_with_the_same_random_numbers_are_refused) {
  const JobLine square = square_.with("--L", "32");
  expect_refused(square.with("--T", "0.998,2.184"), {"--T", "0.998", "2.184", "same random numbers"});
  EXPECT_EQ(run(square.with("--T", "0.998,2.1841").arguments(output())).exit_code, 0);
}

TEST_F(Refusals, sample_ranges_that_are_none_are_refused) {
  expect_refused(glass_.with("--samples", "0:0"), {"--samples"});
  expect_refused(glass_.with("--samples", "5:0"), {"--samples 5:0", "nothing", "at least one"});
  for (const char* samples : {"7", "7:", ":7", "7:-1", "-1:7", "a:b", "0:8x", "35184372088832:1", "35184372088000:1000",
                              "0:18446744073709551616", "18446744073709551615:2"}) {
    expect_refused(glass_.with("--samples", samples), {"--samples"});
  }
}

TEST_F(Refusals, replicas_outside_one_to_eight_are_refused) {
  expect_refused(glass_.with("--replicas", "0"), {"--replicas 0", "8"});
  expect_refused(glass_.with("--replicas", "9"), {"--replicas 9", "8"});
  expect_refused(square_.with("--replicas", "2"), {"--replicas"});
}

TEST_F(Refusals, a_uniform_field_is_refused_where_it_means_nothing) {
  for (const char* h : {"-0.1", "inf", "nan"}) expect_refused(square_.with("--h", h), {"--h", "not negative"});
  expect_refused(square_.with("--J", "2"), {"--J", "unit of temperature"});
  expect_refused(square_.with("--h", "0.5").with("--L", "64").with("--packing", "sites"), {"--h 0.5", "samples"});
  expect_refused(glass_.with("--h", "0.5"), {"--h", "no field"});
}

TEST_F(Refusals, shared_random_numbers_are_refused_where_samples_do_not_differ) {
  expect_refused(square_.with("--random", "shared"), {"--random shared", "disorder", "independent"});
  expect_refused(glass_.with("--couplings", "ferromagnet").with("--random", "shared"),
                 {"--random shared", "disorder", "independent"});
}

TEST_F(Refusals, a_fraction_of_antiferromagnetic_bonds_is_refused_where_it_means_nothing) {
  for (const char* p : {"-0.1", "1.5", "nan"}) expect_refused(glass_.with("--p", p), {"--p", "between 0 and 1"});
  expect_refused(square_.with("--p", "0.1"), {"--p", "random bonds"});
  expect_refused(glass_.with("--p", "0.1").with("--couplings", "ferromagnet"), {"--p 0.1", "ferromagnet"});
  for (const char* p : {"0", "1"})
    expect_refused(glass_.with("--p", p).with("--random", "shared"), {"--p", "same bonds", "independent"});
}

TEST_F(Refusals, sweeps_that_do_not_fill_the_bins_are_refused_with_a_number_that_does) {
  expect_refused(square_.with("--sweeps", "25"), {"--sweeps 25", "36"});
  expect_refused(square_.with("--bins", "0"), {"--bins"});
  expect_refused(square_.with("--measure-interval", "0"), {"--measure-interval"});
  const std::string two_to_32 = "4294967296";
  expect_refused(square_.with("--measure-interval", two_to_32).with("--bins", two_to_32), {"--bins", two_to_32});
  expect_refused(glass_.with("--sweeps", "0"), {"--sweeps"});
  expect_refused(square_.with("--sweeps", "0"), {"--sweeps 0"});
  expect_refused(glass_.with("--sweeps", "2147483648"), {"--sweeps 2147483648", "2^31", "fewer"});
}

TEST_F(Refusals, packed_sites_of_a_lattice_that_does_not_fill_words_are_refused) {
  expect_refused(square_.with("--packing", "sites"), {"--packing sites", "64"});
}

TEST_F(Refusals, an_unknown_option_is_answered_with_the_nearest_one) {
  expect_refused(glass_.with("--replica", "2"), {"--replica", "--replicas"});
  expect_refused(glass_.with("--swepes", "2"), {"--swepes", "--sweeps"});
  expect_refused(square_.with("--measure-intervall", "2"), {"--measure-intervall", "--measure-interval?"});
}

TEST_F(Refusals, an_unknown_choice_is_answered_with_the_nearest_one) {
  expect_refused(glass_.with("--random", "share"), {"--random share", "shared"});
  expect_refused(glass_.with("--start", "order"), {"--start order", "ordered"});
  expect_refused(glass_.with("--backend", "gpu"), {"--backend gpu", "cpu"});
  expect_refused(square_.with("--packing", "site"), {"--packing site", "sites"});
}

TEST_F(Refusals, machine_settings_that_do_not_exist_are_refused) {
  expect_refused(glass_.with("--threads", "0"), {"--threads 0"});
  expect_refused(glass_.with("--word-bits", "128"), {"--word-bits 128"});
}

TEST_F(Refusals, a_missing_option_is_named) {
  for (const char* option : {"--L", "--samples", "--sweeps", "--seed"}) {
    JobLine job = glass_;
    job.options.erase(option);
    expect_refused(job, {option});
  }
  expect_refused({"ea3d", "relaxation", "--L", "6", "--T", "1.1", "--samples", "0:1", "--sweeps", "2", "--seed", "1"},
                 {"--output"});
}

TEST_F(Refusals, a_missing_or_unknown_command_is_refused) {
  expect_refused(Arguments{}, {"ea3d"});
  expect_refused(Arguments{"ea4d", "--L", "4"}, {"ea4d"});
}

TEST_F(Refusals, an_unknown_key_in_a_job_file_is_answered_with_the_nearest_one) {
  std::ofstream(folder_ / "job.toml")
      << "[ea3d.relaxation]\nL = 6\nT = [1.1]\nsamples = \"0:8\"\nsweeps = 4\nsede = 1\n";
  expect_refused(
      {"--config", (folder_ / "job.toml").string(), "ea3d", "relaxation", "--seed", "1", "--output", output().string()},
      {"sede", "seed"});
}

TEST_F(Refusals, a_job_file_that_is_missing_or_not_toml_is_refused) {
  const std::string missing = (folder_ / "missing.toml").string(), broken = (folder_ / "broken.toml").string();
  expect_refused({"--config", missing, "ea3d", "relaxation", "--output", output().string()}, {"missing.toml"});
  std::ofstream(broken) << "[ea3d\nL = = 6\n";
  expect_refused({"--config", broken, "ea3d", "relaxation", "--output", output().string()}, {});
}

TEST_F(Refusals, a_job_file_with_two_tables_or_without_an_end_is_refused) {
  const std::string table = "[ea3d.relaxation]\nL = 6\nT = [1.1]\nsamples = \"0:8\"\nsweeps = 4\nseed = 1\n";
  for (const char* second : {"[ising2d.equilibrium]  # another\nL = 8\n", "  [ea3d.relaxation]\nL = 8\n"}) {
    std::ofstream(folder_ / "two.toml") << table << second;
    expect_refused({"--config", (folder_ / "two.toml").string(), "ea3d", "relaxation", "--output", output().string()},
                   {"--config", "line 7", "second table"});
  }
  for (const char* device : {"/dev/zero", "/dev/urandom"})
    expect_refused({"--config", device, "ea3d", "relaxation", "--output", output().string()}, {"--config", "1 MB"});
  std::ofstream(folder_ / "bytes.toml") << table << '\0';
  expect_refused({"--config", (folder_ / "bytes.toml").string(), "ea3d", "relaxation", "--output", output().string()},
                 {"--config", "not text"});
}

TEST_F(Refusals, a_line_of_a_job_file_that_would_be_left_out_is_refused_with_its_number) {
  const std::string table = "[ea3d.relaxation]  # a job\nL = 6\nT = [1.1,\n  1.2]\nsamples = '0:8'\nsweeps = 4\n";
  const std::pair<std::string, std::string> lines[] = {
      {"seed = 1\nL = 6\n", "line 8: L is given twice, also in line 2"},
      {"seed = 1 2\n", "line 7 has more than one value"},
      {"seed 1\n", "line 7 has no key and value"},
      {"seed.x = 1\n", "line 7 has no key and value"},
      {"--seed = 1\n", "line 7 has no key and value"},
      {"\nseed = [1,\n  [2]]\n", "line 9: [2 is no value"},
      {"seed = [1\n", "ends within a list"},
      {"seed = []\n", "line 7 has an empty list"},
      {"seed = \"1\n", "line 7 has a text without an end"},
      {"start = \"\"\"ordered\"\"\"\n", "line 7 has more than one value"},
      {"start = ordered\n", "line 7: ordered is no value"},
      {"seed = 010\n", "line 7: 010 is no value"},
      {"output = \"a\\tb\"\n", "line 7 has a \\ in a text"},
      {"[ea3d.relaxtion]\n", "line 7 begins a second table"},
      {"seed = 1  # \xff\n", "the file is not text"},
      {"seed = 1\r2\n", "the file is not text"},
      {"seed = 1\nseeds = 1\n", "--seeds: no such option or key, did you mean --seed?"}};
  for (const auto& [line, words] : lines) {
    std::ofstream(folder_ / "job.toml", std::ios::binary) << table << line;
    expect_refused({"--config", (folder_ / "job.toml").string(), "ea3d", "relaxation", "--output", output().string()},
                   {words});
  }
  std::ofstream(folder_ / "job.toml") << "[ea3d.relaxtion]\n";
  expect_refused({"--config", (folder_ / "job.toml").string(), "ea3d", "relaxation", "--output", output().string()},
                 {"line 1 is no table of a model and a method"});
}

TEST_F(Refusals, a_job_file_may_have_comments_and_lists_over_lines) {
  std::ofstream(folder_ / "job.toml", std::ios::binary)
      << "# a job\r\n\r\n [ea3d.relaxation] # its table\r\nL = +6 # sites\r\nT=[ 1.1, # low\r\n 12e-1 ,\r\n]\r\n"
      << "samples = '0:8'\nsweeps\t=\t1_0\nseed = \"7\"\nsave-disorder = true";
  JobLine same = glass_;
  same.options = {{"--L", "6"}, {"--T", "1.1,1.2"}, {"--samples", "0:8"}, {"--sweeps", "10"}, {"--seed", "7"}};
  same.flags = {"--save-disorder"};
  const io::LabelledFile expected = file_of(same, output());
  ASSERT_EQ(
      run({"--config", (folder_ / "job.toml").string(), "ea3d", "relaxation", "--output", output().string()}).exit_code,
      0);
  const io::LabelledFile found = io::read(output(), "measurement");
  EXPECT_EQ(found.text("job"), expected.text("job"));
  EXPECT_TRUE(same_data(found, expected));
}

TEST_F(Refusals, an_output_that_cannot_be_written_is_refused_before_any_work) {
  const JobLine endless = glass_.with("--L", "64").with("--sweeps", "2000000000");
  expect_refused(endless.arguments(folder_ / "no" / "such" / "folder.h5"), {"--output", "folder.h5"});
  expect_refused(endless.arguments("/proc/output.h5"), {"--output", "/proc/output.h5"});
  std::filesystem::create_directory(folder_ / "folder");
  expect_refused(endless.arguments(folder_ / "folder"), {"--output", "folder"});
  expect_refused(endless.arguments(""), {"--output"});
}

/// Random spins do not compress, so this file has half a million bytes at least.
JobLine with_a_large_file(const JobLine& job) {
  return job.with("--samples", "0:6000").with("--replicas", "8").with("--sweeps", "2");
}

TEST_F(Refusals, a_full_disk_ends_in_one_sentence_and_leaves_no_file) {
  const Outcome outcome = run(with_a_large_file(glass_).arguments(output()), 200000);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
  const auto lines = outcome.error_lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines.back().find("output.h5"), std::string::npos) << outcome.error_text;
  EXPECT_TRUE(folder_.empty());
}

TEST_F(Refusals, a_full_disk_keeps_the_file_that_was_there_before) {
  const io::LabelledFile before = file_of(glass_, output());
  EXPECT_EQ(run(with_a_large_file(glass_).arguments(output()), 200000).exit_code, 2);
  EXPECT_TRUE(same_data(io::read(output(), "measurement"), before));
  EXPECT_EQ(folder_.entries(), 1U);
}

bool is_complete(const std::filesystem::path& file) {
  try {
    io::read(file, "measurement");
    return true;
  } catch (const UserError&) {
    return false;
  }
}

/// Starts a job in an empty folder and kills it once its temporary file is there. False if it ended before, or if it
/// had written the complete file and only had to rename it.
bool killed_while_it_writes(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove(entry);
  Command command(arguments);
  std::filesystem::path file;
  const auto is_writing = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().starts_with("output.h5.tmp")) file = entry.path();
    return !file.empty();
  };
  while (!is_writing() && !command.has_ended()) usleep(200);
  command.send(SIGKILL);
  return command.wait().signal == SIGKILL && !is_complete(file);
}

TEST_F(Refusals, a_job_killed_while_it_writes_leaves_nothing_that_looks_complete) {
  const JobLine job = with_a_large_file(glass_);
  bool killed = false;
  // On a busy machine a job may have written its file before the signal comes.
  for (int attempt = 0; attempt < 20 && !killed; ++attempt)
    killed = killed_while_it_writes(job.arguments(output()), folder_ / "");
  ASSERT_TRUE(killed) << "never killed in time";
  EXPECT_FALSE(std::filesystem::exists(output()));
  EXPECT_THROW(io::read(output(), "measurement"), UserError);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
    EXPECT_THROW(io::read(entry.path(), "measurement"), UserError) << entry.path();
  }
  EXPECT_NO_THROW(file_of(job, output())) << "the remains are in the way of the next run";
}

TEST_F(Refusals, a_checkpoint_of_another_job_is_refused) {
  expect_checkpoint_refused(glass_.with("--L", "16").with("--sweeps", "100000"), glass_);
}

}  // namespace
}  // namespace psflip::equality
