#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "command.hpp"
#include "tests/unit/temporary_folder.hpp"

// psflip-lab from outside. Measured speeds are not tested.
namespace psflip::equality {
namespace {

class Laboratory : public testing::Test {
 protected:
  std::string output() const { return (folder_ / "page.json").string(); }
  nlohmann::json page(Arguments arguments) {
    arguments.insert(arguments.end(), {"--output", output()});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    return outcome.exit_code == 0 ? nlohmann::json::parse(std::ifstream(output())) : nlohmann::json();
  }
  /// Exit code 2, one line that holds all of `words`, and no file.
  void expect_refused(Arguments arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), {"--output", output()});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
    EXPECT_EQ(outcome.error_lines().size(), 1U) << outcome.error_text;
    for (const std::string& word : words)
      EXPECT_NE(outcome.error_text.find(word), std::string::npos) << word << " is missing in " << outcome.error_text;
    EXPECT_EQ(folder_.entries(), 0U);
  }

  test::TemporaryFolder folder_;
};

TEST_F(Laboratory, a_report_has_provenance_and_a_table_with_speedups) {
  const nlohmann::json all = page({"reference", "--system", "ea3d,ising2d", "--L", "4,6", "--seconds", "0.001"});
  for (const char* key : {"command", "code_version", "git_commit", "machine", "created"})
    EXPECT_FALSE(all.at(key).get<std::string>().empty()) << key;
  ASSERT_EQ(all.at("table").size(), 4U);
  for (const nlohmann::json& row : all.at("table")) {
    EXPECT_EQ(row.at("variant"), "scalar");
    EXPECT_EQ(row.at("speedup"), 1.0);
    EXPECT_GT(row.at("ps_per_flip"), 0.0);
    EXPECT_NEAR(row.at("ps_per_flip"), 1e12 * row.at("seconds").get<double>() / row.at("flips").get<double>(), 1e-6);
  }
  EXPECT_EQ(all.at("table")[1].at("flips"), 216.0);
  EXPECT_EQ(all.at("table")[3].at("flips"), 36.0);
}

TEST_F(Laboratory, random_fields_have_a_scalar_reference_in_three_dimensions) {
  const nlohmann::json all =
      page({"reference", "--system", "rfim3d", "--L", "4", "--beta", "0.25", "--seconds", "0.001"});
  EXPECT_EQ(all.at("table")[0].at("flips"), 64.0);
}

TEST_F(Laboratory, an_unknown_command_is_refused_with_the_names_of_all) {
  expect_refused({"referense"}, {"reference"});
}

TEST_F(Laboratory, an_unknown_system_or_option_is_refused) {
  expect_refused({"reference", "--system", "potts"}, {"--system potts", "ea3d"});
  expect_refused({"reference", "--system", "rfim2d"}, {"--system rfim2d", "ea3d"});
  expect_refused({"reference", "--size", "8"}, {"--size", "--help"});
}

TEST_F(Laboratory, a_lattice_that_has_no_checkerboard_is_refused) {
  expect_refused({"reference", "--L", "7"}, {"--L 7", "even"});
  expect_refused({"reference", "--L", "2"}, {"--L 2"});
  expect_refused({"reference", "--L", "65538"}, {"--L 65538", "GiB"});
}

TEST_F(Laboratory, generators_are_timed_with_their_states_apart) {
  const nlohmann::json all = page({"generators", "--count", "4096", "--seconds", "0.0005"});
  std::set<std::string> names;
  for (const nlohmann::json& row : all.at("generators")) {
    names.insert(row.at("library").get<std::string>() + " " + row.at("generator").get<std::string>());
    for (const char* key : {"seconds_init", "seconds_fill", "numbers_per_second", "state_bytes"})
      EXPECT_GT(row.at(key), 0.0) << key;
    EXPECT_EQ(row.at("seconds_fill_2_29"), row.at("seconds_fill").get<double>() * 131072);
  }
  EXPECT_EQ(names, (std::set<std::string>{"psflip minstd", "psflip mt19937", "psflip parisi_rapuano",
                                          "psflip parisi_rapuano_poster", "psflip philox", "psflip xorwow",
                                          "std minstd", "std mt19937"}));
}

TEST_F(Laboratory, an_unknown_generator_or_device_is_refused) {
  expect_refused({"generators", "--generator", "ranlux"}, {"--generator ranlux", "parisi_rapuano", "mtgp32"});
  expect_refused({"generators", "--device", "gpu"}, {"--device gpu", "cuda"});
  expect_refused({"generators", "--count", "0"}, {"--count"});
}

