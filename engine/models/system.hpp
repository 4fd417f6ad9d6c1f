#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/models/integers.hpp"
#include "engine/models/model.hpp"

namespace psflip {

enum class Random { shared, independent };
enum class Packing { samples, sites };
enum class Start { random, ordered };
enum class Couplings { bimodal, ferromagnet };

/// Unit that an engine repeats without the host: half sweeps; exchanges between the slots if there are several; a
/// measurement that is added to the sums of the engine, after every `rounds_per_sum` rounds.
struct Round {
  std::uint64_t half_sweeps = 2;
  std::uint64_t rounds_per_sum = 0;  ///< 0: the engine keeps no sums, the host reads single moments
};

/// The simulated system: `samples` samples of one model, each in `replicas` copies at the temperature of every slot.
/// Together with the randomness contract (docs/randomness.md) this fixes every bit of the trajectory; nothing about the
/// machine is in it. H = -J sum sigma_ij s_i s_j - h sum eta_i s_i.
struct System {
  Model model = Model::ea3d;
  int L = 0;                       ///< linear size, even, at least 4
  std::vector<double> betas;       ///< inverse temperatures of the slots, strictly decreasing; exchanged if several
  std::uint64_t first_sample = 0;  ///< global id of the first sample
  std::uint64_t samples = 0;       ///< number of samples
  int replicas = 1;                ///< 1 to 8 independent copies of each sample and slot
  std::uint32_t seed = 0;
  Random random = Random::independent;
  Packing packing = Packing::samples;
  Start start = Start::random;
  Couplings couplings = Couplings::ferromagnet;
  double J = 1, h = 0;
  double p = 0.5;  ///< of random bonds, Couplings::bimodal: probability of J_ij = -1
  Round round;
  IntegerSet also;  ///< integers measured in addition to those of the model
  /// Random bonds: slots, increasing, whose link overlap is summed in each bin of the overlap.
  std::vector<std::size_t> link_overlap_slots;
  /// Of packs of 32 samples, number p those with ids 32 p ... 32 p + 31: the increasing numbers of those that are
  /// simulated, all their samples (then `samples` is 32 packs.size() and first_sample is not used). Empty: the samples
  /// from first_sample on.
  std::vector<std::uint64_t> packs;

  const Preset& preset() const { return preset_of(model); }
  int dimension() const { return preset().dimension; }
  /// Whether the energy has a term -h F: always of a random field, also at h = 0.
  bool has_field() const { return preset().has_random_field() || (preset().has_field() && h != 0); }
  /// Largest supported L: the residual queue has 32 bits for the address of a site.
  int largest_L() const { return packing == Packing::sites ? 65536 : dimension() == 3 ? 256 : 16384; }
  std::uint64_t sites() const {
    const auto l = static_cast<std::uint64_t>(L);
    return dimension() == 3 ? l * l * l : l * l;
  }
  int pairs() const { return replicas * (replicas - 1) / 2; }
  std::size_t slots() const { return betas.size(); }

  bool measures(Integer integer) const { return also.has(integer) || is_measured_of(integer, preset()); }
  /// Values of an integer for one sample and slot.
  std::size_t width(Integer integer) const {
    return static_cast<std::size_t>(info_of(integer).scope == Scope::replica ? replicas : pairs());
  }

  /// The packs that hold the samples; the first sample is lane number first_lane() of the first of them, and no lane
  /// between the first and the last sample is left out.
  std::vector<std::uint64_t> pack_numbers() const {
    std::vector<std::uint64_t> all = packs;
    for (std::uint64_t pack = first_sample / 32; packs.empty() && 32 * pack < first_sample + samples; ++pack)
      all.push_back(pack);
    return all;
  }
  std::uint64_t pack_count() const {
    if (!packs.empty()) return packs.size();
    return samples == 0 ? 0 : (first_sample + samples - 1) / 32 - first_sample / 32 + 1;
  }
  std::size_t first_lane() const { return packs.empty() ? first_sample % 32 : 0; }

  /// True if round `number`, counted from 0, ends with a measurement that is added to the sums.
  bool is_summed(std::uint64_t number) const {
    return round.rounds_per_sum != 0 && (number + 1) % round.rounds_per_sum == 0;
  }
};

}  // namespace psflip
