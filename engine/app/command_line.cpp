#include "engine/app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "engine/app/bench.hpp"
#include "engine/app/machine.hpp"
#include "engine/app/nearest.hpp"
#include "engine/app/run_job.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

/// Values as they stand on the command line, before they become a Job.
struct Options {
  int L = 0;
  std::vector<std::string> T, beta;
  std::string samples;
  int replicas = 4;
  std::int64_t sweeps = 0, seed = 0;
  std::string random, couplings = "bimodal", start = "random", packing = "auto";
  std::int64_t measure_interval = 10, bins = 32;
  bool save_disorder = false, save_spins = false;
  std::string output, checkpoint;
  Execution execution;
  double max_seconds = -1;
};

void add_model_options(CLI::App& sub, Options& o, Model model) {
  const std::string group = "Physics";
  sub.configurable();
  sub.fallthrough();
  sub.add_option("--L", o.L, "linear size, even, at least 4")->required()->group(group);
  auto* T = sub.add_option("--T", o.T, "temperatures in J / k_B, comma separated")->delimiter(',')->group(group);
  sub.add_option("--beta", o.beta, "inverse temperatures instead of --T")->delimiter(',')->excludes(T)->group(group);
  sub.add_option("--samples", o.samples, "FIRST:COUNT, global sample ids")->required()->group(group);
  sub.add_option("--sweeps", o.sweeps, "sweeps of every sample")->required()->group(group);
  sub.add_option("--seed", o.seed, "seed, 0 to 2^32 - 1")->required()->group(group);
  sub.add_option("--random", o.random, "shared (one number per site and 32 samples) or independent")->group(group);
  sub.add_option("--start", o.start, "initial spins: random or ordered")->capture_default_str()->group(group);
  if (model == Model::ea3d) {
    sub.add_option("--replicas", o.replicas, "copies of each sample, 1 to 8")->capture_default_str()->group(group);
    sub.add_option("--couplings", o.couplings, "bimodal or ferromagnet")->capture_default_str()->group(group);
  } else {
    sub.add_option("--packing", o.packing, "samples or sites in a word; auto: sites for L >= 1024")
        ->capture_default_str()
        ->group(group);
    sub.add_option("--measure-interval", o.measure_interval, "sweeps between measurements")
        ->capture_default_str()
        ->group(group);
    sub.add_option("--bins", o.bins, "equal bins of measurements kept per sample")->capture_default_str()->group(group);
  }
  sub.add_flag("--save-disorder", o.save_disorder, "write the couplings")->group("Files");
  sub.add_flag("--save-spins", o.save_spins, "write the final configurations")->group("Files");
  sub.add_option("--output", o.output, "measurement file (HDF5) to write")->required()->group("Files");
  sub.add_option("--checkpoint", o.checkpoint, "go on from this file if it is there, and keep it up to date")
      ->group("Files");
  sub.add_option("--checkpoint-interval", o.execution.checkpoint_interval, "seconds between checkpoints")
      ->capture_default_str()
      ->group("Files");
  sub.add_option("--max-seconds", o.max_seconds, "stop at a checkpoint after this time, exit code 75")->group("Files");
  sub.add_option("--backend", o.execution.backend, "auto, cpu or cuda")->capture_default_str()->group("Machine");
  sub.add_option("--threads", o.execution.threads, "threads")->capture_default_str()->group("Machine");
  sub.add_option("--word-bits", o.execution.word_bits, "word width 64, 256 or 512; 0 takes the widest")
      ->capture_default_str()
      ->group("Machine");
}

/// One of `names`, as its index; a UserError names the nearest otherwise.
int choice(const std::string& option, const std::string& value, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (value == names[i]) return static_cast<int>(i);
  throw UserError(fmt::format("{} {}: unknown value, did you mean {}?", option, value, nearest(value, names)));
}

std::uint64_t parse_number(const std::string& text, const std::string& whole) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw UserError(
        fmt::format("--samples {}: expected FIRST:COUNT with two whole numbers, for example 0:512.", whole));
  return value;
}

double parse_real(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw UserError(fmt::format("{} \"{}\": expected a list of numbers with commas between them, for example 0.9,1.1.",
                                option, text));
  return value;
}

std::uint64_t not_negative(const std::string& option, std::int64_t value) {
  if (value < 0)
    throw UserError(fmt::format("{} {}: must not be negative, see psflip --help for its meaning.", option, value));
  return static_cast<std::uint64_t>(value);
}

