#include <fmt/format.h>

#include <cstdint>

#include "engine/methods/methods.hpp"

namespace psflip {

namespace {

void validate_equilibrium(const Job& job) {
  validate_temperatures(job);
  validate_sweeps(job);
  require(job.measure_interval > 0, "--measure-interval 0: use at least 1 sweep between measurements.");
  require(job.bins > 0, "--bins 0: keep at least one bin.");
  require(job.bins <= UINT64_MAX / job.measure_interval,  // else the product wraps, possibly to 0
          fmt::format("--bins {}: {} bins of --measure-interval {} exceed 2^64 sweeps, use fewer bins.", job.bins,
                      job.bins, job.measure_interval));
  const std::uint64_t unit = job.measure_interval * job.bins;
  require(job.sweeps % unit == 0,
          fmt::format("--sweeps {}: must be a multiple of measure-interval x bins = {}, try {}.", job.sweeps, unit,
                      (job.sweeps / unit + 1) * unit));
}

std::uint64_t equilibrium_stops(const Job& job) { return job.sweeps / job.measure_interval; }

std::vector<Leg> equilibrium_legs(const Job& job) {
  std::vector<std::uint64_t> stops;
  stops.reserve(equilibrium_stops(job));
  for (std::uint64_t t = job.measure_interval; t <= job.sweeps; t += job.measure_interval) stops.push_back(t);
  return legs_of_temperatures(job, stops);
}

std::string equilibrium_schedule(const Job& job) {
  return fmt::format("measure-interval = {}\nbins = {}\n", job.measure_interval, job.bins);
}

}  // namespace

const MethodRules equilibrium_rules = {validate_equilibrium, equilibrium_legs, equilibrium_stops, equilibrium_schedule};

}  // namespace psflip
