#include "engine/methods/validate_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/methods/methods.hpp"

namespace psflip {

namespace {

void validate_lattice(const System& s) {
  require(s.L % 2 == 0, fmt::format("--L {}: a checkerboard update needs an even L, try {}.", s.L, s.L + 1));
  require(s.L >= 4, fmt::format("--L {}: below L = 4 periodic neighbours coincide and bonds double, use L >= 4.", s.L));
  const int largest = s.largest_L();
  require(s.L <= largest, fmt::format("--L {}: sites of {} have addresses up to L = {}, choose a smaller L.", s.L,
                                      name_of(s.model), largest));
  if (s.packing == Packing::sites) {
    require(s.preset().packs_sites(),
            fmt::format("--packing sites: {} packs samples only, use --packing samples.", name_of(s.model)));
    require(s.h == 0, fmt::format("--h {}: sites share words without a field only, use --packing samples.", s.h));
    require(s.L % 64 == 0, fmt::format("--L {}: --packing sites needs a multiple of 64, try {} or --packing samples.",
                                       s.L, (s.L / 64 + 1) * 64));
  }
}

void validate_samples(const Job& job) {
  const System& s = job.system;
  require(s.samples > 0,
          fmt::format("--samples {}:0: the count is 0, so there is nothing to simulate; use at least one "
                      "sample.",
                      s.first_sample));
  const int bits = s.packing == Packing::sites ? 40 : 45;
  const std::uint64_t limit = std::uint64_t{1} << bits;
  require(s.first_sample < limit && s.samples <= limit - s.first_sample,
          fmt::format("--samples {}:{}: sample ids must stay below 2^{}, choose a smaller range.", s.first_sample,
                      s.samples, bits));
  require(s.replicas >= 1 && s.replicas <= 8, fmt::format("--replicas {}: 1 to 8 replicas are supported.", s.replicas));
  require(s.preset().has_disorder() || s.replicas == 1 || job.method == Method::tempering,
          fmt::format("--replicas: lattices of {} are all replicas of each other, use more --samples instead.",
                      name_of(s.model)));
}

void validate_random(const System& s) {
  if (s.random == Random::independent) return;
  require(!s.has_field(),
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

void validate_bonds(const System& s) {
  require(s.p >= 0 && s.p <= 1, fmt::format("--p {}: the probability of J = -1 lies between 0 and 1.", s.p));
  if (s.p == 0.5) return;
  require(s.couplings == Couplings::bimodal,
          fmt::format("--p {}: all bonds of --couplings ferromagnet are +1, leave one of the two out.", s.p));
  require(s.random == Random::independent || (s.p > 0 && s.p < 1),
          fmt::format("--p {}: all samples have the same bonds, so shared random numbers would make them the same "
                      "trajectory; use --random independent.",
                      s.p));
}

void validate_energy(const Job& job) {
  const System& s = job.system;
  if (!s.preset().has_field()) return;
  for (const auto& [name, value] : {std::pair{"--h", s.h}, {"--J", s.J}})
    require(std::isfinite(value) && value >= 0,
            fmt::format("{} {}: a finite number that is not negative is needed; the model with the other sign is the "
                        "same model.",
                        name, value));
  require(s.has_field() || s.J == 1,
          "--J: without a field J is the unit of temperature, give --h too or leave it out.");
  require(s.h > 0 || s.J > 0, "--h 0 --J 0: without coupling and field there is no energy, make one of them positive.");
}

}  // namespace

void validate_system(const Job& job) {
  validate_lattice(job.system);
  validate_samples(job);
  validate_random(job.system);
  validate_bonds(job.system);
  validate_energy(job);
}

void require_finite_energy(const Job& job) {
  const System& s = job.system;
  if (!s.preset().has_field()) return;
  const auto coldest = std::max_element(job.beta.begin(), job.beta.end());
  require(std::isfinite((2 * s.dimension() * s.J + 2 * s.h) * static_cast<double>(s.sites()) * *coldest),
          fmt::format("--T {} --h {} --J {}: energy divided by temperature exceeds the range of double precision, "
                      "change one of them.",
                      job.T[static_cast<std::size_t>(coldest - job.beta.begin())], s.h, s.J));
}

}  // namespace psflip
