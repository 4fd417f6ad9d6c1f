#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "engine/methods/methods.hpp"
#include "engine/methods/validate_system.hpp"
#include "engine/models/tables.hpp"

namespace psflip {

namespace {

/// The tag that keeps the random numbers of two temperatures apart has 24 bits, so a few pairs have the same.
void require_own_numbers(const Job& job) {
  std::map<std::uint32_t, double> by_tag;
  System system = job.system;
  for (std::size_t i = 0; i < job.beta.size(); ++i) {
    system.betas = {job.beta[i]};
    const auto [other, is_new] = by_tag.try_emplace(trajectory_tag(system), job.T[i]);
    require(is_new, fmt::format("{}: at L = {} the temperatures {} and {} would use the same random numbers (their "
                                "24-bit tags are equal, docs/randomness.md), change one of them in a later digit.",
                                job.given_as_beta ? "--beta" : "--T", system.L, other->second, job.T[i]));
  }
}

}  // namespace

void require_temperatures(const Job& job) {
  const auto good = [](double x) { return std::isfinite(x) && x > 0; };
  for (std::size_t i = 0; i < job.beta.size(); ++i) {
    require(good(job.T[i]) && good(job.beta[i]),
            job.given_as_beta
                ? fmt::format("--beta {}: an inverse temperature is a finite positive number in units of k_B / J.",
                              job.beta[i])
                : fmt::format("--T {}: a temperature is a finite positive number in units of J / k_B.", job.T[i]));
  }
}

void validate_temperatures(const Job& job) {
  require(!job.beta.empty(), "--T: the list is empty, give at least one temperature.");
  require_temperatures(job);
  const std::set<double> unique(job.beta.begin(), job.beta.end());
  require(unique.size() == job.beta.size(),
          "--T: a temperature occurs twice and would give the same trajectory, list it once.");
  require_finite_energy(job);
  require_own_numbers(job);
}

void validate_sweeps(const Job& job) {
  require(job.sweeps > 0, "--sweeps 0: nothing would be simulated, use at least one sweep.");
  require(job.sweeps < (std::uint64_t{1} << 31),
          fmt::format("--sweeps {}: at most 2^31 - 1 sweeps have random numbers, use fewer.", job.sweeps));
}

std::vector<Leg> legs_of_temperatures(const Job& job, const std::vector<std::uint64_t>& stops) {
  std::vector<Leg> legs;
  for (const double beta : job.beta) {
    legs.push_back({job.system, stops});
    legs.back().system.betas = {beta};
    legs.back().system.round = {};
  }
  return legs;
}

}  // namespace psflip
