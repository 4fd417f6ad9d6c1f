#include "engine/laboratory/bands/winding.hpp"

#include <cstdlib>
#include <numeric>

#include "engine/laboratory/ising2d/blocks.hpp"

namespace psflip::laboratory {

namespace {

struct Vector {
  int x = 0, y = 0;
  bool is_zero() const { return x == 0 && y == 0; }
};

constexpr int outside = -1;  ///< of every cluster so far

/// Visits the clusters one after another. A site has the coordinates of the path by which it was reached, without the
/// periodic boundary; a second path to it that ends elsewhere winds around the torus.
class Clusters {
 public:
  Clusters(const std::vector<std::int8_t>& spins, int L)
      : spins_(spins), L_(L), cluster_(spins.size(), outside), position_(spins.size()) {}

  BandState state() {
    Vector along;
    for (std::size_t start = 0; start < spins_.size(); ++start) {
      if (cluster_[start] != outside) continue;
      const Vector winding = visit(start);
      if (spans_) return BandState::ground;
      if (!winding.is_zero()) along = winding;
    }
    if (along.is_zero()) return BandState::undecided;
    const int common = std::gcd(along.x, along.y), x = std::abs(along.x / common), y = std::abs(along.y / common);
    if (x == 0 || y == 0) return BandState::straight;
    return x == 1 && y == 1 ? BandState::diagonal : BandState::other;
  }

 private:
  /// The vector around which the cluster of `start` winds, zero if it does not; sets spans_ if there are two.
  Vector visit(std::size_t start) {
    Vector winding;
    const int number = static_cast<int>(start);
    cluster_[start] = number;
    position_[start] = {static_cast<int>(start) % L_, static_cast<int>(start) / L_};
    pending_.assign(1, start);
    while (!pending_.empty()) {
      const std::size_t site = pending_.back();
      pending_.pop_back();
      const auto x = static_cast<int>(site) % L_, y = static_cast<int>(site) / L_;
      for (const Vector step : {Vector{1, 0}, Vector{-1, 0}, Vector{0, 1}, Vector{0, -1}}) {
        const std::size_t other = site_index(around(x, step.x, L_), around(y, step.y, L_), L_);
        if (spins_[other] != spins_[site]) continue;
        const Vector next = {position_[site].x + step.x, position_[site].y + step.y};
        if (cluster_[other] == outside) {
          cluster_[other] = number;
          position_[other] = next;
          pending_.push_back(other);
          continue;
        }
        const Vector loop = {(next.x - position_[other].x) / L_, (next.y - position_[other].y) / L_};
        if (loop.is_zero()) continue;
        if (winding.is_zero()) winding = loop;
        if (winding.x * loop.y != winding.y * loop.x) spans_ = true;
      }
    }
    return winding;
  }

  const std::vector<std::int8_t>& spins_;
  int L_;
  std::vector<int> cluster_;
  std::vector<Vector> position_;
  std::vector<std::size_t> pending_;
  bool spans_ = false;
};

}  // namespace

BandState band_state(const std::vector<std::int8_t>& spins, int L) { return Clusters(spins, L).state(); }

}  // namespace psflip::laboratory
