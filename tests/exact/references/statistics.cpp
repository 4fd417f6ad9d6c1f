#include "statistics.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace psflip::exact {

Blocks merged(const Blocks& rows, std::size_t size) {
  if (rows.empty() || rows.size() % size != 0) throw std::invalid_argument("rows do not fill the blocks");
  Blocks blocks;
  for (std::size_t first = 0; first < rows.size(); first += size) {
    std::vector<double> mean(rows[first].size(), 0.0);
    for (std::size_t i = first; i < first + size; ++i) {
      for (std::size_t column = 0; column < mean.size(); ++column) mean[column] += rows[i][column] / double(size);
    }
    blocks.push_back(mean);
  }
  return blocks;
}

Estimate jackknife(const Blocks& blocks, const std::function<double(const std::vector<double>&)>& function) {
  const double n = double(blocks.size());
  const std::vector<double> mean = merged(blocks, blocks.size()).front();
  std::vector<double> deleted;
  for (const auto& block : blocks) {
    std::vector<double> others(mean.size());
    for (std::size_t column = 0; column < mean.size(); ++column) {
      others[column] = (n * mean[column] - block[column]) / (n - 1);
    }
    deleted.push_back(function(others));
  }
  const double center = std::accumulate(deleted.begin(), deleted.end(), 0.0) / n;
  double squares = 0;
  for (const double value : deleted) squares += (value - center) * (value - center);
  return {n * function(mean) - (n - 1) * center, std::sqrt((n - 1) / n * squares)};
}

Estimate mean_of(const Blocks& blocks, std::size_t column) {
  return jackknife(blocks, [column](const std::vector<double>& mean) { return mean[column]; });
}

double pull(const Estimate& estimate, double exact) { return (estimate.value - exact) / estimate.error; }

double chi_squared_tail(double chi_squared, int degrees) {
  if (degrees < 2 || degrees % 2 != 0) throw std::invalid_argument("only for an even number of degrees of freedom");
  double term = std::exp(-chi_squared / 2), sum = 0;  // a Poisson sum: Abramowitz and Stegun 26.4.5
  for (int k = 0; k < degrees / 2; ++k) {
    sum += term;
    term *= chi_squared / 2 / (k + 1);
  }
  return sum;
}

}  // namespace psflip::exact
