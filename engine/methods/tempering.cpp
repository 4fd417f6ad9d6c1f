#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/methods/methods.hpp"
#include "engine/methods/validate_system.hpp"
#include "engine/models/tables.hpp"

namespace psflip {

namespace {

constexpr std::uint64_t most_default_bins = 6;
constexpr std::size_t most_slots = 256;  // the slot has 8 bits in the address of a random number

void validate_slots(const Job& job) {
  const std::vector<double>& T = job.T;
  const char* option = job.given_as_beta ? "--beta" : "--T";
  require_temperatures(job);
  require(T.size() >= 2, fmt::format("{}: {} temperature slot{} cannot exchange, give at least 2 temperatures.", option,
                                     T.size(), T.size() == 1 ? "" : "s"));
  require(T.size() <= most_slots, fmt::format("{}: {} temperature slots, at most {} have random numbers; use fewer.",
                                              option, T.size(), most_slots));
  for (std::size_t k = 0; k + 1 < T.size(); ++k) {
    const double first = job.given_as_beta ? job.beta[k] : T[k],
                 second = job.given_as_beta ? job.beta[k + 1] : T[k + 1];
    require(job.given_as_beta ? first > second : first < second,
            job.given_as_beta
                ? fmt::format("--beta: {} is followed by {}, list every inverse temperature once, in decreasing order.",
                              first, second)
                : fmt::format("--T: {} is followed by {}, list every temperature once, in increasing order.", first,
                              second));
  }
  for (std::size_t k = 0; k + 1 < T.size(); ++k)
    require(job.beta[k] > job.beta[k + 1],
            fmt::format("--T: {} and {} have the same inverse temperature in double precision, move them apart.", T[k],
                        T[k + 1]));
}

void validate_exchanges(const Job& job) {
  require(
      make_exchange_table(tempered_system(job)).shift >= 32,
      fmt::format("{}: neighbouring slots are so far apart that they never exchange, put temperatures between them.",
                  job.given_as_beta ? "--beta" : "--T"));
}

void validate_replicas(const Job& job) {
  const System& s = job.system;
  require(s.packing == Packing::samples,
          "--packing sites: tempering exchanges the samples of a word, use --packing samples.");
  require(s.replicas >= 2,
          fmt::format("--replicas {}: two sets of replicas or more are needed to see whether they agree, use "
                      "--replicas 2.",
                      s.replicas));
}

/// The counts of the histogram of the overlap have 31 bits.
void validate_counts(const Job& job) {
  const System& s = job.system;
  const std::uint64_t measurements = measurements_of(job) * job.extended.times;
  require(
      !s.preset().has_random_bonds() || measurements < (std::uint64_t{1} << 31) / static_cast<std::uint64_t>(s.pairs()),
      fmt::format("--measure-interval {}: {} measurements of {} pairs of replicas do not fit in the counts of the "
                  "histogram of the overlap, measure less often.",
                  sweeps_per_measurement(job), measurements, s.pairs()));
}

/// The sums fit in 63 bits: of less than 2^31 measurements of all pairs, each of less than 2^26 bonds.
void validate_link_slots(const Job& job) {
  const std::vector<std::size_t>& slots = job.system.link_overlap_slots;
  if (slots.empty()) return;
  require(job.system.preset().has_random_bonds(),
          "--link-overlap-slots: only models with random bonds have a histogram of the overlap, leave it out.");
  require(slots.back() < job.beta.size(),
          fmt::format("--link-overlap-slots: there is no slot {}, the {} temperatures are the slots 0 (coldest) to {}; "
                      "name some of these.",
                      slots.back(), job.beta.size(), job.beta.size() - 1));
}

void validate_schedule(const Job& job) {
  const std::uint64_t interval = job.exchange_interval, unit = sweeps_per_measurement(job);
  validate_sweeps(job);
  require(unit % interval == 0,
          fmt::format("--measure-interval {}: must be a multiple of --exchange-interval {}, try {}.", unit, interval,
                      (unit / interval + 1) * interval));
  require(job.sweeps % unit == 0,
          fmt::format("--sweeps {}: must be a multiple of --{}-interval {}, try {}.", job.sweeps,
                      unit == interval ? "exchange" : "measure", unit, (job.sweeps / unit + 1) * unit));
  require(job.bins <= 31 && measurements_of(job) >> (job.bins - 1) >= 1,
          fmt::format("--bins {}: {} measurements fill at most {} logarithmic bins, use fewer bins or more sweeps.",
                      job.bins, measurements_of(job), std::bit_width(measurements_of(job))));
}

void validate_extended_runs(const Job& job) {
  const auto& [packs, times, requested] = job.extended;
  if (!requested) return;
  const std::string option = fmt::format("--longer {}:{}", packs, times);
  const std::uint64_t all = job.system.samples / 32, unit = sweeps_per_measurement(job) << (job.bins - 1);
  require(packs > 0 && std::has_single_bit(times) && times > 1,
          option +
              ": PACKS:TIMES is needed, at least one pack of 32 samples, and a power of 2 for the times as many "
              "sweeps, for example 4:8.");
  require(job.system.first_sample % 32 == 0 && job.system.samples % 32 == 0,
          fmt::format("{}: --samples {}:{} are not whole packs of 32, use multiples of 32.", option,
                      job.system.first_sample, job.system.samples));
  require(packs < all, fmt::format("{}: there are {} packs of 32 samples, give fewer, or extend all by more --sweeps.",
                                   option, all));
  require(job.bins >= 3, fmt::format("{}: --bins {} are too few, the last but one of 3 or more says which are slow.",
                                     option, job.bins));
  require(job.sweeps % unit == 0,
          fmt::format("{}: --sweeps {} must be a multiple of {} then, so that every bin is twice as long as all before "
                      "it; try {}.",
                      option, job.sweeps, unit, (job.sweeps / unit + 1) * unit));
  require(times <= ((std::uint64_t{1} << 31) - 1) / job.sweeps,
          fmt::format("{}: {} sweeps are more than the 2^31 - 1 that have random numbers, use fewer.", option,
                      static_cast<double>(times) * static_cast<double>(job.sweeps)));
  require(!job.save_spins,
          option + ": --save-spins would show configurations of different ages, leave one of them out.");
}

void validate_tempering(const Job& job) {
  validate_replicas(job);
  validate_slots(job);
  require_finite_energy(job);
  require(job.exchange_interval > 0, "--exchange-interval 0: use at least 1 sweep between exchanges.");
  validate_exchanges(job);
  require(job.bins > 0, "--bins 0: keep at least one bin.");
  validate_schedule(job);
  validate_extended_runs(job);
  validate_counts(job);
  validate_link_slots(job);
}

std::vector<Leg> tempering_legs(const Job& job) {
  std::vector<Leg> legs = {{tempered_system(job), bin_ends(job)}};
  if (job.extended.packs == 0) return legs;
  Leg more{legs[0].system, {}, job.extended.packs};
  for (std::uint64_t times = 2; times <= job.extended.times; times *= 2) more.stops.push_back(times * rounds_of(job));
  legs.push_back(more);
  return legs;
}

std::uint64_t tempering_stops(const Job& job) { return job.bins; }

/// The interval of measurements, extended runs and slots of link overlaps are left out where they have their default:
/// the text identifies a job, and those without these keys are older than they.
std::string tempering_schedule(const Job& job) {
  const bool every_round = sweeps_per_measurement(job) == job.exchange_interval;
  const std::vector<std::size_t>& links = job.system.link_overlap_slots;
  return fmt::format(
      "exchange-interval = {}\n{}bins = {}\n{}{}", job.exchange_interval,
      every_round ? "" : fmt::format("measure-interval = {}\n", job.measure_interval), job.bins,
      job.extended.packs == 0 ? "" : fmt::format("longer = \"{}:{}\"\n", job.extended.packs, job.extended.times),
      links.empty() ? "" : fmt::format("link-overlap-slots = [{}]\n", fmt::join(links, ", ")));
}

}  // namespace

const MethodRules tempering_rules = {validate_tempering, tempering_legs, tempering_stops, tempering_schedule};

std::uint64_t rounds_of(const Job& job) { return job.exchange_interval == 0 ? 0 : job.sweeps / job.exchange_interval; }

std::uint64_t sweeps_per_measurement(const Job& job) {
  return job.measure_interval > 0 ? job.measure_interval : job.exchange_interval;
}

std::uint64_t measurements_of(const Job& job) { return job.sweeps / sweeps_per_measurement(job); }

std::uint64_t default_bins(std::uint64_t measurements) {
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::bit_width(measurements)), 1, most_default_bins);
}

std::vector<std::uint64_t> bin_ends(const Job& job) {
  const std::uint64_t rounds_per_measurement = sweeps_per_measurement(job) / job.exchange_interval;
  std::vector<std::uint64_t> ends;
  for (std::uint64_t j = 0; j < job.bins; ++j)
    ends.push_back((measurements_of(job) >> (job.bins - 1 - j)) * rounds_per_measurement);
  return ends;
}

System tempered_system(const Job& job) {
  System system = job.system;
  system.betas = job.beta;
  const std::uint64_t interval = job.exchange_interval;
  system.round = {2 * interval, interval == 0 ? 1 : sweeps_per_measurement(job) / interval};
  return system;
}

}  // namespace psflip
