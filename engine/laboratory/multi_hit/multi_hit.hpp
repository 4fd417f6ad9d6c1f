#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/models/model.hpp"

/// Series of energy and magnetization, and times, of the double checkerboard with several hits of a tile, and of a
/// sequential update.
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

struct MultiHitSeries {
  std::vector<double> energy;         ///< per site in units of J, one for each measurement
  std::vector<double> magnetization;  ///< its absolute value per site
  double sweeps_between = 0;          ///< of two measurements
  double seconds = 0;                 ///< of the measured sweeps, without the counts of the magnetization
  double flips = 0;                   ///< spins that were tried in these seconds
};

/// From all spins up. The energy is that of each flip, which is compared with a count of the last state;
/// std::logic_error if they differ.
MultiHitSeries run_tiles(const MultiHitPlan& plan);

/// Site after site on one processor with one sequence of numbers; a number is drawn only where a flip costs energy, as
/// the paper's CPU program does. A measurement follows each sweep. `tile` and `hits` of the plan have no meaning.
MultiHitSeries run_sequential(const MultiHitPlan& plan);

/// Seconds of a round, in which every spin is tried `hits` times, with the energy of each flip and without.
struct TrackingTimes {
  double tracked = 0, untracked = 0;
};
/// After the discarded sweeps, see best_times().
TrackingTimes time_tracking(const MultiHitPlan& plan, double seconds);

/// Mean and error of a series, by the jackknife over `blocks` blocks of consecutive measurements, and the integrated
/// autocorrelation time: 1/2 + sum over lags up to 6 tau (Madras and Sokal, J. Stat. Phys. 50, 109), with the error of
/// that paper's eq. 3.19, in sweeps.
struct MultiHitEstimates {
  double e = 0, e_error = 0;          ///< per site
  double C = 0, C_error = 0;          ///< beta^2 N (<e^2> - <e>^2)
  double tau = 0, tau_error = 0;      ///< of e
  double m = 0, m_error = 0;          ///< |m|
  double tau_m = 0, tau_m_error = 0;  ///< of |m|
  int blocks = 0;
};
MultiHitEstimates estimates_of(const MultiHitSeries& series, const MultiHitPlan& plan, int blocks);

}  // namespace psflip::laboratory
