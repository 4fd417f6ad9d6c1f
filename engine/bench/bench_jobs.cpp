#include "engine/bench/bench_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/methods/methods.hpp"

namespace psflip::bench {

namespace {

/// A job at one temperature, or, for tempering, with all slots of T.
Job job_of(Model model, Method method, int L, std::uint64_t samples, std::uint64_t sweeps, std::vector<double> T) {
  Job job;
  job.system.model = model;
  job.method = method;
  job.system.L = L;
  job.system.samples = samples;
  job.system.seed = 1;
  job.sweeps = sweeps;
  job.T = std::move(T);
  for (const double t : job.T) job.beta.push_back(1 / t);
  return job;
}

Job ea3d_job(int L, Random random, std::uint64_t samples, std::uint64_t sweeps) {
  Job job = job_of(Model::ea3d, Method::relaxation, L, samples, sweeps, {1.1});
  job.system.replicas = 4;
  job.system.random = random;
  job.system.couplings = Couplings::bimodal;
  return job;
}

Job ising2d_job(int L, Packing packing, std::uint64_t samples, std::uint64_t sweeps, std::uint64_t measure_interval) {
  Job job = job_of(Model::ising2d, Method::equilibrium, L, samples, sweeps, {2.269185314213022});
  job.system.packing = packing;
  job.system.start = Start::ordered;
  job.measure_interval = measure_interval;
  job.bins = 1;
  return job;
}

/// 24 slots over the range of temperatures of Navarro, Huang and Deng, exchanges every ten sweeps.
Job rfim3d_job(int L, std::uint64_t samples, std::uint64_t sweeps, double h = 1) {
  constexpr int slots = 24;
  std::vector<double> T;
  for (int k = 0; k < slots; ++k) T.push_back(2.8 + (4.7 - 2.8) * k / (slots - 1));
  Job job = job_of(Model::rfim3d, Method::tempering, L, samples, sweeps, T);
  job.system.h = h;
  job.system.replicas = 2;
  job.exchange_interval = 10;
  job.bins = 1;
  return job;
}

// h = J, h <= 2 J and stronger fields have kernels of their own (engine/core/field_update.hpp).
constexpr double weak_field = 0.5, strong_field = 3;

constexpr double seconds_of_a_run = 2.5;  // start and measurements have the same share as in a user's run

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

std::vector<Job> cpu_bench_jobs(std::uint64_t lanes) {
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

std::vector<Job> cuda_bench_jobs() {
  constexpr double shared_ps = 0.1, independent_ps = 0.3, samples_ps = 1.8, strong_ps = 2.3;  // about
  // At L near 32 a lattice takes a cluster of blocks, and a GPU holds some 30 of them: 3840 samples are four rounds.
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
    if (job.method == Method::equilibrium)
      job.sweeps = sweeps_for(job.system, job.system.packing == Packing::sites ? independent_ps : samples_ps, interval);
  const auto add_tempering = [&](int L, std::uint64_t samples, double h, double ps) {
    Job job = rfim3d_job(L, samples, 0, h);
    job.sweeps = sweeps_for(job.system, ps * static_cast<double>(job.T.size()), job.exchange_interval);
    jobs.push_back(job);
  };
  for (const auto& [L, samples] : tempering) add_tempering(L, samples, 1, independent_ps);
  add_tempering(32, 1024, weak_field, independent_ps);
  add_tempering(32, 1024, strong_field, strong_ps);
  return jobs;
}

std::string name_of(const Job& job) {
  const System& s = job.system;
  std::string variant = s.packing == Packing::sites ? "-sites" : "";
  if (s.has_field() && s.h != s.J) variant = fmt::format("-h{:g}", s.h);
  return fmt::format("{}-{}{}-L{}", psflip::name_of(s.model), psflip::name_of(s.random), variant, s.L);
}

}  // namespace psflip::bench
