#pragma once
#include <cstddef>
#include <vector>

/// Grids of temperatures whose neighbours exchange often (docs/rfim3d.md).
namespace psflip {

/// Exchange rates measured on one list of temperatures.
struct GridTrial {
  std::vector<double> temperatures;  ///< of the slots in units of J / k_B, increasing
  std::vector<double> rates;         ///< of neighbouring slots, mean over samples and replicas; one fewer

  double lowest_rate() const;
};

/// `slots` temperatures at equal distances.
std::vector<double> equally_spaced(double low, double high, std::size_t slots);

/// New slots in the middle of the `insertions` intervals with the lowest rates (all intervals if there are fewer):
/// Navarro, Huang and Deng, arXiv:1508.06268, section 4.
std::vector<double> with_midpoints(const GridTrial& trial, std::size_t insertions);

/// The same number of slots between the same ends, moved so that neighbours exchange equally often: the length
/// erfc^-1(rate) of an interval (Kofke, J. Chem. Phys. 117, 6911 (2002)) is spread evenly, linearly in 1 / T within
/// each old interval. `attempts` is how many exchanges a rate is the mean of; rates of 0 and 1 count as half an
/// exchange.
std::vector<double> with_equal_rates(const GridTrial& trial, double attempts);

}  // namespace psflip
