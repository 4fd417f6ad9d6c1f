#include "engine/app/bench.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/app/backend.hpp"
#include "engine/app/machine.hpp"
#include "engine/app/run_job.hpp"
#include "engine/core/version.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {

namespace {

Job ea3d_job(int L, Random random, std::uint64_t samples, std::uint64_t sweeps) {
  Job job;
  job.system = {Model::ea3d, L, 0, 0, samples, 4, 1, random, Packing::samples, Start::random, Couplings::bimodal};
  job.T = {1.1};
  job.beta = {1 / job.T[0]};
  job.sweeps = sweeps;
  return job;
}

Job ising2d_job(int L, Packing packing, std::uint64_t samples, std::uint64_t sweeps) {
  Job job;
  job.system = {Model::ising2d,        L, 0, 0, samples, 1, 1, Random::independent, packing, Start::ordered,
                Couplings::ferromagnet};
  job.T = {2.269185314213022};
  job.beta = {1 / job.T[0]};
  job.sweeps = sweeps;
  job.measure_interval = 50;
  job.bins = 1;
  return job;
}

/// The jobs that are timed on the CPU: sizes and modes of the tables in docs/performance.md, `lanes` samples where
/// samples are packed.
std::vector<Job> cpu_jobs(std::uint64_t lanes) {
  return {ea3d_job(8, Random::shared, lanes, 32768),      ea3d_job(16, Random::shared, lanes, 4096),
          ea3d_job(32, Random::shared, lanes, 2048),      ea3d_job(8, Random::independent, lanes, 4096),
          ea3d_job(16, Random::independent, lanes, 2048), ising2d_job(64, Packing::samples, lanes, 5000),
          ising2d_job(1024, Packing::sites, 1, 10000),    ising2d_job(4096, Packing::sites, 1, 500)};
}

/// The same on a GPU, with enough samples to fill one.
std::vector<Job> cuda_jobs() {
  std::vector<Job> jobs;
  for (const Random random : {Random::shared, Random::independent}) {
    const std::uint64_t share = random == Random::shared ? 4 : 1;
    for (const auto& [L, samples, sweeps] : {std::tuple{8, 4096, 400000},
                                             {16, 4096, 100000},
                                             {18, 4096, 40000},
                                             {32, 2048, 10000},
                                             {64, 1024, 2000},
                                             {128, 256, 1000}}) {
      jobs.push_back(
          ea3d_job(L, random, static_cast<std::uint64_t>(samples), static_cast<std::uint64_t>(sweeps) * share / 4));
    }
  }
  jobs.push_back(ising2d_job(128, Packing::samples, 1024, 20000));
  jobs.push_back(ising2d_job(128, Packing::sites, 1024, 100000));
  jobs.push_back(ising2d_job(1024, Packing::sites, 1, 100000));
  jobs.push_back(ising2d_job(32768, Packing::sites, 1, 2000));
  return jobs;
}

nlohmann::json time_job(const Job& job, const BenchOptions& options, const Backend& backend, int threads) {
  std::vector<double> runs;
  double measuring = 0, total = 0;
  for (int run = -1; run < options.runs; ++run) {  // the first warms caches and clock and is not counted
    Simulation simulation(job, backend.make_engine);
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
  return {{"model", name_of(s.model)},
          {"mode", name_of(s.random)},
          {"packing", name_of(s.packing)},
          {"backend", backend.name},
          {"device", backend.device},
          {"instruction_set", backend.instruction_set},
          {"L", s.L},
          {"T", job.T[0]},
          {"samples", s.samples},
          {"replicas", s.replicas},
          {"sweeps", job.sweeps},
          {"threads", threads},
          {"ps_per_flip", median},
          {"flips_per_ns", 1000 / median},
          {"runs", runs},
          {"measuring_share", measuring / total},
          {"code_version", code_version},
          {"git_commit", git_commit()}};
}

}  // namespace

void add_bench_options(CLI::App& sub, BenchOptions& options) {
  sub.add_option("--output", options.output, "JSON file to write")->required();
  sub.add_option("--threads", options.threads, "thread counts, comma separated; default 1 and all cores")
      ->delimiter(',');
  sub.add_option("--runs", options.runs, "timed runs of each job, the median is quoted")->capture_default_str();
  sub.add_option("--backend", options.backend, "auto, cpu or cuda")->capture_default_str();
  sub.add_option("--word-bits", options.word_bits, "word width 64, 256 or 512; 0 takes the widest")
      ->capture_default_str();
}

int run_benchmark(const BenchOptions& options) {
  if (options.runs < 1) throw UserError(fmt::format("--runs {}: at least one timed run is needed.", options.runs));
  require_output(options.output);
  std::vector<int> threads = options.threads;
  if (threads.empty())
    threads = omp_get_num_procs() > 1 ? std::vector<int>{1, omp_get_num_procs()} : std::vector<int>{1};
  nlohmann::json results = nlohmann::json::array();
  const auto time_all = [&](const Backend& backend, const std::vector<Job>& jobs, int n) {
    for (const Job& job : jobs) {
      results.push_back(time_job(job, options, backend, n));
      const auto& r = results.back();
      fmt::print("{:4} {:8} {:12} L = {:5} {:4} samples {} threads: {:8.3f} ps/flip, {:4.1f} % measuring\n",
                 backend.name, name_of(job.system.model), name_of(job.system.random), job.system.L, job.system.samples,
                 n, r["ps_per_flip"].get<double>(), 100 * r["measuring_share"].get<double>());
      std::fflush(stdout);
    }
  };
  Execution execution;
  execution.backend = options.backend;
  execution.word_bits = options.word_bits;
  const Backend first = choose_backend(execution);
  if (first.name == "cuda") time_all(first, cuda_jobs(), 1);
  execution.backend = "cpu";
  for (const int n : first.name == "cuda" ? std::vector<int>{} : threads) {
    execution.threads = n;
    const int bits = options.word_bits ? options.word_bits : cpu::supported_word_bits().back();
    time_all(choose_backend(execution), cpu_jobs(static_cast<std::uint64_t>(n * bits)), n);
  }
  io::write_text(options.output, results.dump(1) + "\n");
  return exit_done;
}

}  // namespace psflip::app
