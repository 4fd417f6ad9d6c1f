#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "numbers.hpp"

namespace psflip::oracle {
namespace {

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

System checked(const System& system) {
  require(system.L >= 4 && system.L % 2 == 0, "L must be even and at least 4");
  require(system.beta > 0 && std::isfinite(system.beta), "beta must be positive");
  require(system.replicas >= 1 && system.replicas <= 8, "1 to 8 replicas");
  const bool is_ising2d = system.model == Model::ising2d;
  const bool is_ferromagnet = system.couplings == Couplings::ferromagnet;
  require(!is_ising2d || (is_ferromagnet && system.replicas == 1), "ising2d is one replica of a ferromagnet");
  require(!is_ferromagnet || system.random == Random::independent,
          "a ferromagnet has no disorder to tell samples apart");
  require(system.packing == Packing::samples || (is_ising2d && system.L % 64 == 0), "sites are packed in rows of 64");
  return system;
}

}  // namespace

Oracle::Oracle(const System& system) : system_(checked(system)), lattice_(system.L, system.dimension()) {
  for (std::uint64_t i = 0; i < system.samples; ++i) samples_.push_back(make_sample(system.first_sample + i));
}

Oracle::Sample Oracle::make_sample(std::uint64_t id) const {
  Sample sample{id, {}, {}};
  for (int direction = 0; direction < lattice_.dimension(); ++direction) {
    for (std::size_t site = 0; site < lattice_.sites(); ++site) {
      const int value = coupling(system_, id, site, lattice_.parity(site), direction);
      sample.couplings.push_back(static_cast<std::int8_t>(value));
    }
  }
  for (int replica = 0; replica < system_.replicas; ++replica) {
    Field spins;
    for (std::size_t site = 0; site < lattice_.sites(); ++site) {
      spins.push_back(static_cast<std::int8_t>(initial_spin(system_, id, replica, site, lattice_.parity(site))));
    }
    sample.replicas.push_back(spins);
  }
  return sample;
}

void Oracle::advance(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    for (Sample& sample : samples_) {
      for (int replica = 0; replica < system_.replicas; ++replica) half_sweep(sample, replica);
    }
    ++half_sweeps_;
  }
}

void Oracle::half_sweep(Sample& sample, int replica) const {
  const int parity = static_cast<int>(half_sweeps_ % 2);
  Field& spins = sample.replicas[replica];
  for (std::size_t site = 0; site < lattice_.sites(); ++site) {
    if (lattice_.parity(site) != parity) continue;
    const int energy_change = 2 * spins[site] * local_field(sample, spins, site);
    if (flips(sample.id, replica, site, energy_change)) spins[site] = static_cast<std::int8_t>(-spins[site]);
  }
}

int Oracle::local_field(const Sample& sample, const Field& spins, std::size_t site) const {
  int field = 0;
  for (int direction = 0; direction < lattice_.dimension(); ++direction) {
    const std::int8_t* J = &sample.couplings[direction * lattice_.sites()];
    const std::size_t forward = lattice_.forward(site, direction), backward = lattice_.backward(site, direction);
    field += J[site] * spins[forward] + J[backward] * spins[backward];
  }
  return field;
}

bool Oracle::flips(std::uint64_t sample, int replica, std::size_t site, int energy_change) const {
  if (energy_change <= 0) return true;
  const double threshold = std::min(std::floor(std::ldexp(std::exp(-system_.beta * energy_change), 32)), 4294967295.0);
  return metropolis_number(system_, sample, replica, site, half_sweeps_) < threshold;
}

Observation Oracle::observe() const {
  Observation observation;
  for (const Sample& sample : samples_) observe_sample(sample, observation);
  return observation;
}

void Oracle::observe_sample(const Sample& sample, Observation& observation) const {
  for (const Field& spins : sample.replicas) {
    observation.bond_sum.push_back(bond_sum(lattice_, spins, sample.couplings));
    observation.magnetization.push_back(sum_of(spins));
    if (system_.model == Model::ising2d) observation.magnetization_k2.push_back(k2(lattice_, spins));
  }
  if (system_.model != Model::ea3d) return;
  for (int a = 0; a < system_.replicas; ++a) {
    for (int b = a + 1; b < system_.replicas; ++b) {
      const Field overlap = product_of(sample.replicas[a], sample.replicas[b]);
      observation.overlap.push_back(sum_of(overlap));
      observation.overlap_k2.push_back(k2(lattice_, overlap));
    }
  }
}

PackedSigns Oracle::packed_spins() const {
  std::vector<std::int8_t> all;
  for (const Sample& sample : samples_) {
    for (const Field& spins : sample.replicas) all.insert(all.end(), spins.begin(), spins.end());
  }
  return pack_signs(all, lattice_.sites());
}

void Oracle::restore(std::uint64_t half_sweeps, const PackedSigns& packed) {
  const std::vector<std::int8_t> spins = unpack_signs(packed);
  require(spins.size() == system_.samples * system_.replicas * lattice_.sites(), "a configuration of another system");
  half_sweeps_ = half_sweeps;
  auto next = spins.begin();
  for (Sample& sample : samples_) {
    for (Field& replica : sample.replicas) {
      replica.assign(next, next + static_cast<std::ptrdiff_t>(lattice_.sites()));
      next += static_cast<std::ptrdiff_t>(lattice_.sites());
    }
  }
}

std::vector<std::int8_t> Oracle::couplings() const {
  std::vector<std::int8_t> all;
  if (system_.model == Model::ising2d) return all;
  for (const Sample& sample : samples_) all.insert(all.end(), sample.couplings.begin(), sample.couplings.end());
  return all;
}

}  // namespace psflip::oracle
