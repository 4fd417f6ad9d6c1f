#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "jobs.hpp"
#include "refused.hpp"

// Every option with every model and command that `psflip models --json` lists: it acts or is refused, never ignored.
namespace psflip::equality {
namespace {

/// A value of an option that changes the file of a job, or, for options of files and machine, one that is refused.
struct Change {
  std::string value;
  bool is_refused = false;
};

const std::map<std::string, Change> changes = {{"--L", {"6"}},
                                               {"--T", {"3.9,4.4"}},
                                               {"--beta", {"0.22,0.21"}},
                                               {"--h", {"0.5"}},
                                               {"--J", {"0.5"}},
                                               {"--samples", {"8:8"}},
                                               {"--sweeps", {"48"}},
                                               {"--seed", {"2"}},
                                               {"--random", {"independent"}},
                                               {"--start", {"ordered"}},
                                               {"--replicas", {"3"}},
                                               {"--couplings", {"ferromagnet"}},
                                               {"--p", {"0.2"}},
                                               {"--disorder", {"no_such_disorder.h5", true}},
                                               {"--disorder-hash", {"0123456789abcdef", true}},
                                               {"--measure", {"magnetization_k2"}},
                                               {"--packing", {"sites"}},  // of L = 64, where samples are the default
                                               {"--exchange-interval", {"2"}},
                                               {"--measure-interval", {"12"}},
                                               {"--bins", {"2"}},
                                               {"--longer", {"1:3", true}},
                                               {"--link-overlap-slots", {"1"}},
                                               {"--grid", {"no_such_grid.json", true}},
                                               {"--method", {"equal-rates"}},
                                               {"--slots", {"3"}},
                                               {"--trials", {"0"}},
                                               {"--insertions", {"1"}},
                                               {"--target", {"2", true}},
                                               {"--save-disorder", {""}},
                                               {"--save-spins", {""}},
                                               {"--output", {"no/such/folder.h5", true}},
                                               {"--checkpoint", {"no/such/folder.h5", true}},
                                               {"--checkpoint-interval", {"-1", true}},
                                               {"--max-seconds", {"-1", true}},
                                               {"--max-memory", {"-1", true}},
                                               {"--print-memory", {""}},
                                               {"--gpu-lock", {"no/such/folder", true}},
                                               {"--backend", {"gpu", true}},
                                               {"--threads", {"0", true}},
                                               {"--word-bits", {"128", true}}};

struct Pair {
  std::string model, command;
  std::set<std::string> options;

  bool has(const std::string& option) const { return options.contains(option); }
};

nlohmann::json models() { return nlohmann::json::parse(output_of({"models", "--json"})); }

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const auto& model : models())
    for (const auto& [command, options] : model["commands"].items())
      all.push_back({model["name"], command, std::set<std::string>(options.begin(), options.end())});
  return all;
}

/// The smallest job of a pair.
JobLine smallest(const Pair& pair) {
  JobLine job{pair.model + "_" + pair.command,
              pair.model,
              pair.command,
              {{"--L", "4"}, {"--T", "4,4.5"}, {"--samples", "0:8"}, {"--sweeps", "24"}, {"--seed", "1"}},
              {}};
  if (pair.has("--h")) job.options["--h"] = "1";
  if (pair.has("--bins")) job.options["--bins"] = "1";
  if (pair.has("--measure-interval")) job.options["--measure-interval"] = "4";
  if (pair.has("--exchange-interval")) job.options["--exchange-interval"] = "4";
  if (pair.command == "adapt") job.options["--trials"] = "1";
  return job;
}

JobLine changed(JobLine job, const std::string& option, const std::string& value) {
  if (value.empty()) {
    job.flags.push_back(option);
    return job;
  }
  if (option == "--beta" || option == "--grid") job.options.erase("--T");
  return job.with(option, value);
}

class Options : public Refused {
 protected:
  /// Everything in the file of a job that is not time or place.
  std::string content_of(const JobLine& job) {
    const Outcome outcome = run(job.arguments(output()));
    EXPECT_EQ(outcome.exit_code, 0) << job.name << ": " << outcome.error_text;
    if (job.method == "adapt") {
      nlohmann::json grid = nlohmann::json::parse(std::ifstream(output()));
      grid.erase("created");
      return grid.dump();
    }
    io::LabelledFile file = io::read(output(), "measurement");
    std::string content = file.text("job");
    for (const io::Dataset& dataset : file.datasets) {
      content += dataset.name;
      std::visit(
          [&](const auto& values) {
            for (const auto value : values) content += std::to_string(value) + ",";
          },
          dataset.values);
    }
    return content;
  }
};

TEST_F(Options, all_of_the_program_have_a_change_in_this_test) {
  for (const Pair& pair : pairs())
    for (const std::string& option : pair.options) EXPECT_TRUE(changes.contains(option)) << option;
}

TEST_F(Options, of_a_model_and_command_act) {
  for (const Pair& pair : pairs()) {
    const std::string unchanged = content_of(smallest(pair));
    for (const std::string& option : pair.options) {
      SCOPED_TRACE(pair.model + " " + pair.command + " " + option);
      const Change& change = changes.at(option);
      JobLine job = smallest(pair);
      if (option == "--packing") job = job.with("--L", "64").with("--h", "0");
      if (option == "--random" && !pair.has("--couplings")) {  // independent is all that the model allows
        expect_refused(job.with("--random", "shared"), {"--random shared"});
      } else if (option == "--print-memory") {
        std::filesystem::remove(output());
        EXPECT_EQ(run(changed(job, option, change.value).arguments(output())).exit_code, 0);
        EXPECT_TRUE(folder_.empty()) << "the job ran";
      } else if (change.is_refused) {
        expect_refused(changed(job, option, change.value), {option});
      } else {
        EXPECT_NE(content_of(changed(job, option, change.value)), option == "--packing" ? content_of(job) : unchanged);
      }
    }
  }
}

TEST_F(Options, of_other_models_and_commands_are_refused_with_the_reason) {
  for (const Pair& pair : pairs()) {
    for (const auto& [option, change] : changes) {
      if (pair.has(option)) continue;
      SCOPED_TRACE(pair.model + " " + pair.command + " " + option);
      expect_refused(changed(smallest(pair), option, change.value), {option, "no such option", "leave it out"});
    }
  }
}

TEST_F(Options, a_command_line_of_0_1_is_answered_with_the_new_one) {
  expect_refused(Arguments{"ea3d", "--L", "8", "--T", "1.1"}, {"0.2.0", "type: psflip ea3d relaxation --L 8 --T 1.1"});
  expect_refused(Arguments{"ising2d", "--L", "8"}, {"type: psflip ising2d equilibrium --L 8"});
  expect_refused(Arguments{"rfim3d", "--L", "8"}, {"type: psflip rfim3d tempering --L 8"});
}

TEST_F(Options, a_model_without_a_method_is_answered_with_its_methods) {
  expect_refused(Arguments{"ea3d"}, {"relaxation", "equilibrium"});
  expect_refused(Arguments{"ea3d", "relax"}, {"relax"});
}

}  // namespace
}  // namespace psflip::equality
