#include "defined.hpp"

#include <cmath>
#include <stdexcept>

namespace psflip::oracle {
namespace {

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

void require_lattice(const System& s) {
  require(s.L >= 4 && s.L % 2 == 0, "L must be even and at least 4");
  require(s.replicas >= 1 && s.replicas <= 8, "1 to 8 replicas");
  require(s.packs.empty() || s.samples == 32 * s.packs.size(), "chosen packs are simulated with all their samples");
  if (s.packing == Packing::samples) return;
  require(s.preset().packs_sites() && s.h == 0 && s.L % 64 == 0,
          "sites are packed in rows of 64 on square lattices of ferromagnets without field");
  require(s.replicas == 1 && s.slots() == 1 && s.packs.empty(), "packed sites are of one copy of consecutive samples");
}

void require_energy(const System& s) {
  require(s.J >= 0 && std::isfinite(s.J) && s.h >= 0 && std::isfinite(s.h), "J and h are finite and not negative");
  require(s.h == 0 || s.preset().has_field(), "the model has no field");
  require(s.J == 1 || s.slots() > 1 || s.has_field(), "without field one temperature is in units of J");
  require(s.couplings == Couplings::ferromagnet || s.preset().has_random_bonds(), "the model has no random bonds");
  require(s.p >= 0 && s.p <= 1, "p is a probability");
  require(s.p == 0.5 || s.couplings == Couplings::bimodal, "p is of random bonds");
  require(s.random == Random::independent || (s.p > 0 && s.p < 1), "samples differ in their bonds");
  require(s.random == Random::independent || (s.couplings == Couplings::bimodal && !s.preset().has_field()),
          "only samples that differ in their bonds alone share random numbers");
  require(!s.also.has(Integer::field_sum) || s.has_field(), "a field sum needs a field");
}

void require_temperatures(const System& s) {
  require(s.slots() >= 1 && s.slots() <= 256, "1 to 256 temperature slots");
  for (const double beta : s.betas) require(beta > 0 && std::isfinite(beta), "beta must be positive");
  for (std::size_t k = 1; k < s.slots(); ++k) require(s.betas[k] < s.betas[k - 1], "slots get hotter");
  require(s.round.half_sweeps >= 1, "a round has half sweeps");
  require(s.slots() == 1 || s.round.half_sweeps % 2 == 0, "exchanges follow sweeps");
  require(s.round.rounds_per_sum == 0 || s.slots() > 1, "sums are of slots that exchange");
}

}  // namespace

const System& defined(const System& system) {
  require_lattice(system);
  require_energy(system);
  require_temperatures(system);
  return system;
}

}  // namespace psflip::oracle
