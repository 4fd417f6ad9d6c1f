#include "analysis/critical/critical.hpp"

#include <stdexcept>

namespace psflip::analysis {
namespace {

/// Appends the results of a fit; a fit that the data do not allow has none.
template <class Fit>
void append(std::vector<CriticalRow>& rows, const Fit& fit) {
  try {
    const std::vector<CriticalRow> some = fit();
    rows.insert(rows.end(), some.begin(), some.end());
  } catch (const std::domain_error&) {
    // the table has no such row
  }
}

}  // namespace

std::vector<CriticalRow> critical_table(const ScalingData& data, const CriticalOptions& options) {
  std::vector<double> omegas = options.omegas;
  omegas.push_back(statistics::unknown);
  std::vector<CriticalRow> rows;
  for (const double R_xi : options.R_xi_values) {
    for (const std::string cumulant : {"U4", "U22"})
      append(rows, [&] { return cumulant_crossings(data, cumulant, R_xi, options); });
    for (const int L_min : data.sizes())
      for (const double omega : omegas) append(rows, [&] { return powers_at(data, R_xi, L_min, omega, options); });
    for (const std::string cumulants : {"U4", "U22", "U4+U22"})
      for (const int L_min : data.sizes())
        for (const double omega : omegas)
          append(rows, [&] { return joint_fit(data, cumulants, R_xi, L_min, omega, options); });
  }
  CriticalOptions one = options;
  for (const int degree : options.degrees) {
    one.degrees = {degree};
    for (const std::string cumulants : {"U4", "U22", "U4+U22"})
      for (const double xi_min : options.xi_mins)
        for (const double omega : omegas)
          append(rows, [&] { return fit_together(data, cumulants, xi_min, omega, one); });
  }
  return rows;
}

}  // namespace psflip::analysis