TEST_F(Laboratory, MTGP32_on_a_CPU_is_refused) {
  expect_refused({"generators", "--generator", "minstd,mtgp32"}, {"--generator mtgp32", "GPU"});
}

TEST_F(Laboratory, layouts_are_timed_next_to_psflip_and_the_scalar_reference) {
  const nlohmann::json all = page({"layouts", "--L", "6,8", "--packs", "1,2", "--generator",
                                   "minstd,parisi_rapuano,mt19937,xorwow,philox,none", "--seconds", "0.0005"});
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : all.at("table")) {
    ++rows[row.at("variant").get<std::string>() + " " + row.at("layout").get<std::string>()];
    EXPECT_GT(row.at("speedup"), 0.0);
    if (row.at("variant") == "layout") {
      EXPECT_EQ(row.at("flips"), std::pow(row.at("L").get<int>(), 3) * 128 * row.at("packs").get<int>());
    }
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{{"scalar plain", 2},
                                              {"psflip psflip", 2},
                                              {"layout sliced", 20},
                                              {"layout standard", 20},
                                              {"layout bitwise", 10},
                                              {"stencil sliced", 4},
                                              {"stencil standard", 4},
                                              {"stencil bitwise", 2}}));
}

TEST_F(Laboratory, a_size_that_is_no_power_of_two_is_refused_for_the_layout_bitwise) {
  expect_refused({"layouts", "--layout", "bitwise", "--L", "6"}, {"--L 6", "bitwise"});
}

TEST_F(Laboratory, an_unknown_layout_or_a_count_of_packs_that_does_not_fit_is_refused) {
  expect_refused({"layouts", "--layout", "hilbert"}, {"--layout hilbert", "sliced, standard, bitwise"});
  expect_refused({"layouts", "--generator", "mtgp32"}, {"--generator mtgp32", "GPU", "--device cuda"});
  expect_refused({"layouts", "--packs", "65536"}, {"--packs 65536", "65535"});
  expect_refused({"layouts", "--packs", "60000", "--L", "4096"}, {"--L 4096", "GiB"});
}

TEST_F(Laboratory, the_2D_glass_is_timed_in_bytes_and_words_next_to_psflip) {
  const nlohmann::json all = page({"glass2d", "--L", "6", "--realizations", "64,128", "--seconds", "0.0005"});
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : all.at("table")) {
    ++rows[row.at("variant")];
    EXPECT_GT(row.at("speedup"), 0.0);
    if (row.at("variant") == "scalar") continue;
    EXPECT_EQ(row.at("flips"), 36.0 * row.at("realizations").get<int>() * row.at("replicas").get<int>());
    EXPECT_LE(row.at("realizations_of_word"), row.at("realizations"));
    EXPECT_EQ(row.at("replicas"), row.at("variant") == "psflip" ? row.at("replicas").get<int>() : 1);
  }
  EXPECT_EQ(rows.at("scalar"), 1);
  for (const char* words : {"bytes", "words32", "words64"}) EXPECT_EQ(rows.at(words), 4) << words;
  EXPECT_GE(rows.at("psflip"), 4);  // one and four replicas in words of 64 bits at least
}

TEST_F(Laboratory, a_2D_glass_that_words_cannot_hold_is_refused) {
  expect_refused({"glass2d", "--realizations", "100"}, {"--realizations 100", "multiple of 64"});
  expect_refused({"glass2d", "--realizations", "0"}, {"--realizations 0", "multiple of 64"});
  expect_refused({"glass2d", "--variant", "words16"}, {"--variant words16", "words32"});
  expect_refused({"glass2d", "--generator", "lcg32"}, {"--generator lcg32", "minstd"});
  expect_refused({"glass2d", "--replicas", "9"}, {"--replicas 9", "8"});
  expect_refused({"glass2d", "--L", "7"}, {"--L 7", "even"});
  expect_refused({"glass2d", "--L", "65536", "--realizations", "4096"}, {"--L 65536", "GiB"});
  expect_refused({"glass2d", "--beta", "0"}, {"--beta"});
  expect_refused({"glass2d", "--seconds", "0"}, {"--seconds"});
}

