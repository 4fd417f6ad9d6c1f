#include <cmath>

#include "analysis/ensemble/fields.hpp"
#include "analysis/models/ising2d.hpp"
#include "analysis/models/primaries.hpp"

namespace psflip::analysis {

Primaries ising2d_primaries(const io::LabelledFile& file) {
  using namespace ising2d;
  const double sites = std::pow(static_cast<double>(file.integer("L")), 2);
  const std::size_t samples = io::size(file.axis("sample").values), bins = io::size(file.axis("bin").values);
  const std::vector<std::int64_t>& measurements = field<std::int64_t>(file, "measurements", {"bin"});
  const auto sums = [&](const char* name) {
    return field<double>(file, name, {"temperature", "bin", "sample"}).data();
  };
  const double* bond_sum = sums("bond_sum");
  const double* bond_sum_2 = sums("bond_sum_2");
  const double* abs_magnetization = sums("abs_magnetization");
  const double* magnetization_2 = sums("magnetization_2");
  const double* magnetization_4 = sums("magnetization_4");
  const double* magnetization_k2 = sums("magnetization_k2");
  Primaries primaries;
  primaries.names = {"e", "e_2", "m_abs", "m2", "m4", "chi_k", "bin_e_2", "bin_m_abs_2", "bin_m2_2"};
  primaries.values = [=](std::size_t t, std::size_t bin) {
    const auto at = [&](const double* values) {
      return Eigen::Map<const Eigen::ArrayXd>(values + (t * bins + bin) * samples, static_cast<Eigen::Index>(samples)) /
             static_cast<double>(measurements[bin]);
    };
    Eigen::MatrixXd values(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(primary_count));
    values.col(e) = -at(bond_sum) / sites;
    values.col(e_2) = at(bond_sum_2) / (sites * sites);
    values.col(m_abs) = at(abs_magnetization) / sites;
    values.col(m2) = at(magnetization_2) / std::pow(sites, 2);
    values.col(m4) = at(magnetization_4) / std::pow(sites, 4);
    values.col(chi_k) = at(magnetization_k2) / (1024.0 * 2 * sites);
    values.col(bin_e_2) = values.col(e).array().square();
    values.col(bin_m_abs_2) = values.col(m_abs).array().square();
    values.col(bin_m2_2) = values.col(m2).array().square();
    return values;
  };
  return primaries;
}

}  // namespace psflip::analysis
