#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/methods/methods.hpp"

namespace psflip {

namespace {

/// A byte each in memory while the file is written.
constexpr std::uint64_t most_spins = std::uint64_t{1} << 36;

/// The sweeps of the measurements next to `sweeps`: "6 and 8", or one of the two.
std::string nearest_measurements(const Leg& leg, std::uint64_t sweeps) {
  std::string text;
  std::uint64_t below = 0;
  for (std::size_t stop = 0; stop < leg.stops.size() && sweeps_at(leg, stop) < sweeps; ++stop)
    below = sweeps_at(leg, stop);
  if (below > 0) text = fmt::format("{}", below);
  for (std::size_t stop = 0; stop < leg.stops.size(); ++stop) {
    if (sweeps_at(leg, stop) <= sweeps) continue;
    return text + fmt::format("{}{}", text.empty() ? "" : " and ", sweeps_at(leg, stop));
  }
  return text;
}

}  // namespace

std::uint64_t sweeps_at(const Leg& leg, std::size_t stop) { return leg.stops[stop] * leg.system.round.half_sweeps / 2; }

std::uint64_t saved_spins(const Job& job) {
  if (!job.save_spins) return 0;
  const std::uint64_t factors[] = {job.beta.size(), std::max<std::size_t>(1, job.spins_after.size()),
                                   job.system.samples, static_cast<std::uint64_t>(job.system.replicas),
                                   job.system.sites()};
  std::uint64_t spins = 1;
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(spins, factor, &spins)) return std::numeric_limits<std::uint64_t>::max();
  return spins;
}

void validate_saved_spins(const Job& job) {
  if (!job.spins_after.empty()) {
    const Leg leg = legs_of(job).front();
    std::vector<std::uint64_t> measured(leg.stops.size());
    for (std::size_t stop = 0; stop < measured.size(); ++stop) measured[stop] = sweeps_at(leg, stop);
    const char* place = job.method == Method::tempering ? "end of a bin" : "measurement";
    for (const std::uint64_t sweeps : job.spins_after)
      require(
          std::binary_search(measured.begin(), measured.end(), sweeps),
          fmt::format("--save-spins {}: there is no {} after {} sweeps, and spins are saved there only; the nearest "
                      "are after {}.",
                      sweeps, place, sweeps, nearest_measurements(leg, sweeps)));
  }
  const std::uint64_t spins = saved_spins(job), GiB = std::uint64_t{1} << 30;
  require(
      spins <= most_spins,
      fmt::format("--save-spins: {} GiB or more of memory would hold the spins while the file is written, at most {} "
                  "are allowed; save them after fewer measurements, or of fewer samples in a job.",
                  spins / GiB, most_spins / GiB));
}

}  // namespace psflip
