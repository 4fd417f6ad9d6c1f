#include "trajectories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "engine/core/version.hpp"

namespace psflip::golden {
namespace {

constexpr std::uint64_t half_sweeps = 11;

System spin_glass(int L, Random random) {
  System system;
  system.model = Model::ea3d;
  system.L = L;
  system.betas = {0.9};
  system.first_sample = 29;  // the first pack is entered in its middle
  system.samples = 40;
  system.replicas = 5;  // the fifth replica has another replica field
  system.seed = 20240607;
  system.random = random;
  system.couplings = Couplings::bimodal;
  system.round.half_sweeps = 1;
  return system;
}

System ferromagnet() {
  System system = spin_glass(4, Random::independent);
  system.betas = {0.221654626};
  system.couplings = Couplings::ferromagnet;
  return system;
}

System square(int L, Packing packing, Start start) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {0.44};
  system.first_sample = 30;
  system.samples = packing == Packing::sites ? 2 : 36;
  system.seed = 4;
  system.packing = packing;
  system.start = start;
  system.round.half_sweeps = 1;
  return system;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
std::uint64_t hash_of(const std::vector<std::int8_t>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::int8_t byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  return hash;
}

template <class Value>
std::string head(std::string_view name, const std::vector<Value>& values) {
  const std::size_t count = std::min<std::size_t>(values.size(), 6);
  return values.empty() ? "" : fmt::format("  {} {}\n", name, fmt::join(values.begin(), values.begin() + count, " "));
}

std::string trajectory(const std::string& name, const System& system, const MakeEngine& make_engine) {
  const auto engine = make_engine(system);
  engine->advance(half_sweeps);
  const Observation seen = engine->observe();
  std::string integers;
  for (const IntegerInfo& info : integer_table) integers += head(info.name, seen[info.integer]);
  return fmt::format("{}: L {}, beta {}, samples {}:{}, replicas {}, seed {}, half sweeps {}\n", name, system.L,
                     system.betas[0], system.first_sample, system.samples, system.replicas, system.seed, half_sweeps) +
         fmt::format("  couplings {:016x}  spins {:016x}\n", hash_of(engine->couplings()), hash_of(engine->spins())) +
         integers;
}

/// A preset at one temperature, made from its traits.
System member(const Preset& preset) {
  System system = spin_glass(6, Random::independent);
  system.model = preset.model;
  system.betas = {0.4};
  system.replicas = preset.has_disorder() ? 3 : 1;
  system.couplings = preset.has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  system.h = preset.has_random_field() ? 0.7 : 0;
  return system;
}

System uniform_field(Model model) {
  System system = member(preset_of(model));
  system.h = 0.3;
  return system;
}

System fraction_of_bonds(Model model, double p) {
  System system = member(preset_of(model));
  system.p = p;
  return system;
}

constexpr std::uint64_t rounds = 5;

System random_field(double J, double h) {
  System system;
  system.model = Model::rfim3d;
  system.L = 6;
  system.J = J;
  system.h = h;
  system.betas = {0.27, 0.26, 0.25, 0.24};
  system.first_sample = 29;
  system.samples = 40;
  system.replicas = 2;
  system.seed = 20240607;
  system.round = {4, 1};
  return system;
}

std::string exchange_trajectory(const std::string& name, const System& system, const MakeEngine& make_engine) {
  const auto engine = make_engine(system);
  engine->advance(rounds);
  std::vector<std::int8_t> spins;
  for (std::size_t slot = 0; slot < system.slots(); ++slot) {
    const auto more = engine->spins(slot);
    spins.insert(spins.end(), more.begin(), more.end());
  }
  const Sums sums = engine->sums();
  return fmt::format("{}: L {}, J {}, h {}, beta {}, samples {}:{}, seed {}, rounds {} of {}\n", name, system.L,
                     system.J, system.h, fmt::join(system.betas, " "), system.first_sample, system.samples, system.seed,
                     rounds, system.round.half_sweeps / 2) +
         fmt::format("  fields {:016x}  spins {:016x}\n", hash_of(engine->fields()), hash_of(spins)) +
         head("accepted", sums.accepted) + head("sums", sums.set) + head("products", sums.pair);
}

}  // namespace

std::string trajectories(const MakeEngine& make_engine) {
  std::string members;
  for (const Preset& preset : presets)
    members += trajectory(fmt::format("{} at one temperature", preset.name), member(preset), make_engine);
  return fmt::format("stream_version {}\n", stream_version) +
         trajectory("ea3d shared", spin_glass(6, Random::shared), make_engine) +
         trajectory("ea3d independent", spin_glass(6, Random::independent), make_engine) +
         trajectory("ea3d ferromagnet", ferromagnet(), make_engine) +
         trajectory("ising2d samples, random start", square(6, Packing::samples, Start::random), make_engine) +
         trajectory("ising2d samples, ordered start", square(16, Packing::samples, Start::ordered), make_engine) +
         trajectory("ising2d sites", square(128, Packing::sites, Start::random), make_engine) +
         exchange_trajectory("rfim3d equal field", random_field(1, 1), make_engine) +
         exchange_trajectory("rfim3d weak field", random_field(1, 0.4), make_engine) +
         exchange_trajectory("rfim3d strong field", random_field(0.5, 2.5), make_engine) + members +
         trajectory("ising2d in a field", uniform_field(Model::ising2d), make_engine) +
         trajectory("ising3d in a field", uniform_field(Model::ising3d), make_engine) +
         trajectory("ea2d, p 0.1", fraction_of_bonds(Model::ea2d, 0.1), make_engine) +
         trajectory("ea3d, p 0.25", fraction_of_bonds(Model::ea3d, 0.25), make_engine);
}

}  // namespace psflip::golden
