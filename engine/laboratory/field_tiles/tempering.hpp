#pragma once
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "engine/laboratory/field_tiles/field_site.hpp"
#include "engine/models/tables.hpp"

/// Exchange Monte Carlo of one realization, as Navarro, Huang and Deng simulate it: a configuration for each
/// temperature slot.
namespace psflip::laboratory {

/// What an accepted exchange does: slots keep their temperatures and configurations move, or configurations stay in
/// their memory and temperatures are swapped through an index (section 3.3 of the paper).
enum class FieldExchange { configurations, temperatures };

/// `Configuration` has sums() and swap_spins(). The random numbers of a sweep belong to the slot, so that both ways of
/// exchange have the same configurations at every temperature.
template <class Configuration>
class FieldTempering {
 public:
  /// `system`: its betas, J and h.
  FieldTempering(std::vector<Configuration> configurations, const System& system, FieldExchange exchange,
                 std::uint32_t seed)
      : configurations_(std::move(configurations)),
        thresholds_(make_field_thresholds(system)),
        betas_(system.betas),
        J_(system.J),
        h_(system.h),
        exchange_(exchange),
        numbers_(seed) {
    for (std::size_t slot = 0; slot < betas_.size(); ++slot) at_slot_.push_back(slot);
  }

  /// Sweeps of all slots by so many threads, sweep(configuration, thresholds, slot), then exchanges of the pairs k, k +
  /// 1 with k even or odd in turn.
  template <class Sweep>
  void step(int threads, Sweep sweep) {
    const int slots = static_cast<int>(betas_.size());
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
    for (int k = 0; k < slots; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      sweep(configurations_[at_slot_[slot]], thresholds_[slot], slot);
    }
    exchange();
  }

  const Configuration& at(std::size_t slot) const { return configurations_[at_slot_[slot]]; }
  double energy(std::size_t slot) const {
    const FieldSums& sums = at(slot).sums();
    return -J_ * static_cast<double>(sums.bonds) - h_ * static_cast<double>(sums.fields);
  }
  std::size_t accepted() const { return accepted_; }

 private:
  void exchange() {
    for (std::size_t k = round_++ % 2; k + 1 < betas_.size(); k += 2) {
      const double x = (betas_[k + 1] - betas_[k]) * (energy(k + 1) - energy(k));
      const double number = std::uniform_real_distribution<double>()(numbers_);
      if (x < 0 && number >= std::exp(x)) continue;
      ++accepted_;
      if (exchange_ == FieldExchange::temperatures)
        std::swap(at_slot_[k], at_slot_[k + 1]);
      else
        configurations_[k].swap_spins(configurations_[k + 1]);
    }
  }

  std::vector<Configuration> configurations_;
  std::vector<std::size_t> at_slot_;  ///< the configuration that has the temperature of a slot
  std::vector<FieldThresholds> thresholds_;
  std::vector<double> betas_;
  double J_, h_;
  FieldExchange exchange_;
  std::mt19937_64 numbers_;
  std::size_t round_ = 0, accepted_ = 0;
};

}  // namespace psflip::laboratory
