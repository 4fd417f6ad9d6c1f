#include "engine/app/bench_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/app/nearest.hpp"
#include "engine/io/error.hpp"

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

Job ising2d_job(int L, Packing packing, std::uint64_t samples, std::uint64_t sweeps, std::uint64_t measure_interval) {
  Job job;
  job.system = {Model::ising2d,        L, 0, 0, samples, 1, 1, Random::independent, packing, Start::ordered,
                Couplings::ferromagnet};
  job.T = {2.269185314213022};
  job.beta = {1 / job.T[0]};
  job.sweeps = sweeps;
  job.measure_interval = measure_interval;
  job.bins = 1;
  return job;
}

/// 24 slots over the range of temperatures of Navarro, Huang and Deng, exchanges every ten sweeps.
TemperingJob rfim3d_job(int L, std::uint64_t samples, std::uint64_t sweeps, double h = 1) {
  constexpr int slots = 24;
  TemperingJob job;
  TemperingSystem& s = job.system;
  s.model = Model::rfim3d;
  s.L = L;
  s.h = h;
  s.samples = samples;
  s.replicas = tempering_sets;
  s.seed = 1;
  for (int k = 0; k < slots; ++k) job.T.push_back(2.8 + (4.7 - 2.8) * k / (slots - 1));
  for (const double T : job.T) s.betas.push_back(1 / T);
  job.sweeps = sweeps;
  return job;
}

// h = J, h <= 2 J and stronger fields have kernels of their own (engine/core/field_update.hpp).
constexpr double weak_field = 0.5, strong_field = 3;

constexpr double seconds_of_a_run = 2.5;  // long enough for start and measurements to weigh what they do for a user

/// Sweeps that take about as long as a run should, a multiple of `unit`, if a flip takes `ps` picoseconds.
std::uint64_t sweeps_for(const System& s, double ps, std::uint64_t unit) {
  const double flips_per_sweep = static_cast<double>(s.sites() * s.samples) * s.replicas;
  const double sweeps = seconds_of_a_run / (flips_per_sweep * 1e-12 * ps);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(sweeps / static_cast<double>(unit))) * unit;
}

struct Ensemble {
  int L;
  std::uint64_t samples;
};

}  // namespace

std::vector<BenchJob> cpu_bench_jobs(std::uint64_t lanes) {
  return {ea3d_job(8, Random::shared, lanes, 32768),
          ea3d_job(16, Random::shared, lanes, 4096),
          ea3d_job(32, Random::shared, lanes, 2048),
          ea3d_job(8, Random::independent, lanes, 4096),
          ea3d_job(16, Random::independent, lanes, 2048),
          ising2d_job(64, Packing::samples, lanes, 5000, 50),
          ising2d_job(1024, Packing::sites, 1, 10000, 50),
          ising2d_job(4096, Packing::sites, 1, 500, 50),
          rfim3d_job(8, lanes, 2000),
          rfim3d_job(16, lanes, 300),
          rfim3d_job(8, lanes, 2000, weak_field)};
}

std::vector<BenchJob> cuda_bench_jobs() {
  constexpr double shared_ps = 0.1, independent_ps = 0.3, samples_ps = 1.8, strong_ps = 2.3;  // about
  // At L near 32 a lattice takes a cluster of blocks, and a card holds some 30 of them: 3840 samples are four rounds.
  constexpr Ensemble cubic[] = {{8, 4096},  {16, 4096}, {18, 4096}, {30, 3840},
                                {32, 3840}, {64, 2112}, {66, 2112}, {128, 1024}};
  // Other sizes at which the spin glass is studied, with shared random numbers (config/ea3d_critical.yaml).
  constexpr Ensemble studied[] = {{10, 4096}, {12, 4096}, {14, 4096}, {20, 4096}, {24, 4096}};
  constexpr Ensemble tempering[] = {{8, 4096}, {16, 1024}, {32, 1024}, {64, 512}};
  constexpr int square[] = {4096, 8192, 16384, 32768};
  constexpr std::uint64_t interval = 500;  // sweeps between measurements, a small part of the relaxation time at Tc
  std::vector<Job> jobs;
  const auto add_cubic = [&](const Ensemble& ensemble, Random random) {
    jobs.push_back(ea3d_job(ensemble.L, random, ensemble.samples, 0));
    jobs.back().sweeps = sweeps_for(jobs.back().system, random == Random::shared ? shared_ps : independent_ps, 100);
  };
  for (const Random random : {Random::shared, Random::independent})
    for (const Ensemble& ensemble : cubic) add_cubic(ensemble, random);
  for (const Ensemble& ensemble : studied) add_cubic(ensemble, Random::shared);
  for (const Packing packing : {Packing::samples, Packing::sites})
    jobs.push_back(ising2d_job(128, packing, 1024, 0, interval));
  for (const int L : square) jobs.push_back(ising2d_job(L, Packing::sites, 1, 0, interval));
  for (Job& job : jobs)
    if (job.system.preset().method == Method::equilibrium)
      job.sweeps = sweeps_for(job.system, job.system.packing == Packing::sites ? independent_ps : samples_ps, interval);
  std::vector<BenchJob> all(jobs.begin(), jobs.end());
  const auto add_tempering = [&](int L, std::uint64_t samples, double h, double ps) {
    TemperingJob job = rfim3d_job(L, samples, 0, h);
    job.sweeps = sweeps_for(job.system, ps * static_cast<double>(job.system.slots()), job.system.exchange_interval);
    all.push_back(job);
  };
  for (const auto& [L, samples] : tempering) add_tempering(L, samples, 1, independent_ps);
  add_tempering(32, 1024, weak_field, independent_ps);
  add_tempering(32, 1024, strong_field, strong_ps);
  return all;
}

const System& system_of(const BenchJob& job) {
  return std::visit([](const auto& any) -> const System& { return any.system; }, job);
}

std::string bench_name(const BenchJob& job) {
  const System& s = system_of(job);
  std::string variant = s.packing == Packing::sites ? "-sites" : "";
  if (const auto* tempering = std::get_if<TemperingJob>(&job); tempering && tempering->system.h != tempering->system.J)
    variant = fmt::format("-h{:g}", tempering->system.h);
  return fmt::format("{}-{}{}-L{}", name_of(s.model), name_of(s.random), variant, s.L);
}

std::vector<BenchJob> filtered(const std::vector<BenchJob>& jobs, const std::string& filter) {
  std::vector<BenchJob> found;
  std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(found),
               [&](const BenchJob& job) { return bench_name(job).find(filter) != std::string::npos; });
  if (!found.empty()) return found;
  std::vector<std::string> names;
  for (const BenchJob& job : jobs) names.push_back(bench_name(job));
  throw UserError(fmt::format("--filter {}: no job of this benchmark has that in its name, did you mean {}?", filter,
                              nearest(filter, names)));
}

}  // namespace psflip::app
