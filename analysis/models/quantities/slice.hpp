#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/models/quantities/replicas.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {

/// The file lacks the data of a quantity, so the quantity is left out.
struct NotMeasured : UserError {
  using UserError::UserError;
};

/// The measurements of all samples at one temperature and moment of a measurement file, which must outlive it. All
/// members throw UserError if a dataset has other axes, NotMeasured if it is missing or holds no pairs.
class Slice {
 public:
  Slice(const io::LabelledFile& file, std::size_t temperature, std::size_t moment);

  double sites() const { return sites_; }
  double bonds() const { return preset_.dimension * sites_; }
  /// Of a Fourier component squared, summed over axes: makes it the mean over axes per site.
  double wave_unit() const { return 1024 * bonds(); }
  bool has(const std::string& dataset) const { return file_.has_dataset(dataset); }

  /// Values of a dataset in units of `unit`: relaxation: of the replicas or pairs at the time; else their means over
  /// the measurements of the bin. One member where the dataset has no axis of replicas, sets or pairs.
  Members members(const std::string& dataset, double unit = 1) const;

  /// Energies per site of the replicas, -(J B + h F) / N. With `factor`, such as magnetization_2: of the products of B
  /// and F with it, in units of `unit`.
  Members energies(const std::string& factor = "", double unit = 1) const;
  /// Energy per site, mean over replicas, rounded once for each integer.
  Eigen::ArrayXd mean_energy() const;
  /// Mean over a bin and over replicas of the square of the energy per site.
  Eigen::ArrayXd mean_square_energy() const;

  /// Accepted part of the attempts to exchange the slot with the next hotter one; NaN for the hottest.
  Eigen::ArrayXd exchange_rate() const;
  /// Round trips a sweep of one configuration, in the coldest slot; NaN in all others.
  Eigen::ArrayXd round_trip_rate() const;
  /// Density of q = Q / N at one bin of its histogram, all pairs of replicas together: sum over the N + 1 values of q
  /// of density times 2 / N is 1. NaN but in the last bin of time. Throws NotMeasured if the histogram has no such bin.
  Eigen::ArrayXd overlap_density(std::size_t bin) const;
  /// How many times as long as most each sample was simulated.
  const Eigen::ArrayXd& times_longer() const { return times_longer_; }

 private:
  /// Row number `row` of a dataset over the axes `leading`, sample and perhaps members, as numbers.
  Members values(const std::string& dataset, const std::vector<std::string>& leading, std::size_t row) const;
  /// Dataset of the sum of the field energy; a uniform field has that of the magnetization.
  std::string field_sum() const { return preset_.has_random_field() ? "field_sum" : "magnetization"; }
  bool has_field() const { return preset_.has_random_field() || h_ != 0; }
  template <class Values>
  Values energy(const Values& bonds, const Values& field) const {
    return -(J_ * bonds + h_ * field);
  }
  Eigen::ArrayXd unknowns() const;

  const io::LabelledFile& file_;
  const Preset& preset_;
  Method method_;
  std::size_t temperature_, moment_;
  double J_, h_, sites_;
  Eigen::Index samples_;
  Eigen::ArrayXd times_longer_;  ///< [sample]
};

}  // namespace psflip::analysis
