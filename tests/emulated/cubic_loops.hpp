#pragma once
#include <random>
#include <vector>

#include "cuda_on_cpu.hpp"
#include "engine/cuda/sweep/choose_decision.cuh"
#include "engine/cuda/update/pack_view.cuh"

// Half sweeps of cubic lattices in plain loops, the reference of the emulated kernels.
namespace psflip::cuda {

using Words32 = std::vector<std::uint32_t>;

inline Words32 random_words(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Words32 words(count);
  for (std::uint32_t& w : words) w = random();
  return words;
}

inline Thresholds warm_thresholds() {
  Thresholds t{};
  t.by_unsatisfied[0] = 0x01000000;
  t.by_unsatisfied[1] = 0x0a000000;
  t.by_unsatisfied[2] = 0x40000000;
  return t;
}

/// A half sweep of some replicas of one pack. The decision has no queue.
template <class Decision>
void half_sweep_with(const Decision& decide, const PackView& v, std::uint32_t L, std::uint32_t parity,
                     const HalfSweep& s) {
  constexpr int G = Decision::group;
  const Lattice<3> lattice{L};
  for (std::uint32_t i = 0; i < v.sites; ++i) {
    std::uint32_t neighbour[6], spin[G], bond[G][6];
    find_neighbours<3>(lattice, parity, i, neighbour);
    for (int g = 0; g < G; ++g) {
      const std::uint32_t* others = v.spins(1 - parity) + g * v.sites;
      spin[g] = v.spins(parity)[g * v.sites + i];
      for (std::uint32_t mu = 0; mu < 3; ++mu) {
        bond[g][2 * mu] = spin[g] ^ v.couplings(parity)[mu * v.sites + i] ^ others[neighbour[2 * mu]];
        bond[g][2 * mu + 1] =
            spin[g] ^ v.couplings(1 - parity)[mu * v.sites + neighbour[2 * mu + 1]] ^ others[neighbour[2 * mu + 1]];
      }
    }
    decide(s, i, decide.draw(s, i), spin, bond);
    for (int g = 0; g < G; ++g) v.spins(parity)[g * v.sites + i] = spin[g];
  }
}

/// The same of G replicas with shared random numbers.
template <int G>
void half_sweep(const PackView& v, std::uint32_t L, std::uint32_t parity, const HalfSweep& s,
                const Thresholds& thresholds) {
  half_sweep_with(SharedDecision<G>{thresholds}, v, L, parity, s);
}

}  // namespace psflip::cuda