Job make_job(const Options& o, Model model) {
  Job job;
  System& s = job.system;
  s.model = model;
  s.L = o.L;
  const std::size_t colon = std::min(o.samples.find(':'), o.samples.size());
  s.first_sample = parse_number(o.samples.substr(0, colon), o.samples);
  s.samples = parse_number(colon < o.samples.size() ? o.samples.substr(colon + 1) : "", o.samples);
  s.replicas = model == Model::ea3d ? o.replicas : 1;
  if (o.seed < 0 || o.seed > 0xffffffff)
    throw UserError(fmt::format("--seed {}: a seed is a whole number from 0 to 4294967295.", o.seed));
  s.seed = static_cast<std::uint32_t>(o.seed);
  const std::string random =
      o.random.empty() ? (model == Model::ea3d && o.couplings != "ferromagnet" ? "shared" : "independent") : o.random;
  s.random = static_cast<Random>(choice("--random", random, {"shared", "independent"}));
  s.start = static_cast<Start>(choice("--start", o.start, {"random", "ordered"}));
  s.couplings = model == Model::ea3d
                    ? static_cast<Couplings>(choice("--couplings", o.couplings, {"bimodal", "ferromagnet"}))
                    : Couplings::ferromagnet;
  const int packing = choice("--packing", o.packing, {"samples", "sites", "auto"});
  s.packing = static_cast<Packing>(packing);
  if (packing == 2)
    s.packing = model == Model::ising2d && s.L >= 1024 && s.L % 64 == 0 ? Packing::sites : Packing::samples;
  job.given_as_beta = o.T.empty() && !o.beta.empty();
  for (const std::string& T : o.T) {
    job.T.push_back(parse_real("--T", T));
    job.beta.push_back(1 / job.T.back());
  }
  for (const std::string& beta : o.beta) {
    job.beta.push_back(parse_real("--beta", beta));
    job.T.push_back(1 / job.beta.back());
  }
  job.sweeps = not_negative("--sweeps", o.sweeps);
  job.measure_interval = not_negative("--measure-interval", o.measure_interval);
  job.bins = not_negative("--bins", o.bins);
  job.save_disorder = o.save_disorder;
  job.save_spins = o.save_spins;
  return job;
}

int run_model(const Options& o, Model model) {
  Execution execution = o.execution;
  choice("--backend", execution.backend, {"auto", "cpu", "cuda"});
  execution.output = o.output;
  if (!o.checkpoint.empty()) execution.checkpoint = o.checkpoint;
  if (o.max_seconds >= 0) execution.max_seconds = o.max_seconds;
  if (execution.max_seconds && !execution.checkpoint)
    throw UserError("--max-seconds: the work done would be lost, give a --checkpoint FILE too.");
  return run_job(make_job(o, model), execution);
}

/// All option names a user may have meant, with their dashes.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const CLI::App* sub : app.get_subcommands({}))
    for (const std::string& name : option_names(*sub)) names.push_back(name);
  return names;
}

/// The word CLI11 did not know, out of its message "The following argument(s) was/were not expected: ...".
std::string unknown_word(const std::string& message) {
  const std::size_t dashes = message.find(" -");
  const std::size_t start = dashes != std::string::npos ? dashes + 1 : message.find_last_of(" .") + 1;
  return message.substr(start, message.find_first_of(" =", start) - start);
}

/// CLI11's complaint as one sentence with a remedy.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::string word = unknown_word(what);
  const bool in_file = dynamic_cast<const CLI::ConfigError*>(&error) != nullptr;
  if (in_file && word.find("--") != 0) word = "--" + word;
  if (in_file || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    throw UserError(fmt::format("{}: no such option or key, did you mean {}?", word, nearest(word, option_names(app))));
  }
  throw UserError(fmt::format("{}; see psflip --help and psflip ea3d --help for what is expected.", what));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("Multispin Monte Carlo of disordered and pure Ising systems.", "psflip");
  app.set_version_flag("--version", version_text);
  app.set_config("--config", "", "options as a TOML file, in a table named after the model");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.require_subcommand(1);
  Options ea3d, ising2d;
  BenchOptions bench;
  CLI::App* run_ea3d = app.add_subcommand("ea3d", "3D Edwards-Anderson spin glass, off-equilibrium relaxation");
  CLI::App* run_ising2d = app.add_subcommand("ising2d", "2D Ising model");
  CLI::App* run_bench = app.add_subcommand("bench", "measure the speed of this machine");
  CLI::App* info = app.add_subcommand("info", "versions, processor, word widths");
  add_model_options(*run_ea3d, ea3d, Model::ea3d);
  add_model_options(*run_ising2d, ising2d, Model::ising2d);
  add_bench_options(*run_bench, bench);
  const std::vector<std::string> commands = {"ea3d", "ising2d", "bench", "info"};
  if (argc > 1 && argv[1][0] != '-') choice("psflip", argv[1], commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    refuse(app, error);
  }
  if (run_ea3d->parsed()) return run_model(ea3d, Model::ea3d);
  if (run_ising2d->parsed()) return run_model(ising2d, Model::ising2d);
  if (run_bench->parsed()) return run_benchmark(bench);
  if (info->parsed()) print_info();
  return exit_done;
}

}  // namespace psflip::app
