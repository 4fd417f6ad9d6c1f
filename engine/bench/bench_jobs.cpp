#include "engine/bench/bench_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/methods/methods.hpp"

namespace psflip::bench {

namespace {

/// A job without its number of sweeps, at one temperature or with all slots of T; random numbers and replicas are those
/// that a user gets by default.
Job job_of(Model model, Method method, int L, std::uint64_t samples, std::vector<double> T) {
  Job job;
  System& s = job.system;
  s.model = model;
  job.method = method;
  s.L = L;
  s.samples = samples;
  s.seed = 1;
  const Preset& preset = s.preset();
  if (preset.has_random_bonds()) {
    s.random = Random::shared;
    s.couplings = Couplings::bimodal;
    s.replicas = 4;
  } else if (preset.has_random_field() || method == Method::tempering) {
    s.replicas = 2;
  }
  if (preset.has_random_field()) s.h = 1;
  job.T = std::move(T);
  for (const double t : job.T) job.beta.push_back(1 / t);
  return job;
}

Job ea3d_job(int L, Random random, std::uint64_t samples, std::uint64_t sweeps) {
  Job job = job_of(Model::ea3d, Method::relaxation, L, samples, {1.1});
  job.system.random = random;
  job.sweeps = sweeps;
  return job;
}

Job equilibrium_job(Model model, int L, std::uint64_t samples, std::uint64_t measure_interval, double T) {
  Job job = job_of(model, Method::equilibrium, L, samples, {T});
  job.measure_interval = measure_interval;
  job.bins = 1;
  return job;
}

Job ising2d_job(int L, Packing packing, std::uint64_t samples, std::uint64_t sweeps, std::uint64_t measure_interval) {
  Job job = equilibrium_job(Model::ising2d, L, samples, measure_interval, 2.269185314213022);
  job.sweeps = sweeps;
  job.system.packing = packing;
  job.system.start = Start::ordered;
  return job;
}

struct Range {
  double low, high;
};

/// 24 slots, exchanges every ten sweeps, sums every `rounds_per_sum` exchanges.
Job tempered_job(Model model, int L, std::uint64_t samples, Range range, std::uint64_t rounds_per_sum = 1) {
  constexpr int slots = 24;
  std::vector<double> T;
  for (int k = 0; k < slots; ++k) T.push_back(range.low + (range.high - range.low) * k / (slots - 1));
  Job job = job_of(model, Method::tempering, L, samples, std::move(T));
  job.exchange_interval = 10;
  if (rounds_per_sum > 1) job.measure_interval = rounds_per_sum * job.exchange_interval;
  job.bins = 1;
  return job;
}

/// The range of temperatures of Navarro, Huang and Deng.
Job rfim3d_job(int L, std::uint64_t samples, std::uint64_t sweeps, double h = 1) {
  Job job = tempered_job(Model::rfim3d, L, samples, {2.8, 4.7});
  job.system.h = h;
  job.sweeps = sweeps;
  return job;
}

// No field, h = J, fields where a flip can cost nothing (2 J) and all others are decided in different ways
// (engine/core/site_decision.hpp).
constexpr double weak_field = 0.5, strong_field = 3, other_fields[] = {0, 0.5, 2, 3, 5};

constexpr std::uint64_t usual_samples = 4096;  ///< of a job, at most, unless its name has the number

/// Sweeps that take about so many seconds, a multiple of `unit`, if a flip takes `ps` picoseconds.
std::uint64_t sweeps_for(const System& s, double ps, std::uint64_t unit, double seconds) {
  const double flips_per_sweep = static_cast<double>(s.sites() * s.samples) * s.replicas;
  const double sweeps = seconds / (flips_per_sweep * 1e-12 * ps);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(sweeps / static_cast<double>(unit))) * unit;
}

struct Ensemble {
  int L;
  std::uint64_t samples;
};

/// How long the runs are, and how fast, about.
struct Pace {
  double seconds, shared_ps, independent_ps;
};

/// Methods and members of the family whose time is compared with that of their nearest neighbour
/// (`ratios` of workflows/references/speed.yaml). Lattices of L = 16 in three dimensions
/// and of L = 64 in two have as many sites.
std::vector<Job> compared_jobs(std::uint64_t samples, std::uint64_t tempered_samples, const Pace& pace) {
  constexpr std::uint64_t interval = 50;  // sweeps between measurements of equilibrium
  constexpr Range range_of_ea3d = {0.9, 1.8}, range_of_ea2d = {0.5, 1.4};
  std::vector<Job> jobs;
  for (const std::uint64_t rounds_per_sum : {10, 1}) {
    for (const int L : {8, 16})
      jobs.push_back(tempered_job(Model::ea3d, L, tempered_samples, range_of_ea3d, rounds_per_sum));
    jobs.push_back(tempered_job(Model::ea2d, 64, tempered_samples, range_of_ea2d, rounds_per_sum));
  }
  for (const int L : {8, 16}) {
    jobs.push_back(tempered_job(Model::ea3d, L, tempered_samples, range_of_ea3d, 10));
    jobs.back().system.random = Random::independent;
  }
  for (const Random random : {Random::shared, Random::independent}) {
    jobs.push_back(job_of(Model::ea2d, Method::relaxation, 64, samples, {1.1}));
    jobs.back().system.random = random;
  }
  jobs.push_back(equilibrium_job(Model::ising3d, 16, samples, interval, 4.5115));
  jobs.push_back(equilibrium_job(Model::rfim3d, 16, samples, interval, 3.9));
  jobs.push_back(equilibrium_job(Model::rfim2d, 64, samples, interval, 2.0));
  jobs.push_back(tempered_job(Model::ising3d, 16, tempered_samples, {4.0, 5.0}));
  jobs.push_back(tempered_job(Model::ising2d, 64, tempered_samples, {2.0, 2.6}));
  jobs.push_back(tempered_job(Model::rfim2d, 64, tempered_samples, {1.5, 2.5}));
  for (Job& job : jobs) {
    const double ps = job.system.random == Random::shared ? pace.shared_ps : pace.independent_ps;
    const std::uint64_t unit = std::max({std::uint64_t{1}, job.measure_interval, job.exchange_interval});
    job.sweeps = sweeps_for(job.system, ps * static_cast<double>(job.T.size()), unit, pace.seconds);
  }
  return jobs;
}

}  // namespace