TEST_F(Laboratory, tempering_is_timed_next_to_a_scalar_one_with_its_exchange_rates) {
  const nlohmann::json all = page({"tempering", "--L", "6,8", "--interval", "1,2", "--slots", "4", "--seconds",
                                   "0.0005", "--samples", "64", "--beta", "0.1,0.4"});
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : all.at("table")) {
    ++rows[row.at("variant")];
    if (row.at("variant") == "scalar") continue;
    const int lattices = row.at("samples").get<int>() * row.at("replicas").get<int>() * row.at("slots").get<int>();
    const double sites = std::pow(row.at("L").get<int>(), 2);
    EXPECT_EQ(row.at("flips"), sites * lattices * 2);  // two sweeps at once for each interval
    EXPECT_EQ(row.at("beta"), (std::vector<double>{0.1, 0.4}));
    EXPECT_GT(row.at("exchange_rate"), 0.1);
    EXPECT_LT(row.at("exchange_rate"), 1.0);
    EXPECT_EQ(row.at("samples"), row.at("variant") == "psflip" ? 64 : 1);
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{{"scalar", 2}, {"scalar_tempering", 4}, {"psflip", 4}}));
}

TEST_F(Laboratory, a_grid_that_cannot_exchange_is_refused) {
  expect_refused({"tempering", "--slots", "1"}, {"--slots 1", "256"});
  expect_refused({"tempering", "--slots", "257"}, {"--slots 257", "256"});
  expect_refused({"tempering", "--beta", "0.15,0.1"}, {"--beta", "smallest"});
  expect_refused({"tempering", "--beta", "0.1"}, {"--beta", "smallest"});
  expect_refused({"tempering", "--interval", "0"}, {"--interval 0"});
  expect_refused({"tempering", "--samples", "40"}, {"--samples 40", "32"});
  expect_refused({"tempering", "--L", "9"}, {"--L 9", "even"});
  expect_refused({"tempering", "--L", "16384", "--samples", "4096"}, {"--L 16384", "GiB"});
  expect_refused({"tempering", "--L", "16386"}, {"--L 16386", "16384"});
  expect_refused({"tempering", "--seconds", "-1"}, {"--seconds"});
}

TEST_F(Laboratory, relaxation_is_compared_with_addressed_Philox_at_every_time) {
  const nlohmann::json all =
      page({"relaxation", "--L", "4", "--sweeps", "6", "--samples", "512", "--generator", "minstd,philox"});
  EXPECT_NE(all.at("relaxation_test").get<std::string>().find("paired"), std::string::npos);
  ASSERT_EQ(all.at("relaxation").size(), 4U);
  std::set<std::string> rows;
  for (const nlohmann::json& row : all.at("relaxation")) {
    rows.insert(row.at("generator").get<std::string>() + " " + row.at("quantity").get<std::string>());
    EXPECT_EQ(row.at("sweeps"), (std::vector<int>{1, 2, 4, 6}));
    EXPECT_EQ(row.at("blocks"), 16);
    EXPECT_EQ(row.at("degrees_of_freedom"), 4);
    for (std::size_t time = 0; time < 4; ++time) {
      const double difference = row.at("difference")[time], error = row.at("error")[time];
      EXPECT_GT(error, 0);
      EXPECT_NEAR(row.at("pull")[time].get<double>(), difference / error, 1e-9);
      EXPECT_NEAR(difference, row.at("mean")[time].get<double>() - row.at("reference")[time].get<double>(), 1e-12);
    }
  }
  EXPECT_EQ(rows, (std::set<std::string>{"minstd energy", "minstd q2", "philox energy", "philox q2"}));
}

TEST_F(Laboratory, a_relaxation_that_cannot_be_simulated_or_compared_is_refused) {
  expect_refused({"relaxation", "--generator", "ranlux"}, {"--generator ranlux", "parisi_rapuano"});
  expect_refused({"relaxation", "--generator", "none"}, {"--generator none"});
  expect_refused({"relaxation", "--L", "7"}, {"--L 7", "even"});
  expect_refused({"relaxation", "--L", "65538"}, {"--L 65538", "GiB"});
  expect_refused({"relaxation", "--T", "0"}, {"--T 0"});
  expect_refused({"relaxation", "--T", "nan"}, {"--T nan"});
  expect_refused({"relaxation", "--sweeps", "0"}, {"--sweeps 0"});
  expect_refused({"relaxation", "--samples", "100"}, {"--samples 100", "multiple of 32"});
  expect_refused({"relaxation", "--samples", "128"}, {"--samples 128", "from 352"});
  expect_refused({"relaxation", "--threads", "0"}, {"--threads 0"});
}

