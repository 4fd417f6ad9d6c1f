#include "first_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace psflip::exact {

UpdatedSite updated_site(int D, double p, double J, double h, double beta) {
  UpdatedSite sum{0, 0};
  double binomial = 1;
  for (int n = 0; n <= 2 * D; ++n) {
    const double weight = binomial * std::pow(p, 2 * D - n) * std::pow(1 - p, n) / 2;
    for (const int f : {0, 1}) {
      const double flip = std::min(1.0, std::exp(-beta * (4 * J * (D - n) + 2 * h * (1 - 2 * f))));
      sum.satisfaction += weight * (D - n) / D * (1 - 2 * flip);
      sum.alignment += weight * (1 - 2 * f) * (1 - 2 * flip);
    }
    binomial *= double(2 * D - n) / (n + 1);
  }
  return sum;
}

}  // namespace psflip::exact
