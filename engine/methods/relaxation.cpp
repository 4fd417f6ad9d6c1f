#include <fmt/format.h>

#include <cmath>
#include <set>

#include "engine/methods/methods.hpp"

namespace psflip {

namespace {

/// Unique integers floor(2^(k/4)) up to `sweeps`, and `sweeps`.
std::vector<std::uint64_t> logarithmic_times(std::uint64_t sweeps) {
  std::set<std::uint64_t> times = {sweeps};
  for (int k = 0; k < 4 * 31; ++k) {
    const auto t = static_cast<std::uint64_t>(std::floor(std::exp2(k / 4.0)));
    if (t <= sweeps) times.insert(t);
  }
  return {times.begin(), times.end()};
}

void validate_relaxation(const Job& job) {
  validate_temperatures(job);
  validate_sweeps(job);
  for (const IntegerInfo& info : integer_table)
    require(!job.system.also.has(info.integer) || info.scope == Scope::replica || job.system.pairs() > 0,
            fmt::format("--measure {}: pairs of replicas are needed, use --replicas 2 or more.", info.name));
}

std::vector<Leg> relaxation_legs(const Job& job) { return legs_of_temperatures(job, logarithmic_times(job.sweeps)); }

std::uint64_t relaxation_stops(const Job& job) { return logarithmic_times(job.sweeps).size(); }

std::string no_schedule(const Job&) { return {}; }

}  // namespace

const MethodRules relaxation_rules = {validate_relaxation, relaxation_legs, relaxation_stops, no_schedule};

}  // namespace psflip
