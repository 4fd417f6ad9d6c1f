#include "systems.hpp"

namespace psflip::equality {
namespace {

struct Size {
  int L;
  std::uint64_t first_sample, samples;
  int replicas;
};

const Size cubic_sizes[] = {{4, 29, 1100, 2}, {6, 31, 300, 3}, {8, 95, 130, 3},
                            {10, 7, 70, 2},   {12, 63, 35, 2}, {16, 0, 33, 1}};

/// Replica counts that fill and cross the four components of one Philox call.
const Size replica_sizes[] = {{4, 5, 40, 1}, {4, 5, 40, 5}, {6, 40, 40, 7}, {6, 40, 40, 8}};

const Size square_sizes[] = {{4, 29, 1100, 1}, {6, 31, 700, 1},  {8, 95, 600, 1},
                             {10, 7, 160, 1},  {12, 63, 160, 1}, {16, 1, 97, 1}};

System cubic(const Size& size, Random random, Couplings couplings) {
  System system;
  system.model = Model::ea3d;
  system.L = size.L;
  system.betas = {couplings == Couplings::bimodal ? 0.9 : 0.25};
  system.first_sample = size.first_sample;
  system.samples = size.samples;
  system.replicas = size.replicas;
  system.seed = 0xFFFFFFFF;
  system.random = random;
  system.couplings = couplings;
  system.round.half_sweeps = 1;
  return system;
}

System square(const Size& size, Start start, Packing packing) {
  System system;
  system.model = Model::ising2d;
  system.L = size.L;
  system.betas = {0.44};
  system.first_sample = size.first_sample;
  system.samples = size.samples;
  system.seed = 7;
  system.start = start;
  system.packing = packing;
  system.round.half_sweeps = 1;
  return system;
}

std::string sized(const char* name, const Size& size) { return std::string(name) + "_L" + std::to_string(size.L); }

void add_cubic(std::vector<NamedSystem>& all) {
  for (const Size& size : cubic_sizes) {
    all.push_back({sized("ea3d_shared", size), cubic(size, Random::shared, Couplings::bimodal)});
    all.push_back({sized("ea3d_independent", size), cubic(size, Random::independent, Couplings::bimodal)});
    all.push_back({sized("ea3d_ferromagnet", size), cubic(size, Random::independent, Couplings::ferromagnet)});
  }
  for (const Size& size : replica_sizes) {
    const std::string replicas = "_replicas" + std::to_string(size.replicas);
    all.push_back({sized("ea3d_shared", size) + replicas, cubic(size, Random::shared, Couplings::bimodal)});
    all.push_back({sized("ea3d_independent", size) + replicas, cubic(size, Random::independent, Couplings::bimodal)});
  }
  System ordered = cubic({6, 11, 70, 2}, Random::shared, Couplings::bimodal);
  ordered.start = Start::ordered;
  all.push_back({"ea3d_shared_ordered_start", ordered});
}

void add_square(std::vector<NamedSystem>& all) {
  for (const Size& size : square_sizes) {
    all.push_back({sized("ising2d_random_start", size), square(size, Start::random, Packing::samples)});
    all.push_back({sized("ising2d_ordered_start", size), square(size, Start::ordered, Packing::samples)});
  }
  for (const Size& size : {Size{64, 3, 5, 1}, Size{128, 3, 3, 1}, Size{192, 3, 3, 1}}) {
    all.push_back({sized("ising2d_sites_random_start", size), square(size, Start::random, Packing::sites)});
    all.push_back({sized("ising2d_sites_ordered_start", size), square(size, Start::ordered, Packing::sites)});
  }
}

/// The ends of what the contract allows: sample ids, and temperatures at which thresholds are 2^32 or 0.
void add_extremes(std::vector<NamedSystem>& all) {
  System far = cubic({4, (1ULL << 45) - 77, 77, 5}, Random::shared, Couplings::bimodal);
  all.push_back({"ea3d_shared_last_samples", far});
  far.random = Random::independent;
  all.push_back({"ea3d_independent_last_samples", far});
  far.first_sample = (1ULL << 37) - 50;
  all.push_back({"ea3d_independent_packs_beyond_32_bits", far});
  all.push_back({"ising2d_sites_last_samples", square({64, (1ULL << 40) - 3, 3, 1}, Start::random, Packing::sites)});
  for (const auto& [name, beta] :
       {std::pair{"_infinitely_hot", 1e-20}, {"_hot", 1e-3}, {"_cold", 4.0}, {"_frozen", 1e3}}) {
    System system = cubic({4, 3, 45, 2}, Random::shared, Couplings::bimodal);
    system.betas = {beta};
    all.push_back({std::string("ea3d_shared") + name, system});
    system.random = Random::independent;
    all.push_back({std::string("ea3d_independent") + name, system});
    system = square({64, 0, 2, 1}, Start::random, Packing::sites);
    system.betas = {beta};
    all.push_back({std::string("ising2d_sites") + name, system});
  }
}

}  // namespace

std::vector<NamedSystem> all_systems() {
  std::vector<NamedSystem> all;
  add_cubic(all);
  add_square(all);
  add_extremes(all);
  return all;
}

}  // namespace psflip::equality
