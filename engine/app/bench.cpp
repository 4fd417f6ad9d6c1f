#include "engine/app/bench.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/app/machine.hpp"
#include "engine/app/options/nearest.hpp"
#include "engine/app/run/backend.hpp"
#include "engine/app/run/run_job.hpp"
#include "engine/app/run/stop_signals.hpp"
#include "engine/bench/bench_jobs.hpp"
#include "engine/bench/timings.hpp"
#include "engine/core/version.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/bench/roofline.hpp"
#endif

namespace psflip::app {

namespace {

double median(const std::vector<double>& values) {
  bench::Timings timings(values.size());
  for (const double value : values) timings.add(value);
  return timings.median();
}

/// Where the seconds of the timed runs of one job went.
struct Timing {
  std::vector<double> total, start_up, measuring, updates;
  double flips = 0;  ///< of a run

  void add(double all, double start, double measure) {
    total.push_back(all);
    start_up.push_back(start);
    measuring.push_back(measure);
    updates.push_back(all - start - measure);
  }
};

Timing time_runs(const Job& job, int runs, const Backend& backend) {
  Timing timing;
  for (int run = -1; run < runs; ++run) {  // the first warms caches and clock and is not counted
    double start_up = 0;
    Simulation simulation(job, [&](const System& system) {
      const double before = now();
      auto engine = backend.make_engine(system);
      start_up += now() - before;
      return engine;
    });
    simulation.run([] { return false; }, [] {});
    timing.flips = simulation.flips_total();
    if (run >= 0) timing.add(simulation.seconds(), start_up, simulation.seconds_measuring());
  }
  return timing;
}

/// The jobs whose name holds `filter`, all for an empty one. Throws UserError if there is none.
std::vector<Job> filtered(const std::vector<Job>& jobs, const std::string& filter) {
  std::vector<Job> found;
  std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(found),
               [&](const Job& job) { return bench::name_of(job).find(filter) != std::string::npos; });
  if (!found.empty()) return found;
  std::vector<std::string> names;
  for (const Job& job : jobs) names.push_back(bench::name_of(job));
  throw UserError(fmt::format("--filter {}: no job of this benchmark has that in its name, did you mean {}?", filter,
                              nearest(filter, names)));
}

/// The object of one job, without the GPU.
nlohmann::json describe(const Job& job, const Timing& timing, const Backend& backend, int threads) {
  const System& s = job.system;
  std::vector<double> runs = timing.total;
  for (double& run : runs) run *= 1e12 / timing.flips;
  const double total = median(timing.total);
  nlohmann::json result = {{"name", bench::name_of(job)},
                           {"model", name_of(s.model)},
                           {"method", psflip::name_of(job.method)},
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
                           {"ps_per_flip", median(runs)},
                           {"ps_per_flip_updates", 1e12 * median(timing.updates) / timing.flips},
                           {"flips_per_ns", 1000 / median(runs)},
                           {"runs", runs},
                           {"measuring_share", median(timing.measuring) / total},
                           {"seconds_updates_share", median(timing.updates) / total},
                           {"start_up_seconds", median(timing.start_up)},
                           {"seconds", total},
                           {"code_version", code_version},
                           {"git_commit", git_commit()},
                           {"created", utc_now()}};
  if (job.method == Method::tempering) {
    const std::uint64_t interval = job.exchange_interval;
    result.update({{"slots", job.T.size()}, {"exchange_interval", interval}});
    result["measure_interval"] = job.measure_interval == 0 ? interval : job.measure_interval;
  }
  if (s.has_field()) result.update({{"J", s.J}, {"h", s.h}});
  return result;
}

void print_line(const nlohmann::json& r) {
  fmt::print("{:4} {:38} {:5} samples {:2} threads: {:8.3f} ps/flip, {:4.1f} % updates",
             r["backend"].get<std::string>(), r["name"].get<std::string>(), r["samples"].get<int>(),
             r["threads"].get<int>(), r["ps_per_flip"].get<double>(), 100 * r["seconds_updates_share"].get<double>());
  if (r.contains("share_of_logic_rate")) {
    fmt::print(", {:2.0f} % of copies, {:2.0f} % of logic", 100 * r["share_of_bandwidth"].get<double>(),
               100 * r["share_of_logic_rate"].get<double>());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

/// Times the jobs. `gpu` is empty on a CPU.
void time_all(const std::vector<Job>& jobs, const BenchOptions& options, const Backend& backend, int threads,
              [[maybe_unused]] const nlohmann::json& gpu, nlohmann::json& results) {
  for (const Job& job : jobs) {
    nlohmann::json result = describe(job, time_runs(job, options.runs, backend), backend, threads);
#ifdef PSFLIP_WITH_CUDA
    const System system = legs_of(job).front().system;
    if (!gpu.empty() && system.slots() == 1) bench::add_roofline(result, gpu, system, result["ps_per_flip_updates"]);
#endif
    print_line(result);
    results.push_back(std::move(result));
  }
}

void time_cuda(const BenchOptions& options, const Backend& backend, nlohmann::json& results) {
  const std::vector<Job> jobs = filtered(bench::cuda_bench_jobs(), options.filter);
  nlohmann::json gpu;
#ifdef PSFLIP_WITH_CUDA
  gpu = bench::measure_gpu();
#endif
  time_all(jobs, options, backend, 1, gpu, results);
}

void time_cpu(const BenchOptions& options, Execution execution, nlohmann::json& results) {
  std::vector<int> threads = options.threads;
  if (threads.empty())
    threads = omp_get_num_procs() > 1 ? std::vector<int>{1, omp_get_num_procs()} : std::vector<int>{1};
  const int bits = options.word_bits ? options.word_bits : cpu::supported_word_bits().back();
  execution.backend = "cpu";
  for (const int n : threads) {
    execution.threads = n;
    const Backend backend = choose_backend(execution);  // refuses a count below 1
    const std::uint64_t lanes = static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(bits);
    time_all(filtered(bench::cpu_bench_jobs(lanes), options.filter), options, backend, n, {}, results);
  }
}

}  // namespace

void add_bench_options(CLI::App& sub, BenchOptions& options) {
  sub.add_option("--output", options.output, "JSON file to write")->required();
  sub.add_option("--filter", options.filter, "only jobs with this in their name, for example ea3d-shared-L16");
  sub.add_option("--threads", options.threads, "thread counts, comma separated; default 1 and all cores")
      ->delimiter(',');
  sub.add_option("--runs", options.runs, "timed runs of each job, the median is quoted")->capture_default_str();
  sub.add_option("--backend", options.backend, "auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  sub.add_option("--word-bits", options.word_bits, "word width 64, 256 or 512; 0 takes the widest")
      ->capture_default_str();
}

int run_benchmark(const BenchOptions& options) {
  if (options.runs < 1) throw UserError(fmt::format("--runs {}: at least one timed run is needed.", options.runs));
  require_output(options.output);
  end_on_stop_signals();
  Execution execution;
  execution.backend = options.backend;
  execution.word_bits = options.word_bits;
  const Backend first = choose_backend(execution);
  nlohmann::json results = nlohmann::json::array();
  if (first.name == "cuda") {
    time_cuda(options, first, results);
  } else {
    time_cpu(options, execution, results);
  }
  io::write_text(options.output, results.dump(1) + "\n");
  return exit_done;
}

}  // namespace psflip::app
