#include "engine/laboratory/heisenberg/lattice.hpp"

#include <algorithm>
#include <stdexcept>

#include "engine/laboratory/heisenberg/cpu_tiles.hpp"

namespace psflip::laboratory {

namespace {

template <class Math>
std::unique_ptr<HeisenbergLattice> make(const HeisenbergPlan& plan) {
  if (plan.has_cone()) return std::make_unique<CpuHeisenberg<Math, true>>(plan);
  return std::make_unique<CpuHeisenberg<Math, false>>(plan);
}

}  // namespace

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names = {"double", "float", "double_library", "float_library", gpu_precision};
  return names;
}

int bytes_of_real(const std::string& precision) {
  return static_cast<int>(precision.starts_with("double") ? sizeof(double) : sizeof(float));
}

std::size_t bytes_of_tile(const std::string& precision, int tile) {
  return reals_of_tile(tile) * static_cast<std::size_t>(bytes_of_real(precision));
}

void require_plan(const HeisenbergPlan& plan) {
  if (plan.L < 4 || plan.L > 65536 || plan.tile < 2 || plan.tile % 2 != 0 || plan.L % (2 * plan.tile) != 0 ||
      plan.hits < 1 || !(plan.beta >= 0) || !(plan.cap > 0 && plan.cap <= 2))
    throw std::invalid_argument("no plan of a double checkerboard");
}

std::unique_ptr<HeisenbergLattice> make_heisenberg(const std::string& precision, const HeisenbergPlan& plan) {
  require_plan(plan);
  if (precision == "double") return make<Polynomial<double>>(plan);
  if (precision == "float") return make<Polynomial<float>>(plan);
  if (precision == "double_library") return make<Library<double>>(plan);
  if (precision == "float_library") return make<Library<float>>(plan);
  throw std::invalid_argument(precision + ": no precision of a CPU");
}

double tuned_cap(double beta) {
  constexpr double wanted = 0.5;
  HeisenbergPlan plan{.L = 64, .tile = 32, .hits = 1, .beta = beta, .cap = 2, .seed = 1};
  const auto acceptance = [&](double cap) {
    plan.cap = cap;
    const auto lattice = make_heisenberg("double", plan);
    lattice->advance(100);
    return lattice->acceptance();
  };
  if (acceptance(2) >= wanted) return 2;
  double low = 0, high = 2;
  for (int step = 0; step < 10; ++step) {
    const double middle = (low + high) / 2;
    (acceptance(middle) > wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace psflip::laboratory