/// With MPI the sentence says how many ranks are needed, without it that this build has none.
TEST_F(Laboratory, an_exchange_in_one_process_is_refused) { expect_refused({"exchange"}, {"exchange: "}); }

TEST_F(Laboratory, the_Heisenberg_model_has_times_and_energies_of_all_precisions) {
  const nlohmann::json all =
      page({"heisenberg", "--L", "8", "--tile", "2,4", "--hits", "1,2", "--sweeps", "128", "--seconds", "0.0005"});
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : all.at("table")) {
    ++rows[row.at("variant").get<std::string>() + " " + row.at("precision").get<std::string>()];
    EXPECT_EQ(row.at("system"), "heisenberg2d");
    EXPECT_GT(row.at("speedup"), 0.0);
    EXPECT_EQ(row.at("flips"), 64.0 * row.value("hits", 1));
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{{"scalar double", 2},
                                              {"tiles double", 8},
                                              {"tiles float", 8},
                                              {"tiles double_library", 8},
                                              {"tiles float_library", 8}}));
  ASSERT_EQ(all.at("heisenberg").size(), 32U);
  std::set<int> seeds;
  for (const nlohmann::json& row : all.at("heisenberg")) {
    seeds.insert(row.at("seed").get<int>());
    EXPECT_EQ(row.at("blocks"), 32);
    EXPECT_LT(row.at("e"), 0.0);
    for (const char* key : {"e_error", "m", "m_error", "C", "C_error", "tau_int"}) EXPECT_GT(row.at(key), 0.0) << key;
  }
  EXPECT_EQ(seeds.size(), 8U);  // of each precision and proposal
  for (const nlohmann::json& row : all.at("lengths")) EXPECT_LT(row.at("deviation"), 1e-6);
}

TEST_F(Laboratory, a_cone_that_is_the_whole_sphere_is_not_simulated_next_to_uniform_proposals) {
  const nlohmann::json all = page({"heisenberg", "--L", "8", "--tile", "4", "--hits", "1", "--precision", "float",
                                   "--beta", "0.5,2", "--seconds", "0.0005"});
  std::vector<std::string> rows;
  for (const nlohmann::json& row : all.at("table"))
    if (row.at("variant") == "tiles") {
      rows.push_back(fmt::format("{} {:g}", row.at("proposal").get<std::string>(), row.at("beta").get<double>()));
      EXPECT_EQ(row.at("cap").get<double>() < 2, row.at("proposal") == "cone");
    }
  EXPECT_EQ(rows, (std::vector<std::string>{"uniform 0.5", "uniform 2", "cone 2"}));
  EXPECT_FALSE(all.contains("heisenberg"));
}

TEST_F(Laboratory, a_Heisenberg_model_that_cannot_be_simulated_is_refused) {
  expect_refused({"heisenberg", "--packs", "4"}, {"--packs", "multispin", "leave this option out"});
  expect_refused({"heisenberg", "--packing", "sites"}, {"--packing", "multispin"});
  expect_refused({"heisenberg", "--word-bits", "64"}, {"--word-bits", "multispin"});
  expect_refused({"heisenberg", "--L", "7"}, {"--L 7", "even"});
  expect_refused({"heisenberg", "--L", "131072"}, {"--L 131072"});
  expect_refused({"heisenberg", "--L", "48", "--tile", "16"}, {"--tile 16", "L = 48"});
  expect_refused({"heisenberg", "--tile", "3", "--L", "12"}, {"--tile 3", "even"});
  expect_refused({"heisenberg", "--hits", "0"}, {"--hits 0", "at least once"});
  expect_refused({"heisenberg", "--sweeps", "100"}, {"--sweeps 100", "at least 64"});
  expect_refused({"heisenberg", "--beta", "0"}, {"--beta 0"});
  expect_refused({"heisenberg", "--beta", "nan"}, {"--beta nan"});
  expect_refused({"heisenberg", "--precision", "half"}, {"--precision half", "float_fast"});
  expect_refused({"heisenberg", "--precision", "float_fast"}, {"--precision float_fast", "--device cuda"});
  expect_refused({"heisenberg", "--proposal", "small"}, {"--proposal small", "cone"});
  expect_refused({"heisenberg", "--device", "gpu"}, {"--device gpu", "cuda"});
}

