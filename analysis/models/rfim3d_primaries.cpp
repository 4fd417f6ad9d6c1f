#include "analysis/models/rfim3d.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "analysis/ensemble/fields.hpp"
#include "analysis/models/primaries.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {
namespace {

using Sets = std::array<Eigen::ArrayXd, 2>;  ///< one value a sample for each of the two sets

class Rfim3dFile {
 public:
  explicit Rfim3dFile(const io::LabelledFile& file)
      : file_(file),
        J_(file.real("J")),
        h_(file.real("h")),
        sites_(std::pow(static_cast<double>(file.integer("L")), 3)),
        bins_(io::size(file.axis("bin").values)),
        samples_(io::size(file.axis("sample").values)),
        slots_(io::size(file.axis("temperature").values)),
        measurements_(field<std::int64_t>(file, "measurements", {"bin"})),
        last_sweeps_(file.values<std::int64_t>("bin")),
        times_longer_(lengths_of(file, samples_)) {}

  /// [sample][primary] of a slot and a bin.
  Eigen::MatrixXd operator()(std::size_t slot, std::size_t bin) const {
    using namespace rfim3d;
    const double N = sites_, N4 = std::pow(N, 4), k = 1024.0 * 3 * N;
    const auto per_set = [&](const char* name, double unit) { return of_sets(name, slot, bin, unit); };
    const auto per_pair = [&](const char* name, double unit) { return of_pair(name, slot, bin, unit); };
    const Sets energies = with_energy("bond_sum", "field_sum", slot, bin, 1),
               magnetizations = per_set("magnetization", N);
    const Sets squares = per_set("magnetization_2", N * N), fourths = per_set("magnetization_4", N4);
    const Sets waves = per_set("magnetization_k2", k);
    Eigen::MatrixXd values(static_cast<Eigen::Index>(samples_), static_cast<Eigen::Index>(primary_count));
    values.col(e) = mean(energies);
    values.col(e_2) = mean_square_energy(slot, bin);
    values.col(e_x_e) = energies[0] * energies[1];
    values.col(m) = mean(magnetizations);
    values.col(m_abs) = mean(per_set("abs_magnetization", N));
    values.col(m2) = mean(squares);
    values.col(m4) = mean(fourths);
    values.col(m_m) = per_pair("magnetization_product", N * N);
    values.col(m2_x_m2) = squares[0] * squares[1];
    values.col(chi_k) = mean(waves);
    values.col(chi_k_dis) = per_pair("magnetization_k_product", k);
    values.col(q) = per_pair("overlap", N);
    values.col(q2) = per_pair("overlap_2", N * N);
    values.col(q4) = per_pair("overlap_4", N4);
    values.col(gap_e) = gap(energies);
    values.col(gap_m) = gap(magnetizations);
    values.col(gap_m2) = gap(squares);
    for (const auto& [longer, plain] : {std::pair{long_gap_e, gap_e}, {long_gap_m, gap_m}, {long_gap_m2, gap_m2}})
      values.col(longer) = values.col(plain).array() * times_longer_;
    values.col(exchange_rate) = exchanges(slot, bin);
    values.col(round_trip_rate) = round_trips(slot, bin);
    values.col(e_m2) = mean(with_energy("bond_magnetization_2", "field_magnetization_2", slot, bin, N * N));
    values.col(e_m4) = mean(with_energy("bond_magnetization_4", "field_magnetization_4", slot, bin, N4));
    values.col(e_chi_k) = mean(with_energy("bond_magnetization_k2", "field_magnetization_k2", slot, bin, k));
    values.col(e_x_m2) = crossed(energies, squares);
    values.col(e_x_m4) = crossed(energies, fourths);
    values.col(e_x_chi_k) = crossed(energies, waves);
    return values;
  }

 private:
  /// How many times as long as most each sample was simulated.
  static Eigen::ArrayXd lengths_of(const io::LabelledFile& file, std::size_t samples) {
    const auto count = static_cast<Eigen::Index>(samples);
    if (!file.attributes.contains("longer_packs")) return Eigen::ArrayXd::Ones(count);
    const auto& times = field<std::int64_t>(file, "times_longer", {"sample"});
    return Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>(times.data(), count).cast<double>();
  }

