#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/laboratory/heisenberg/tile.hpp"

/// The 2D Heisenberg model, H = -sum s s' over bonds of a periodic square lattice, by Metropolis in the order of the
/// double checkerboard of Weigel, J. Comput. Phys. 231, 3064 (2012), section 4.
namespace psflip::laboratory {

struct HeisenbergPlan {
  int L = 0, tile = 0, hits = 1;  ///< `tile` is even and divides L an even number of times
  double beta = 1;
  double cap = 2;  ///< below 2: proposals in a cone, 1 - cosine up to `cap`; 2: uniform proposals
  std::uint32_t seed = 1;

  bool has_cone() const { return cap < 2; }
};

/// Sums over all sites, in double whatever the spins are.
struct SpinSums {
  double energy = 0;  ///< -sum s s' over bonds
  double x = 0, y = 0, z = 0;
  double deviation = 0;  ///< sum of | |s| - 1 |

  PSFLIP_HD void add(const SpinSums& o) {
    energy += o.energy;
    x += o.x;
    y += o.y;
    z += o.z;
    deviation += o.deviation;
  }
};

/// A lattice in the memory of its device, from random directions.
class HeisenbergLattice {
 public:
  HeisenbergLattice() = default;
  HeisenbergLattice(const HeisenbergLattice&) = delete;
  HeisenbergLattice& operator=(const HeisenbergLattice&) = delete;
  virtual ~HeisenbergLattice() = default;

  /// A round tries every spin `hits` times: the tiles of one parity, then those of the other.
  virtual void advance(std::uint64_t rounds) = 0;
  virtual SpinSums sums() const = 0;
  /// x, y, z of every site.
  virtual std::vector<double> spins() const = 0;
  /// Proposals that were accepted, as a fraction; 0 where they are not counted.
  virtual double acceptance() const { return 0; }
};

/// How spins and functions are computed: "double" and "float" with polynomials, the same bits on CPU and GPU;
/// "double_library" and "float_library" with the C library or CUDA; "float_fast" with intrinsic functions of a GPU.
const std::vector<std::string>& precision_names();
inline constexpr const char* gpu_precision = "float_fast";

/// Bytes of a component of a spin.
int bytes_of_real(const std::string& precision);
/// Of a tile with its boundary.
std::size_t bytes_of_tile(const std::string& precision, int tile);

/// On one thread of the CPU. std::invalid_argument for a plan or a precision that there is not.
std::unique_ptr<HeisenbergLattice> make_heisenberg(const std::string& precision, const HeisenbergPlan& plan);

/// std::invalid_argument for a plan that has no double checkerboard.
void require_plan(const HeisenbergPlan& plan);

/// The cap of a cone whose proposals are accepted with a probability of about 1/2; 2 if uniform proposals are accepted
/// more often. From a lattice of 64 x 64 spins in double on the CPU.
double tuned_cap(double beta);

/// The random start of site x + L y.
template <class Math, class Real = typename Math::Real>
PSFLIP_HD Vector3<Real> start_of_site(const Key& key, std::uint32_t site) {
  const Four<std::uint32_t> numbers = numbers_of_visit(key, site, 0);
  return uniform_direction<Math>(numbers.x[0], numbers.x[1]);
}

/// The summands of one site.
template <class Real>
PSFLIP_HD SpinSums sums_of_site(const SpinArrays<Real>& lattice, int x, int y) {
  const auto L = static_cast<std::size_t>(lattice.L);
  const std::size_t row = static_cast<std::size_t>(y) * L, at = row + static_cast<std::size_t>(x);
  const std::size_t east = x + 1 == lattice.L ? row : at + 1, south = y + 1 == lattice.L ? at - row : at + L;
  const double sx = lattice.x[at], sy = lattice.y[at], sz = lattice.z[at];
  const double fx = double{lattice.x[east]} + double{lattice.x[south]};
  const double fy = double{lattice.y[east]} + double{lattice.y[south]};
  const double fz = double{lattice.z[east]} + double{lattice.z[south]};
  return {-fused(sz, fz, fused(sy, fy, sx * fx)), sx, sy, sz,
          std::abs(std::sqrt(fused(sz, sz, fused(sy, sy, sx * sx))) - 1)};
}

}  // namespace psflip::laboratory