TEST_F(Laboratory, variants_of_the_2D_Ising_model_are_timed_next_to_psflip_and_the_scalar_reference) {
  const nlohmann::json all = page({"ising2d", "--L", "6,32,64", "--seconds", "0.0005"});
  std::map<std::string, std::set<int>> sizes;
  for (const nlohmann::json& row : all.at("table")) {
    sizes[row.at("variant").get<std::string>()].insert(row.at("L").get<int>());
    EXPECT_EQ(row.at("system"), "ising2d");
    EXPECT_GT(row.at("speedup"), 0.0);
    EXPECT_EQ(row.at("flips"), row.at("lattices").get<double>() * std::pow(row.at("L").get<int>(), 2));
    EXPECT_NEAR(row.at("flips_per_ns").get<double>() * row.at("ps_per_flip").get<double>(), 1e3, 1e-6);
    if (row.at("variant") == "four_bit") {
      EXPECT_EQ(row.at("bytes_per_spin"), 0.5);
    }
    if (row.at("variant") == "psflip_sites") {
      EXPECT_EQ(row.at("bytes_per_spin"), 0.125);
    }
    EXPECT_GE(row.at("bytes"), row.at("bytes_per_spin").get<double>() * row.at("flips").get<double>());
  }
  EXPECT_EQ(sizes, (std::map<std::string, std::set<int>>{{"scalar", {6, 32, 64}},
                                                         {"basic", {6, 32, 64}},
                                                         {"tensor", {32, 64}},
                                                         {"four_bit", {64}},
                                                         {"psflip_samples", {6, 32, 64}},
                                                         {"psflip_sites", {64}}}));
}

TEST_F(Laboratory, an_unknown_variant_of_the_2D_Ising_model_or_a_size_that_it_does_not_have_is_refused) {
  expect_refused({"ising2d", "--variant", "five_bit"}, {"--variant five_bit", "four_bit", "psflip_sites"});
  expect_refused({"ising2d", "--variant", "tensor", "--L", "48"}, {"--L 48", "tensor", "multiples of 32", "64"});
  expect_refused({"ising2d", "--variant", "four_bit", "--L", "64,96"}, {"--L 96", "multiples of 64", "128"});
  expect_refused({"ising2d", "--variant", "psflip_sites", "--L", "100"}, {"--L 100", "multiples of 64"});
  expect_refused({"ising2d", "--variant", "psflip_samples", "--L", "16386"}, {"--L 16386", "up to 16384"});
  expect_refused({"ising2d", "--L", "7"}, {"--L 7", "even"});
  expect_refused({"ising2d", "--L", "4194304", "--variant", "four_bit"}, {"--L 4194304", "GiB"});
  expect_refused({"ising2d", "--beta", "0"}, {"--beta"});
  expect_refused({"ising2d", "--device", "gpu"}, {"--device gpu", "cpu", "cuda"});
  expect_refused({"ising2d", "--largest"}, {"--largest", "--device cuda"});
}

TEST_F(Laboratory, slabs_that_several_GPUs_cannot_have_are_refused) {
  expect_refused({"gpus", "--variant", "five_bit"}, {"--variant five_bit", "four_bit"});
  expect_refused({"gpus", "--memory", "host"}, {"--memory host", "peer", "managed"});
  expect_refused({"gpus", "--scaling", "steady"}, {"--scaling steady", "strong", "weak"});
  expect_refused({"gpus", "--gpus", "0"}, {"--gpus 0"});
  expect_refused({"gpus", "--gpus", "3"}, {"--L 32768", "basic on 3 GPUs", "of 6"});
  expect_refused({"gpus", "--L", "96", "--variant", "four_bit"}, {"--L 96", "64"});
  expect_refused({"gpus", "--seconds", "0"}, {"--seconds 0"});
}