  Eigen::ArrayXd of_pair(const char* name, std::size_t slot, std::size_t bin, double unit) const {
    const auto& sums = field<double>(file_, name, {"temperature", "bin", "sample"});
    return Eigen::Map<const Eigen::ArrayXd>(sums.data() + (slot * bins_ + bin) * samples_,
                                            static_cast<Eigen::Index>(samples_)) /
           (static_cast<double>(measurements_[bin]) * unit * times_longer_);
  }

  Sets of_sets(const char* name, std::size_t slot, std::size_t bin, double unit) const {
    const auto& sums = field<double>(file_, name, {"temperature", "bin", "sample", "set"});
    return split(sums.data() + (slot * bins_ + bin) * samples_ * 2, static_cast<double>(measurements_[bin]) * unit);
  }

  /// Means of -(J b + h f) / N / unit from the sums of b and f, which are B and F or products with them.
  Sets with_energy(const char* bond, const char* spin, std::size_t slot, std::size_t bin, double unit) const {
    const Sets b = of_sets(bond, slot, bin, sites_ * unit), f = of_sets(spin, slot, bin, sites_ * unit);
    return {-(J_ * b[0] + h_ * f[0]), -(J_ * b[1] + h_ * f[1])};
  }

  Eigen::ArrayXd mean_square_energy(std::size_t slot, std::size_t bin) const {
    const double unit = sites_ * sites_;
    return J_ * J_ * mean(of_sets("bond_sum_2", slot, bin, unit)) +
           2 * J_ * h_ * mean(of_sets("bond_field", slot, bin, unit)) +
           h_ * h_ * mean(of_sets("field_sum_2", slot, bin, unit));
  }

  /// Accepted part of the attempts to exchange the slot with the next hotter one; NaN for the hottest.
  Eigen::ArrayXd exchanges(std::size_t slot, std::size_t bin) const {
    if (slot + 1 == slots_) return unknowns();
    const auto& made = field<std::int32_t>(file_, "exchange_accepted", {"bin", "exchange_pair", "sample", "set"});
    const auto& tried = field<std::int64_t>(file_, "exchange_attempts", {"bin", "exchange_pair"});
    const std::size_t pair = bin * (slots_ - 1) + slot;
    return mean(split(made.data() + pair * samples_ * 2, static_cast<double>(tried[pair])));
  }

  /// Round trips a sweep of one configuration, in the coldest slot; NaN in all others.
  Eigen::ArrayXd round_trips(std::size_t slot, std::size_t bin) const {
    if (slot > 0) return unknowns();
    const auto& trips = field<std::int32_t>(file_, "round_trips", {"bin", "sample", "set"});
    const auto sweeps = static_cast<double>(last_sweeps_[bin] - (bin > 0 ? last_sweeps_[bin - 1] : 0));
    return mean(split(trips.data() + bin * samples_ * 2, sweeps * static_cast<double>(slots_)));
  }

  Eigen::ArrayXd unknowns() const {
    return Eigen::ArrayXd::Constant(static_cast<Eigen::Index>(samples_), statistics::unknown);
  }

  template <class T>
  Sets split(const T* sums, double divisor) const {
    using Pairs = Eigen::Map<const Eigen::Array<T, 2, Eigen::Dynamic>>;
    const Eigen::ArrayXXd both = Pairs(sums, 2, static_cast<Eigen::Index>(samples_)).template cast<double>() / divisor;
    return {both.row(0).transpose() / times_longer_, both.row(1).transpose() / times_longer_};
  }

  static Eigen::ArrayXd mean(const Sets& a) { return 0.5 * (a[0] + a[1]); }
  static Eigen::ArrayXd gap(const Sets& a) { return 0.5 * (a[0] - a[1]).square(); }
  static Eigen::ArrayXd crossed(const Sets& a, const Sets& b) { return 0.5 * (a[0] * b[1] + a[1] * b[0]); }

  const io::LabelledFile& file_;
  double J_, h_, sites_;
  std::size_t bins_, samples_, slots_;
  const std::vector<std::int64_t>& measurements_;
  const std::vector<std::int64_t>& last_sweeps_;  ///< of the bins
  Eigen::ArrayXd times_longer_;                   ///< [sample]
};

}  // namespace

Primaries rfim3d_primaries(const io::LabelledFile& file) {
  Primaries primaries;
  primaries.names = rfim3d::primary_names();
  primaries.values = Rfim3dFile(file);
  return primaries;
}

}  // namespace psflip::analysis
