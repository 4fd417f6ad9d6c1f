#include "trajectories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace psflip::golden {
namespace {

constexpr std::uint64_t half_sweeps = 11;

System spin_glass(int L, Random random) {
  System system;
  system.model = Model::ea3d;
  system.L = L;
  system.beta = 0.9;
  system.first_sample = 29;  // the first pack is entered in its middle
  system.samples = 40;
  system.replicas = 5;  // the fifth replica has another replica field
  system.seed = 20240607;
  system.random = random;
  system.couplings = Couplings::bimodal;
  return system;
}

System ferromagnet() {
  System system = spin_glass(4, Random::independent);
  system.beta = 0.221654626;
  system.couplings = Couplings::ferromagnet;
  return system;
}

System square(int L, Packing packing, Start start) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.beta = 0.44;
  system.first_sample = 30;
  system.samples = packing == Packing::sites ? 2 : 36;
  system.seed = 4;
  system.packing = packing;
  system.start = start;
  return system;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
std::uint64_t hash_of(const std::vector<std::int8_t>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::int8_t byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  return hash;
}

template <class Integer>
std::string head(const char* name, const std::vector<Integer>& values) {
  const std::size_t count = std::min<std::size_t>(values.size(), 6);
  return values.empty() ? "" : fmt::format("  {} {}\n", name, fmt::join(values.begin(), values.begin() + count, " "));
}

std::string trajectory(const std::string& name, const System& system, const MakeEngine& make_engine) {
  const auto engine = make_engine(system);
  engine->advance(half_sweeps);
  const Observation seen = engine->observe();
  return fmt::format("{}: L {}, beta {}, samples {}:{}, replicas {}, seed {}, half sweeps {}\n", name, system.L,
                     system.beta, system.first_sample, system.samples, system.replicas, system.seed, half_sweeps) +
         fmt::format("  couplings {:016x}  spins {:016x}\n", hash_of(engine->couplings()), hash_of(engine->spins())) +
         head("bond_sum", seen.bond_sum) + head("magnetization", seen.magnetization) +
         head("magnetization_k2", seen.magnetization_k2) + head("overlap", seen.overlap) +
         head("overlap_k2", seen.overlap_k2);
}

}  // namespace

std::string trajectories(const MakeEngine& make_engine) {
  return trajectory("ea3d shared", spin_glass(6, Random::shared), make_engine) +
         trajectory("ea3d independent", spin_glass(6, Random::independent), make_engine) +
         trajectory("ea3d ferromagnet", ferromagnet(), make_engine) +
         trajectory("ising2d samples, random start", square(6, Packing::samples, Start::random), make_engine) +
         trajectory("ising2d samples, ordered start", square(16, Packing::samples, Start::ordered), make_engine) +
         trajectory("ising2d sites", square(128, Packing::sites, Start::random), make_engine);
}

}  // namespace psflip::golden