TEST_F(Laboratory, band_states_have_fractions_with_errors_that_add_to_one) {
  for (const char* T : {"0", "1"}) {
    const nlohmann::json all = page({"bands", "--L", "6,8", "--T", T, "--lattices", "64", "--sweeps", "20"});
    ASSERT_EQ(all.at("bands").size(), 2U);
    for (const nlohmann::json& one : all.at("bands")) {
      const std::size_t times = one.at("times").size();
      double at_end = 0, at_L = 0;
      std::vector<double> at_times(times, 0);
      for (const auto& [name, state] : one.at("states").items()) {
        at_end += state.at("fraction").get<double>();
        at_L += state.at("at_L").at("fraction").get<double>();
        EXPECT_EQ(state.at("fraction").get<double>() * 64, state.at("lattices")) << name;
        EXPECT_GT(state.at("error"), 0.0) << name;
        ASSERT_EQ(state.at("fraction_at_times").size(), times) << name;
        for (std::size_t i = 0; i < times; ++i) at_times[i] += state.at("fraction_at_times")[i].get<double>();
        EXPECT_EQ(state.at("fraction_at_times").back(), state.at("fraction")) << name;
      }
      EXPECT_EQ(at_end, 1.0);
      EXPECT_EQ(at_L, 1.0);
      EXPECT_EQ(at_times, std::vector<double>(times, 1));
    }
  }
}

TEST_F(Laboratory, a_quench_that_has_no_bands_or_no_random_numbers_is_refused) {
  expect_refused({"bands", "--T", "2.3"}, {"--T 2.3", "T_c"});
  expect_refused({"bands", "--T", "-1"}, {"--T -1", "T_c"});
  expect_refused({"bands", "--lattices", "100"}, {"--lattices 100", "64"});
  expect_refused({"bands", "--lattices", "0"}, {"--lattices 0", "64"});
  expect_refused({"bands", "--sweeps", "2147483648"}, {"--sweeps 2147483648", "2^31"});
  expect_refused({"bands", "--L", "7"}, {"--L 7", "even"});
  expect_refused({"bands", "--L", "16386"}, {"--L 16386", "16384"});
  expect_refused({"bands", "--lattices", "1000000000000"}, {"--lattices", "GiB"});
  expect_refused({"bands", "--threads", "0"}, {"--threads 0"});
}

TEST_F(Laboratory, an_output_that_cannot_be_written_is_refused_before_any_timing) {
  const Outcome outcome = run({"reference", "--output", (folder_ / "none" / "page.json").string()});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error_text.find("--output"), std::string::npos) << outcome.error_text;
}

TEST_F(Laboratory, multi_hit_writes_energies_of_each_generator_and_order) {
  const nlohmann::json all = page({"multi_hit", "--L", "16", "--tile", "4", "--hits", "1,2", "--sweeps", "256",
                                   "--generator", "lcg64,philox", "--seconds", "0.001"});
  ASSERT_EQ(all.at("energies").size(), 6U);  // sequential and twice tiles of each generator
  for (const nlohmann::json& row : all.at("energies")) {
    EXPECT_LT(row.at("e"), -1);
    EXPECT_GT(row.at("e_error"), 0);
    EXPECT_GT(row.at("tau_int"), 0);
    EXPECT_GT(row.at("m"), 0);
    EXPECT_GT(row.at("tau_int_m"), 0);
    EXPECT_EQ(row.at("blocks"), 32);
  }
  EXPECT_EQ(all.at("table").size(), 7U);
}

TEST_F(Laboratory, multi_hit_times_tiles_with_the_energy_of_each_flip_and_without) {
  const nlohmann::json all = page({"multi_hit", "--L", "16", "--tile", "2,4", "--hits", "1,100", "--times",
                                   "--generator", "lcg32,lcg32_seeded", "--discarded", "2", "--seconds", "0.001"});
  EXPECT_FALSE(all.contains("energies"));
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : all.at("table")) {
    ++rows[row.at("variant").get<std::string>()];
    EXPECT_GT(row.at("ps_per_flip"), 0.0);
    if (row.contains("hits")) {
      EXPECT_EQ(row.at("flips"), 256.0 * row.at("hits").get<int>());
    }
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{
                      {"psflip_samples", 1}, {"scalar", 1}, {"tiles_tracked", 8}, {"tiles_untracked", 8}}));
  EXPECT_NE(all.at("command").get<std::string>().find(" --times --"), std::string::npos) << all.at("command");
}

TEST_F(Laboratory, multi_hit_has_no_sequential_update_with_a_seed_for_each_thread) {
  const nlohmann::json all = page({"multi_hit", "--L", "16", "--tile", "4", "--hits", "1", "--sweeps", "64",
                                   "--generator", "lcg64_seeded", "--seconds", "0.001"});
  ASSERT_EQ(all.at("energies").size(), 1U);
  EXPECT_EQ(all.at("energies")[0].at("variant"), "tiles");
}

