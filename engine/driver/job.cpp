#include "engine/driver/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <set>

#include "engine/driver/tables.hpp"
#include "engine/io/error.hpp"

namespace psflip {

std::string name_of(Model model) { return std::string(model_name(model)); }
std::string name_of(Random random) { return random == Random::shared ? "shared" : "independent"; }
std::string name_of(Packing packing) { return packing == Packing::samples ? "samples" : "sites"; }
std::string name_of(Start start) { return start == Start::random ? "random" : "ordered"; }
std::string name_of(Couplings couplings) { return couplings == Couplings::bimodal ? "bimodal" : "ferromagnet"; }

namespace {

void require(bool condition, const std::string& sentence) {
  if (!condition) throw UserError(sentence);
}

void validate_lattice(const System& s) {
  require(s.L % 2 == 0, fmt::format("--L {}: a checkerboard update needs an even L, try {}.", s.L, s.L + 1));
  require(s.L >= 4, fmt::format("--L {}: below L = 4 periodic neighbours coincide and bonds double, use L >= 4.", s.L));
  // chunk addresses of the residual queue are 32 bits
  const int largest = s.dimension() == 3 ? 256 : s.packing == Packing::sites ? 65536 : 16384;
  require(s.L <= largest,
          fmt::format("--L {}: {} supports L up to {}, choose a smaller L.", s.L, name_of(s.model), largest));
  if (s.packing == Packing::sites) {
    require(s.preset().packs_sites(),
            fmt::format("--packing sites: {} packs samples only, use --packing samples.", name_of(s.model)));
    require(s.L % 64 == 0, fmt::format("--L {}: --packing sites needs a multiple of 64, try {} or --packing samples.",
                                       s.L, (s.L / 64 + 1) * 64));
  }
}

void validate_samples(const System& s) {
  require(s.samples > 0, "--samples: the count is 0, so there is nothing to simulate; ask for at least one sample.");
  const int bits = s.packing == Packing::sites ? 40 : 45;
  const std::uint64_t limit = std::uint64_t{1} << bits;
  require(s.first_sample < limit && s.samples <= limit - s.first_sample,
          fmt::format("--samples {}:{}: sample ids must stay below 2^{}, choose a smaller range.", s.first_sample,
                      s.samples, bits));
  require(s.replicas >= 1 && s.replicas <= 8, fmt::format("--replicas {}: 1 to 8 replicas are supported.", s.replicas));
  require(s.preset().has_disorder() || s.replicas == 1,
          fmt::format("--replicas: lattices of {} are all replicas of each other, ask for more --samples instead.",
                      name_of(s.model)));
}

void validate_random(const System& s) {
  if (s.random == Random::independent) return;
  require(!s.preset().has_random_field(),
          fmt::format("--random shared: samples of {} order in the same way whatever their fields, so shared numbers "
                      "would make them the same measurement many times over; use --random independent.",
                      name_of(s.model)));
  require(s.preset().has_random_bonds(),
          fmt::format("--random shared: samples of {} do not differ in disorder, so shared numbers would make them the "
                      "same trajectory; use --random independent.",
                      name_of(s.model)));
  require(s.couplings == Couplings::bimodal,
          "--random shared: samples of a ferromagnet do not differ in disorder, so shared numbers would make them the "
          "same trajectory; use --random independent.");
}

void validate_temperatures(const Job& job) {
  require(!job.beta.empty(), "--T: the list is empty, give at least one temperature.");
  const auto good = [](double x) { return std::isfinite(x) && x > 0; };
  for (std::size_t i = 0; i < job.beta.size(); ++i) {
    require(good(job.T[i]) && good(job.beta[i]),
            job.given_as_beta
                ? fmt::format("--beta {}: an inverse temperature is a finite positive number in units of k_B / J.",
                              job.beta[i])
                : fmt::format("--T {}: a temperature is a finite positive number in units of J / k_B.", job.T[i]));
  }
  const std::set<double> unique(job.beta.begin(), job.beta.end());
  require(unique.size() == job.beta.size(),
          "--T: a temperature occurs twice and would give the same trajectory, list it once.");
}

/// The tag that keeps the random numbers of two temperatures apart has 24 bits, so a few pairs have the same.
void require_own_numbers(const Job& job) {
  std::map<std::uint32_t, double> by_tag;
  System system = job.system;
  for (std::size_t i = 0; i < job.beta.size(); ++i) {
    system.beta = job.beta[i];
    const auto [other, is_new] = by_tag.try_emplace(trajectory_tag(system), job.T[i]);
    require(is_new, fmt::format("{}: at L = {} the temperatures {} and {} would use the same random numbers (their "
                                "24-bit tags are equal, docs/randomness.md), change one of them in a later digit.",
                                job.given_as_beta ? "--beta" : "--T", system.L, other->second, job.T[i]));
  }
}

void validate_schedule(const Job& job) {
  require(job.sweeps > 0, "--sweeps 0: nothing would be simulated, ask for at least one sweep.");
  require(job.sweeps < (std::uint64_t{1} << 31),
          fmt::format("--sweeps {}: at most 2^31 - 1 sweeps have random numbers.", job.sweeps));
  if (job.system.preset().method != Method::equilibrium) return;
  require(job.measure_interval > 0, "--measure-interval 0: use at least 1 sweep between measurements.");
  require(job.bins > 0, "--bins 0: keep at least one bin.");
  const std::uint64_t unit = job.measure_interval * job.bins;
  require(job.sweeps % unit == 0,
          fmt::format("--sweeps {}: must be a multiple of measure-interval x bins = {}, try {}.", job.sweeps, unit,
                      (job.sweeps / unit + 1) * unit));
}

}  // namespace

void validate_system(const System& system) {
  validate_lattice(system);
  validate_samples(system);
  validate_random(system);
}

void validate(const Job& job) {
  validate_system(job.system);
  validate_temperatures(job);
  require_own_numbers(job);
  validate_schedule(job);
}

std::string to_toml(const Job& job) {
  const System& s = job.system;
  std::string t = fmt::format(
      "[{}]\nL = {}\nbeta = [{}]\nsamples = \"{}:{}\"\nsweeps = {}\nseed = {}\nstart = \"{}\"\n", name_of(s.model), s.L,
      fmt::join(job.beta, ", "), s.first_sample, s.samples, job.sweeps, s.seed, name_of(s.start));
  if (s.preset().has_random_bonds())
    t += fmt::format("replicas = {}\nrandom = \"{}\"\ncouplings = \"{}\"\n", s.replicas, name_of(s.random),
                     name_of(s.couplings));
  if (s.preset().packs_sites()) t += fmt::format("packing = \"{}\"\n", name_of(s.packing));
  if (s.preset().method == Method::equilibrium)
    t += fmt::format("measure-interval = {}\nbins = {}\n", job.measure_interval, job.bins);
  return t;
}

std::vector<std::uint64_t> measurement_times(const Job& job) {
  std::set<std::uint64_t> times;
  if (job.system.preset().method == Method::relaxation) {
    for (int k = 0; k < 4 * 31; ++k) {
      const auto t = static_cast<std::uint64_t>(std::floor(std::exp2(k / 4.0)));
      if (t <= job.sweeps) times.insert(t);
    }
    times.insert(job.sweeps);
  } else {
    for (std::uint64_t t = job.measure_interval; t <= job.sweeps; t += job.measure_interval) times.insert(t);
  }
  return {times.begin(), times.end()};
}

}  // namespace psflip
