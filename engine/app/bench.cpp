#include "engine/app/bench.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/app/machine.hpp"
#include "engine/app/run_job.hpp"
#include "engine/core/version.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {

namespace {

/// The jobs that are timed: sizes and modes of the tables in docs/performance.md.
std::vector<Job> benchmark_jobs(std::uint64_t lanes) {
  std::vector<Job> jobs;
  const auto add_ea3d = [&](int L, Random random, std::uint64_t sweeps) {
    Job job;
    job.system = {Model::ea3d, L, 0, 0, lanes, 4, 1, random, Packing::samples, Start::random, Couplings::bimodal};
    job.T = {1.1};
    job.sweeps = sweeps;
    jobs.push_back(job);
  };
  const auto add_ising2d = [&](int L, Packing packing, std::uint64_t samples, std::uint64_t sweeps) {
    Job job;
    job.system = {Model::ising2d, L, 0, 0, samples, 1, 1, Random::independent, packing, Start::ordered, Couplings::ferromagnet};
    job.T = {2.269185314213022};
    job.sweeps = sweeps;
    job.measure_interval = 50;
    job.bins = 1;
    jobs.push_back(job);
  };
  add_ea3d(8, Random::shared, 32768);
  add_ea3d(16, Random::shared, 4096);
  add_ea3d(32, Random::shared, 512);
  add_ea3d(8, Random::independent, 4096);
  add_ea3d(16, Random::independent, 512);
  add_ising2d(64, Packing::samples, lanes, 1000);
  add_ising2d(1024, Packing::sites, 1, 1000);
  add_ising2d(4096, Packing::sites, 1, 100);
  for (Job& job : jobs) job.beta = {1 / job.T[0]};
  return jobs;
}

nlohmann::json time_job(const Job& job, const BenchOptions& options, int threads) {
  std::vector<double> runs;
  double measuring = 0, total = 0;
  for (int run = -1; run < options.runs; ++run) {  // the first warms caches and clock and is not counted
    Simulation simulation(job, [&](const System& system) { return cpu::make_engine(system, threads, options.word_bits); });
    simulation.run([] { return false; }, [] {});
    if (run < 0) continue;
    runs.push_back(1e12 * simulation.seconds() / simulation.flips_total());
    measuring += simulation.seconds_measuring();
    total += simulation.seconds();
  }
  std::vector<double> sorted = runs;
  std::sort(sorted.begin(), sorted.end());
  const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  const System& s = job.system;
  const int bits = options.word_bits ? options.word_bits : cpu::supported_word_bits().back();
  return {{"model", name_of(s.model)}, {"mode", name_of(s.random)},      {"packing", name_of(s.packing)},
          {"backend", "cpu"},          {"device", processor()},          {"instruction_set", cpu::instruction_set(bits)},
          {"L", s.L},                  {"T", job.T[0]},                  {"samples", s.samples},
          {"replicas", s.replicas},    {"sweeps", job.sweeps},           {"threads", threads},
          {"ps_per_flip", median},     {"flips_per_ns", 1000 / median},  {"runs", runs},
          {"measuring_share", measuring / total}, {"code_version", code_version}, {"git_commit", git_commit()}};
}

}  // namespace

void add_bench_options(CLI::App& sub, BenchOptions& options) {
  sub.add_option("--output", options.output, "JSON file to write")->required();
  sub.add_option("--threads", options.threads, "thread counts, comma separated; default 1 and all cores")->delimiter(',');
  sub.add_option("--runs", options.runs, "timed runs of each job, the median is quoted")->capture_default_str();
  sub.add_option("--word-bits", options.word_bits, "word width 64, 256 or 512; 0 takes the widest")->capture_default_str();
}

int run_benchmark(const BenchOptions& options) {
  if (options.runs < 1) throw UserError(fmt::format("--runs {}: at least one timed run is needed.", options.runs));
  require_output(options.output);
  std::vector<int> threads = options.threads;
  if (threads.empty()) threads = omp_get_num_procs() > 1 ? std::vector<int>{1, omp_get_num_procs()} : std::vector<int>{1};
  for (const int n : threads) check_machine({"cpu", n, options.word_bits, options.output, {}, 0, {}});
  nlohmann::json results = nlohmann::json::array();
  const int bits = options.word_bits ? options.word_bits : cpu::supported_word_bits().back();
  for (const int n : threads) {
    for (const Job& job : benchmark_jobs(static_cast<std::uint64_t>(n * bits))) {
      results.push_back(time_job(job, options, n));
      const auto& r = results.back();
      fmt::print("{:8} {:12} L = {:5} {:4} samples {} threads: {:8.2f} ps/flip, {:4.1f} % measuring\n", r["model"].get<std::string>(),
                 r["mode"].get<std::string>(), r["L"].get<int>(), r["samples"].get<int>(), n, r["ps_per_flip"].get<double>(),
                 100 * r["measuring_share"].get<double>());
    }
  }
  io::write_text(options.output, results.dump(1) + "\n");
  return exit_done;
}

}  // namespace psflip::app