TEST_F(Laboratory, multi_hit_refuses_what_it_cannot_tile) {
  expect_refused({"multi_hit", "--L", "24", "--tile", "8"}, {"--tile 8", "24"});
  expect_refused({"multi_hit", "--L", "18", "--tile", "3"}, {"--tile 3"});
  expect_refused({"multi_hit", "--hits", "0"}, {"--hits 0"});
  expect_refused({"multi_hit", "--hits", "3", "--order", "symmetric"}, {"--hits 3", "even"});
  expect_refused({"multi_hit", "--order", "random"}, {"--order random", "symmetric"});
  expect_refused({"multi_hit", "--generator", "minstd"}, {"--generator minstd", "lcg32"});
  expect_refused({"multi_hit", "--generator", "fibonacci521_skipping"}, {"fibonacci521_skipping", "jump", "lcg64"});
  expect_refused({"multi_hit", "--sweeps", "63"}, {"--sweeps 63", "64"});
  expect_refused({"multi_hit", "--sweeps", "1073741824"}, {"--sweeps 1073741824", "2^30"});
  expect_refused({"multi_hit", "--discarded", "1073741824"}, {"--discarded 1073741824", "2^30"});
  expect_refused({"multi_hit", "--system", "ea3d"}, {"--system ea3d", "ising3d"});
  expect_refused({"multi_hit", "--beta", "-1"}, {"--beta -1"});
  expect_refused({"multi_hit", "--device", "gpu"}, {"--device gpu", "cpu, cuda"});
  // Without a GPU the device is refused, with one the shared memory of the tile.
  expect_refused({"multi_hit", "--device", "cuda", "--L", "2048", "--tile", "1024"}, {"GPU"});
}

TEST_F(Laboratory, field_tiles_are_timed_next_to_packed_samples_and_the_scalar_update) {
  const nlohmann::json all = page({"field_tiles", "--L", "8", "--tile", "32x4x4", "--hits", "1,3", "--slots", "3",
                                   "--interval", "2", "--threads", "2", "--seconds", "0.001"});
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : all.at("table")) {
    ++rows[row.at("variant").get<std::string>()];
    EXPECT_EQ(row.at("flips"), 512 * row.at("realizations").get<double>() * row.value("hits", 1));
    EXPECT_GT(row.at("speedup"), 0.0);
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{{"scalar", 1}, {"scalar_threads", 1}, {"tiles", 4}, {"psflip", 2}}));
  ASSERT_EQ(all.at("steps").size(), 6U);
  for (const nlohmann::json& step : all.at("steps")) {
    EXPECT_GT(step.at("seconds_per_step"), 0.0);
    EXPECT_EQ(step.value("tile", "8x4x4"), "8x4x4");
    EXPECT_EQ(step.contains("seconds_of_exchange"), step.at("variant") == "psflip");
  }
}

TEST_F(Laboratory, field_tiles_refuses_what_it_cannot_tile) {
  expect_refused({"field_tiles", "--L", "24"}, {"--tile 32x8x8", "24"});
  expect_refused({"field_tiles", "--tile", "3x8x8"}, {"--tile 3x8x8"});
  expect_refused({"field_tiles", "--tile", "8x8"}, {"--tile 8x8", "32x8x8"});
  expect_refused({"field_tiles", "--tile", "8x8x8x8"}, {"--tile 8x8x8x8"});
  expect_refused({"field_tiles", "--tile", "0x8x8"}, {"--tile 0x8x8"});
  expect_refused({"field_tiles", "--L", "9"}, {"--L 9", "even"});
  expect_refused({"field_tiles", "--hits", "0"}, {"--hits 0"});
  expect_refused({"field_tiles", "--slots", "1"}, {"--slots 1"});
  expect_refused({"field_tiles", "--interval", "1"}, {"--interval 1"});
  expect_refused({"field_tiles", "--threads", "-1"}, {"--threads -1"});
  expect_refused({"field_tiles", "--T", "5,4"}, {"--T 5,4", "coldest"});
  expect_refused({"field_tiles", "--device", "gpu"}, {"--device gpu", "cuda"});
  expect_refused({"field_tiles", "--device", "cuda", "--generator", "mt19937"},
                 {"--generator mt19937", "lcg64, philox"});
  expect_refused({"field_tiles", "--generator", "minstd"}, {"--generator minstd", "lcg64"});
}

}  // namespace
}  // namespace psflip::equality