std::vector<Job> cpu_bench_jobs(std::uint64_t lanes) {
  std::vector<Job> jobs = {ea3d_job(8, Random::shared, lanes, 32768),
                           ea3d_job(16, Random::shared, lanes, 4096),
                           ea3d_job(32, Random::shared, lanes, 2048),
                           ea3d_job(8, Random::independent, lanes, 4096),
                           ea3d_job(16, Random::independent, lanes, 2048),
                           ising2d_job(64, Packing::samples, lanes, 5000, 50),
                           ising2d_job(1024, Packing::sites, 1, 10000, 50),
                           ising2d_job(4096, Packing::sites, 1, 500, 50),
                           rfim3d_job(8, lanes, 2000),
                           rfim3d_job(16, lanes, 300),
                           rfim3d_job(8, lanes, 2000, weak_field),
                           rfim3d_job(8, lanes, 2000, strong_field)};
  const double packed = 512. / static_cast<double>(lanes);  // a wider word takes about the same time
  for (Job& job : compared_jobs(lanes, lanes, {0.5, 13 * packed, 65 * packed})) jobs.push_back(std::move(job));
  return jobs;
}

std::vector<Job> cuda_bench_jobs() {
  constexpr double seconds = 2.5;  // start and measurements have the same share as in a user's run
  constexpr double shared_ps = 0.1, independent_ps = 0.3, samples_ps = 1.8, members_ps = 1;  // about
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
    jobs.back().sweeps =
        sweeps_for(jobs.back().system, random == Random::shared ? shared_ps : independent_ps, 100, seconds);
  };
  for (const Random random : {Random::shared, Random::independent})
    for (const Ensemble& ensemble : cubic) add_cubic(ensemble, random);
  for (const Ensemble& ensemble : studied) add_cubic(ensemble, Random::shared);
  for (const Packing packing : {Packing::samples, Packing::sites})
    jobs.push_back(ising2d_job(128, packing, 1024, 0, interval));
  for (const int L : square) jobs.push_back(ising2d_job(L, Packing::sites, 1, 0, interval));
  for (Job& job : jobs)
    if (job.method == Method::equilibrium)
      job.sweeps =
          sweeps_for(job.system, job.system.packing == Packing::sites ? independent_ps : samples_ps, interval, seconds);
  const auto add_tempering = [&](const Ensemble& ensemble, double h) {
    Job job = rfim3d_job(ensemble.L, ensemble.samples, 0, h);
    job.sweeps =
        sweeps_for(job.system, independent_ps * static_cast<double>(job.T.size()), job.exchange_interval, seconds);
    jobs.push_back(job);
  };
  for (const Ensemble& ensemble : tempering) add_tempering(ensemble, 1);
  for (const double h : other_fields)
    for (const Ensemble& ensemble : tempering)
      if (ensemble.L > 8) add_tempering(ensemble, h);
  for (Job& job : compared_jobs(usual_samples, 1024, {seconds, shared_ps, members_ps})) jobs.push_back(std::move(job));
  // As many spins as in the four replicas of its neighbour.
  jobs.push_back(equilibrium_job(Model::ising3d, 16, 4 * usual_samples, interval / 10, 4.5115));
  jobs.back().sweeps = sweeps_for(jobs.back().system, members_ps, interval / 10, seconds);
  return jobs;
}

std::string name_of(const Job& job) {
  const System& s = job.system;
  std::string name{psflip::name_of(s.model)};
  if (job.method != s.preset().method) name += fmt::format("-{}", psflip::name_of(job.method));
  name += fmt::format("-{}", psflip::name_of(s.random));
  if (s.packing == Packing::sites) name += "-sites";
  if (s.samples > usual_samples) name += fmt::format("-samples{}", s.samples);
  if (s.has_field() && s.h != s.J) name += fmt::format("-h{:g}", s.h);
  if (job.method == Method::tempering && job.measure_interval > job.exchange_interval)
    name += fmt::format("-sums{}", job.measure_interval / job.exchange_interval);
  return name + fmt::format("-L{}", s.L);
}

}  // namespace psflip::bench
