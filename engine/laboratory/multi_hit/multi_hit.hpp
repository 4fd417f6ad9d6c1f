#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/models/model.hpp"

/// Energy series and times of the double checkerboard with several hits of a tile, and of a sequential update.
namespace psflip::laboratory {

/// `naive`: k hits of all even tiles, k of all odd ones, then a measurement. `symmetric`: a measurement in the middle
/// of the k hits of either parity, AAAA(M)AAAABBBB(M)BBBB in section 3.4 of the paper; k is even.
enum class Order { naive, symmetric };

struct MultiHitPlan {
  const Preset* preset = nullptr;  ///< a member of the family without disorder
  int L = 0, tile = 0, hits = 1;
  double beta = 0;
  Order order = Order::naive;
  std::string generator;
  std::uint32_t seed = 1;
  std::uint64_t sweeps = 0;  ///< measured, after `discarded`
  std::uint64_t discarded = 0;
};

struct EnergySeries {
  std::vector<double> energy;  ///< per site in units of J, one for each measurement
  double sweeps_between = 0;   ///< of two measurements
  double seconds = 0;          ///< of the measured sweeps
  double flips = 0;            ///< spins that were tried in these seconds
};

/// From all spins up. The energy is that of each flip, which is compared with a count of the last state;
/// std::logic_error if they differ.
EnergySeries run_tiles(const MultiHitPlan& plan);

/// Site after site on one processor with one sequence of numbers; a number is drawn only where a flip costs energy, as
/// the paper's CPU program does. A measurement follows each sweep. `tile` and `hits` of the plan have no meaning.
EnergySeries run_sequential(const MultiHitPlan& plan);

/// Mean and error of a series, by the jackknife over `blocks` blocks of consecutive measurements, and the integrated
/// autocorrelation time.
struct EnergyEstimates {
  double e = 0, e_error = 0;      ///< per site
  double C = 0, C_error = 0;      ///< beta^2 N (<e^2> - <e>^2)
  double tau = 0, tau_error = 0;  ///< of e, in sweeps: 1/2 + sum over lags up to 6 tau (Madras and Sokal, J. Stat.
                                  ///< Phys. 50, 109); its error is that paper's eq. 3.19
  int blocks = 0;
};
EnergyEstimates estimates_of(const EnergySeries& series, const MultiHitPlan& plan, int blocks);

}  // namespace psflip::laboratory
