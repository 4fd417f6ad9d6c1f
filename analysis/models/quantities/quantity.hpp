#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The quantities computed from measurements. A Quantity is an entry of a table that a method and the traits of a model
/// choose. A primary quantity has one value a sample, from the integers that were measured of it. A derived one is a
/// function of the means of primary quantities over samples.
namespace psflip::analysis {

class Slice;

/// Primary quantities that formulas use. e, m and q are per site; chi_k, chi_k_dis and chi_q_k per site as chi. `a_2`
/// is the mean of a square, `e_a` of a product; of a pair of replicas e is the sum of theirs. `a_x_b` is the product of
/// means of different replicas, which is free of the bias of a square (where a pair of replicas has b, the energy is of
/// a third and counted twice); m_m, chi_k_dis and q are products at the same time where the file has these. `q2_q2` is
/// q_ab^2 q_cd^2 over pairs without a common replica. `bin_a_2` is the square of the mean over a bin. `gap_a` is (a^r -
/// a^s)^2 / 2 of two replicas, whose mean is the variance of the time average of a; `long_gap_a` is gap_a times the
/// length of the bin of the sample in units of that of most (file-format.md, times_longer). chi_k is of the order
/// parameter: the overlap with random bonds, else the magnetization; chi_q_k is of the overlap where the order
/// parameter is the magnetization, chi_m_k of the magnetization where it is the overlap. exchange_rate belongs to the
/// slot and the next hotter one and is NaN in the hottest; round_trip_rate, round trips a sweep of one configuration,
/// is NaN in all but the coldest. flow_cold and flow_hot are the parts of the measurements in which the configuration
/// of the slot had visited the coldest or the hottest slot last.
#define PSFLIP_PRIMARIES(X)                                                                                          \
  X(e), X(e_2), X(e_x_e), X(m), X(m_abs), X(m2), X(m4), X(m_m), X(m2_x_m2), X(chi_k), X(chi_k_dis), X(q), X(q_abs),  \
      X(q2), X(q4), X(q2_q2), X(chi_q_k), X(e_m2), X(e_m4), X(e_chi_k), X(e_x_m2), X(e_x_m4), X(e_x_chi_k), X(e_q2), \
      X(e_q4), X(e_x_q2), X(e_x_q4), X(bin_e_2), X(bin_m_abs_2), X(bin_m2_2), X(gap_e), X(gap_m), X(gap_m2),         \
      X(gap_q2), X(long_gap_e), X(long_gap_m), X(long_gap_m2), X(long_gap_q2), X(exchange_rate), X(round_trip_rate), \
      X(flow_cold), X(flow_hot), X(chi_m_k)

namespace primary {
enum Id : std::size_t {
#define PSFLIP_ENUMERATOR(name) name
  PSFLIP_PRIMARIES(PSFLIP_ENUMERATOR),
#undef PSFLIP_ENUMERATOR
  count
};
}  // namespace primary

inline constexpr std::array<std::string_view, primary::count> primary_names = {
#define PSFLIP_NAME(name) #name
    PSFLIP_PRIMARIES(PSFLIP_NAME)
#undef PSFLIP_NAME
};
#undef PSFLIP_PRIMARIES

/// Where the primary quantities of formulas stand among the sums of an ensemble; -1: the ensemble lacks one.
struct Columns {
  std::array<Eigen::Index, primary::count> index;

  explicit Columns(const std::vector<std::string>& names) {
    index.fill(-1);
    for (std::size_t column = 0; column < names.size(); ++column)
      for (std::size_t id = 0; id < primary::count; ++id)
        if (primary_names[id] == names[column]) index[id] = static_cast<Eigen::Index>(column);
  }
};

/// Numbers of a job that enter formulas next to the means of its sums.
struct JobNumbers {
  int L;
  double sites, beta;
  double bin_sweeps;  ///< length of the last bin; 0 without bins
};

/// Means of the primary quantities with the numbers of the job.
struct Means : JobNumbers {
  const Columns& columns;
  const Eigen::VectorXd& values;

  /// Throws std::out_of_range if the ensemble lacks the quantity.
  double operator[](primary::Id id) const {
    if (columns.index[id] < 0) throw std::out_of_range("no quantity " + std::string(primary_names[id]));
    return values[columns.index[id]];
  }
};

using Measurement = Eigen::ArrayXd (*)(const Slice& slice);  ///< one value a sample
using Formula = double (*)(const Means& mean);

/// One entry of a table.
struct Quantity {
  std::string name;
  std::string label;                  ///< for figures, TeX; "": a primary quantity that is no observable
  Measurement measurement = nullptr;  ///< of a primary quantity
  Formula formula = nullptr;          ///< of a derived one; an observable without is the mean of the primary quantity
  std::string tau = {};               ///< name of the autocorrelation time that governs it; "": none
  bool odd_powers_of_m = false;       ///< depends on how often m is positive and how often negative

  bool is_primary() const { return measurement != nullptr; }
  bool is_observable() const { return !label.empty(); }

  Quantity governed_by(std::string autocorrelation_time) const {
    Quantity result = *this;
    result.tau = std::move(autocorrelation_time);
    return result;
  }
};

/// An observable that is the mean of a primary quantity.
inline Quantity measured(std::string_view name, std::string label, Measurement measurement) {
  return {std::string(name), std::move(label), measurement};
}
inline Quantity measured(primary::Id id, std::string label, Measurement measurement) {
  return measured(primary_names[id], std::move(label), measurement);
}

/// A primary quantity that only enters formulas.
inline Quantity hidden(primary::Id id, Measurement measurement) { return measured(id, "", measurement); }

/// Adds the entries of a part of a table.
inline void append(std::vector<Quantity>& table, std::vector<Quantity> part) {
  for (Quantity& one : part) table.push_back(std::move(one));
}

/// An observable that is a function of means.
inline Quantity derived(std::string name, std::string label, Formula formula) {
  return {std::move(name), std::move(label), nullptr, formula};
}

}  // namespace psflip::analysis
