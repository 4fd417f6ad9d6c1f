#pragma once
#include <cstdint>

#include "engine/models/model.hpp"

namespace psflip {

enum class Random { shared, independent };
enum class Packing { samples, sites };
enum class Start { random, ordered };
enum class Couplings { bimodal, ferromagnet };

/// What is simulated: `samples` samples of one model at one temperature. Together with the randomness contract
/// (docs/randomness.md) this fixes every bit of the trajectory; nothing about the machine is in it.
struct System {
  Model model = Model::ea3d;
  int L = 0;                       ///< linear size, even, at least 4
  double beta = 0;                 ///< inverse temperature, positive
  std::uint64_t first_sample = 0;  ///< global id of the first sample
  std::uint64_t samples = 0;       ///< number of samples
  int replicas = 1;                ///< 1 to 8 independent copies of each sample (without disorder: 1)
  std::uint32_t seed = 0;
  Random random = Random::independent;
  Packing packing = Packing::samples;
  Start start = Start::random;
  Couplings couplings = Couplings::ferromagnet;

  const Preset& preset() const { return preset_of(model); }
  int dimension() const { return preset().dimension; }
  std::uint64_t sites() const {
    const auto l = static_cast<std::uint64_t>(L);
    return dimension() == 3 ? l * l * l : l * l;
  }
  int pairs() const { return replicas * (replicas - 1) / 2; }
};

}  // namespace psflip
