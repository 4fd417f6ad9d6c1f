#include "analysis/ensemble/sound_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/ensemble/ensemble.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// The largest modulus in one measurement is `factor` x dimension^`dimensions` x N^`sites`.
struct Bound {
  const char* dataset;
  int sites, dimensions;
  double factor;
  bool is_signed;
};

/// Of B = bond sum (dimension x N bonds), F and M (N sites), Q, Q_l and K (1024 x dimension x N^2).
constexpr Bound bounds[] = {{"bond_sum", 1, 1, 1, true},
                            {"field_sum", 1, 0, 1, true},
                            {"magnetization", 1, 0, 1, true},
                            {"overlap", 1, 0, 1, true},
                            {"link_overlap", 1, 1, 1, true},
                            {"magnetization_k2", 2, 1, 1024, false},
                            {"overlap_k2", 2, 1, 1024, false},
                            {"bond_sum_2", 2, 2, 1, false},
                            {"field_sum_2", 2, 0, 1, false},
                            {"bond_field", 2, 1, 1, true},
                            {"abs_magnetization", 1, 0, 1, false},
                            {"magnetization_2", 2, 0, 1, false},
                            {"magnetization_4", 4, 0, 1, false},
                            {"bond_magnetization_2", 3, 1, 1, true},
                            {"bond_magnetization_4", 5, 1, 1, true},
                            {"bond_magnetization_k2", 3, 2, 1024, true},
                            {"field_magnetization_2", 3, 0, 1, true},
                            {"field_magnetization_4", 5, 0, 1, true},
                            {"field_magnetization_k2", 3, 1, 1024, true},
                            {"abs_overlap", 1, 0, 1, false},
                            {"overlap_2", 2, 0, 1, false},
                            {"overlap_4", 4, 0, 1, false},
                            {"bond_overlap_2", 3, 1, 2, true},
                            {"bond_overlap_4", 5, 1, 2, true},
                            {"bond_overlap_k2", 3, 2, 2048, true},
                            {"bond_link_overlap", 2, 2, 2, true},
                            {"magnetization_product", 2, 0, 1, true},
                            {"magnetization_k_product", 2, 1, 1024, true}};

struct Range {
  double least, most;
};

/// Of the values of a dataset; anything for one that is not known here.
Range range_of(const io::LabelledFile& file, const std::string& name, double measurements) {
  if (name == "spins" || name == "couplings" || name == "fields") return {-1, 1};
  if (name == "pair_replicas") return {0, static_cast<double>(file.integer("replicas") - 1)};
  const double longer =
      file.attributes.contains("longer_times") ? static_cast<double>(file.integer("longer_times")) : 1;
  if (name == "times_longer") return {1, longer};
  for (const char* count :
       {"exchange_attempts", "exchange_accepted", "round_trips", "flow_cold", "flow_hot", "overlap_counts"})
    if (name == count) return {0, static_cast<double>(std::int64_t{1} << 53)};
  const auto bound =
      std::find_if(std::begin(bounds), std::end(bounds), [&](const Bound& one) { return name == one.dataset; });
  if (bound == std::end(bounds)) return {-HUGE_VAL, HUGE_VAL};
  const int dimension = find_preset(file.text("model"))->dimension;
  const double sites = std::pow(static_cast<double>(file.integer("L")), dimension);
  constexpr double rounding = 1.00001;  // of sums of float64 and of the tables of cosines
  const double most = rounding * bound->factor * std::pow(dimension, bound->dimensions) *
                      std::pow(sites, bound->sites) * measurements * longer;
  return {bound->is_signed ? -most : 0, most};
}

}  // namespace

void require_possible_values(const io::LabelledFile& file, const io::Dataset& dataset, double measurements) {
  const Range range = range_of(file, dataset.name, measurements);
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        for (const T value : values) {
          const auto x = static_cast<double>(value);
          if (std::isfinite(x) && range.least <= x && x <= range.most) continue;
          throw UserError(fmt::format(
              "Cannot use {}: its dataset {} holds the value {}, which is not possible; make the file again.",
              file.path.string(), dataset.name, x));
        }
      },
      dataset.values);
}

}  // namespace psflip::analysis
