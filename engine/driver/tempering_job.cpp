#include "engine/driver/tempering_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/driver/job.hpp"
#include "engine/driver/tempering_tables.hpp"
#include "engine/io/error.hpp"

namespace psflip {

namespace {

constexpr std::uint64_t most_default_bins = 6;
constexpr std::size_t most_slots = 256;  // the slot has 8 bits in the address of a random number

void require(bool condition, const std::string& sentence) {
  if (!condition) throw UserError(sentence);
}

void validate_energy(const TemperingSystem& s) {
  for (const auto& [name, value] : {std::pair{"--h", s.h}, {"--J", s.J}})
    require(std::isfinite(value) && value >= 0,
            fmt::format("{} {}: a finite number that is not negative is needed; the model with the other sign is the "
                        "same model.",
                        name, value));
  require(s.h > 0 || s.J > 0, "--h 0 --J 0: without coupling and field there is no energy, make one of them positive.");
}

void validate_slots(const TemperingJob& job) {
  const std::vector<double>& T = job.T;
  for (const double t : T)
    require(std::isfinite(t) && t > 0,
            fmt::format("--T {}: a temperature is a finite positive number in units of J / k_B.", t));
  require(T.size() >= 2, fmt::format("--T: {} temperature slot{} cannot exchange, give at least 2 temperatures.",
                                     T.size(), T.size() == 1 ? "" : "s"));
  require(T.size() <= most_slots,
          fmt::format("--T: {} temperature slots, at most {} have random numbers; use fewer.", T.size(), most_slots));
  for (std::size_t k = 0; k + 1 < T.size(); ++k)
    require(T[k] < T[k + 1], fmt::format("--T: {} is followed by {}, list every temperature once, in increasing order.",
                                         T[k], T[k + 1]));
  for (std::size_t k = 0; k + 1 < T.size(); ++k)
    require(job.system.betas[k] > job.system.betas[k + 1],
            fmt::format("--T: {} and {} have the same inverse temperature in double precision, move them apart.", T[k],
                        T[k + 1]));
  const TemperingSystem& s = job.system;
  require(std::isfinite((6 * s.J + 2 * s.h) * static_cast<double>(s.sites()) * s.betas.front()),
          fmt::format("--T {} --h {} --J {}: energy divided by temperature exceeds the range of double precision, "
                      "change one of them.",
                      T.front(), s.h, s.J));
  require(make_exchange_table(s).shift >= 32,
          "--T: neighbouring slots are so far apart that they never exchange, put temperatures between them.");
}

void validate_schedule(const TemperingJob& job) {
  const std::uint64_t interval = job.system.exchange_interval, unit = job.system.sweeps_per_measurement();
  require(interval > 0, "--exchange-interval 0: use at least 1 sweep between exchanges.");
  require(job.sweeps > 0, "--sweeps 0: nothing would be simulated, ask for at least one sweep.");
  require(job.sweeps < (std::uint64_t{1} << 31),
          fmt::format("--sweeps {}: at most 2^31 - 1 sweeps have random numbers.", job.sweeps));
  require(unit % interval == 0,
          fmt::format("--measure-interval {}: must be a multiple of --exchange-interval {}, try {}.", unit, interval,
                      (unit / interval + 1) * interval));
  require(job.sweeps % unit == 0, fmt::format("--sweeps {}: must be a multiple of --{}-interval {}, try {}.",
                                              job.sweeps, job.system.measures_every_round() ? "exchange" : "measure",
                                              unit, (job.sweeps / unit + 1) * unit));
  require(job.bins <= 31 && job.measurements() >> (job.bins - 1) >= 1,
          fmt::format("--bins {}: {} measurements fill at most {} logarithmic bins, ask for fewer bins or more sweeps.",
                      job.bins, job.measurements(), std::bit_width(job.measurements())));
}

}  // namespace

std::uint64_t default_bins(std::uint64_t measurements) {
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::bit_width(measurements)), 1, most_default_bins);
}

std::vector<std::uint64_t> bin_ends(const TemperingJob& job) {
  std::vector<std::uint64_t> ends;
  for (std::uint64_t j = 0; j < job.bins; ++j)
    ends.push_back((job.measurements() >> (job.bins - 1 - j)) * job.system.rounds_per_measurement());
  for (std::uint64_t times = 2; times <= job.longer.times; times *= 2) ends.push_back(times * job.rounds());
  return ends;
}

namespace {

void validate_longer(const TemperingJob& job) {
  const auto& [packs, times, asked] = job.longer;
  if (!asked) return;
  const std::string option = fmt::format("--longer {}:{}", packs, times);
  const std::uint64_t all = job.system.samples / 32, unit = job.system.sweeps_per_measurement() << (job.bins - 1);
  require(packs > 0 && std::has_single_bit(times) && times > 1,
          option +
              ": PACKS:TIMES is needed, at least one pack of 32 samples, and a power of 2 for the times as many "
              "sweeps, for example 4:8.");
  require(job.system.first_sample % 32 == 0 && job.system.samples % 32 == 0,
          fmt::format("{}: --samples {}:{} are not whole packs of 32, use multiples of 32.", option,
                      job.system.first_sample, job.system.samples));
  require(packs < all, fmt::format("{}: there are {} packs of 32 samples, ask for fewer, or for all by more --sweeps.",
                                   option, all));
  require(job.bins >= 3, fmt::format("{}: --bins {} are too few, the last but one of 3 or more says which are slow.",
                                     option, job.bins));
  require(job.sweeps % unit == 0,
          fmt::format("{}: --sweeps {} must be a multiple of {} then, so that every bin is twice as long as all before "
                      "it; try {}.",
                      option, job.sweeps, unit, (job.sweeps / unit + 1) * unit));
  require(times <= ((std::uint64_t{1} << 31) - 1) / job.sweeps,
          fmt::format("{}: {} sweeps are more than the 2^31 - 1 that have random numbers, ask for fewer.", option,
                      static_cast<double>(times) * static_cast<double>(job.sweeps)));
  require(!job.save_spins,
          option + ": --save-spins would show configurations of different ages, leave one of them out.");
}

}  // namespace

void validate(const TemperingJob& job) {
  validate_system(job.system);
  validate_energy(job.system);
  validate_slots(job);
  require(job.bins > 0, "--bins 0: keep at least one bin.");
  validate_schedule(job);
  validate_longer(job);
}

std::string to_toml(const TemperingJob& job) {
  const TemperingSystem& s = job.system;
  // left out where it is the default: the text identifies a job, and those without the option are older than it
  const std::string measuring =
      s.measures_every_round() ? "" : fmt::format("measure-interval = {}\n", s.measure_interval);
  const std::string longer =
      job.longer.packs == 0 ? "" : fmt::format("longer = \"{}:{}\"\n", job.longer.packs, job.longer.times);
  return fmt::format(
      "[{}]\nL = {}\nJ = {}\nh = {}\nT = [{}]\nsamples = \"{}:{}\"\nsweeps = {}\nexchange-interval = {}\n{}bins = "
      "{}\n{}"
      "seed = {}\nstart = \"{}\"\n",
      name_of(s.model), s.L, s.J, s.h, fmt::join(job.T, ", "), s.first_sample, s.samples, job.sweeps,
      s.exchange_interval, measuring, job.bins, longer, s.seed, name_of(s.start));
}

}  // namespace psflip
