#include "engine/driver/slowest_packs.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace psflip {

namespace {

struct Spread {
  double of_mean = 0, thermal = 0;
};

template <class T>
const std::vector<T>& values_named(const std::vector<io::Dataset>& datasets, const std::string& name) {
  for (const io::Dataset& dataset : datasets)
    if (dataset.name == name) return std::get<std::vector<T>>(dataset.values);
  throw std::logic_error(name + ": no such sums");
}

/// Variance of the means of `count` independent sums of n measurements.
double variance_of_means(const double* sums, std::size_t count, double n) {
  double squares = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) {
      const double gap = (sums[a] - sums[b]) / n;
      squares += gap * gap;
    }
  return squares / static_cast<double>(count * (count - 1));
}

double mean_of(const double* sums, std::size_t count, double n) {
  return std::accumulate(sums, sums + count, 0.0) / (static_cast<double>(count) * n);
}

/// Mean over pairs of the product of the means of two sets.
double product_of_means(const double* sums, std::size_t count, double n) {
  double products = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) products += sums[a] / n * (sums[b] / n);
  return products / (static_cast<double>(count * (count - 1)) / 2);
}

/// The mean of q is 0 in equilibrium, so the square of its mean over a bin is the variance of that mean.
double mean_square_of_means(const double* sums, std::size_t count, double n) {
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += sums[i] / n * (sums[i] / n);
  return squares / static_cast<double>(count);
}

/// Calls f(spread of) for the quantity of the model; spread(i) is that of row i = (slot, bin, sample).
template <class F>
auto with_spread(const System& system, const std::vector<io::Dataset>& sums, double n, F f) {
  const auto named = [&](const char* name) { return values_named<double>(sums, name).data(); };
  const auto R = static_cast<std::size_t>(system.replicas), P = static_cast<std::size_t>(system.pairs());
  if (system.preset().has_random_field()) {
    const double *m = named("magnetization"), *m_2 = named("magnetization_2"),
                 *product = named("magnetization_product");
    return f([=](std::size_t i) -> Spread {
      return {variance_of_means(m + i * R, R, n), mean_of(m_2 + i * R, R, n) - mean_of(product + i * P, P, n)};
    });
  }
  if (system.preset().has_random_bonds()) {
    const double *q = named("overlap"), *q_2 = named("overlap_2");
    return f([=](std::size_t i) -> Spread {
      return {mean_square_of_means(q + i * P, P, n), mean_of(q_2 + i * P, P, n)};
    });
  }
  const double *B = named("bond_sum"), *B_2 = named("bond_sum_2");
  return f([=](std::size_t i) -> Spread {
    return {variance_of_means(B + i * R, R, n), mean_of(B_2 + i * R, R, n) - product_of_means(B + i * R, R, n)};
  });
}

}  // namespace

std::vector<std::uint64_t> slowest_packs(const System& system, const std::vector<io::Dataset>& sums,
                                         const SumShape& shape, std::uint64_t count) {
  const std::size_t bin = shape.bins - 2;
  const auto n = static_cast<double>(values_named<std::int64_t>(sums, "measurements")[bin]);
  std::vector<double> of_packs(shape.samples / 32, 0.0);
  with_spread(system, sums, n, [&](auto spread) {
    for (std::size_t slot = 0; slot < shape.slots; ++slot) {
      std::vector<double> of_means(of_packs.size(), 0.0);
      double thermal = 0;
      for (std::size_t sample = 0; sample < shape.samples; ++sample) {
        const Spread one = spread((slot * shape.bins + bin) * shape.samples + sample);
        of_means[sample / 32] += one.of_mean;
        thermal += one.thermal;
      }
      for (std::size_t pack = 0; thermal > 0 && pack < of_packs.size(); ++pack)
        of_packs[pack] += of_means[pack] / thermal;
    }
  });
  std::vector<std::uint64_t> places(of_packs.size());
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return of_packs[a] > of_packs[b]; });
  places.resize(count);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace psflip
