#pragma once
#include <vector>

#include "engine/laboratory/heisenberg/lattice.hpp"

/// The double checkerboard on one thread of the CPU. The loop over the sites of a row becomes vector instructions.
namespace psflip::laboratory {

template <class Math, bool CONE>
class CpuHeisenberg : public HeisenbergLattice {
 public:
  using Real = typename Math::Real;

  explicit CpuHeisenberg(const HeisenbergPlan& plan)
      : plan_(plan),
        keys_(heisenberg_key(plan.seed, Stream::metropolis, plan.L, plan.beta)),
        rule_{static_cast<Real>(plan.beta), static_cast<Real>(plan.cap)},
        copy_(reals_of_tile(plan.tile)) {
    const Key key = heisenberg_key(plan.seed, Stream::initial_spins, plan.L, plan.beta);
    const auto sites = static_cast<std::uint32_t>(plan.L) * static_cast<std::uint32_t>(plan.L);
    for (std::vector<Real>* component : {&x_, &y_, &z_}) component->resize(sites);
    for (std::uint32_t site = 0; site < sites; ++site) {
      const Vector3<Real> spin = start_of_site<Math>(key, site);
      x_[site] = spin.x;
      y_[site] = spin.y;
      z_[site] = spin.z;
    }
  }

  void advance(std::uint64_t rounds) override {
    for (std::uint64_t round = 0; round < rounds; ++round, visit_ += static_cast<std::uint32_t>(plan_.hits))
      for (const int parity : {0, 1})
        for (int y = 0; y < plan_.L / plan_.tile; ++y)
          for (int x = (y + parity) % 2; x < plan_.L / plan_.tile; x += 2) update_tile(x * plan_.tile, y * plan_.tile);
  }

  SpinSums sums() const override {
    SpinSums sums;
    const SpinArrays<const Real> lattice{x_.data(), y_.data(), z_.data(), plan_.L};
    for (int y = 0; y < plan_.L; ++y)
      for (int x = 0; x < plan_.L; ++x) sums.add(sums_of_site(lattice, x, y));
    return sums;
  }

  std::vector<double> spins() const override {
    std::vector<double> all;
    all.reserve(3 * x_.size());
    for (std::size_t site = 0; site < x_.size(); ++site) all.insert(all.end(), {x_[site], y_[site], z_[site]});
    return all;
  }
  double acceptance() const override {
    return static_cast<double>(accepted_) / (static_cast<double>(x_.size()) * visit_);
  }

 private:
  void update_tile(int x, int y) {
    SpinTile<Real> tile{copy_.data(), plan_.tile, x, y};
    for (int row = -1; row <= tile.side; ++row) load_row(tile, row);
    for (int hit = 0; hit < plan_.hits; ++hit) accepted_ += try_all(tile, visit_ + static_cast<std::uint32_t>(hit));
    for (int row = 0; row < tile.side; ++row) store_row(tile, row);
  }

  /// As SpinTile::load() and store(), without a division for each site.
  void load_row(SpinTile<Real>& tile, int row) {
    const int L = plan_.L, side = tile.side;
    const std::size_t first = static_cast<std::size_t>((tile.y + row + L) % L) * static_cast<std::size_t>(L);
    const auto load = [&](int column, int x) {
      const std::size_t from = first + static_cast<std::size_t>(x);
      tile.set(tile.index((row + column) & 1, row, (column + 1) / 2), {x_[from], y_[from], z_[from]});
    };
    load(-1, tile.x == 0 ? L - 1 : tile.x - 1);
    for (int column = 0; column < side; column += 2) {
      load(column, tile.x + column);
      load(column + 1, tile.x + column + 1);
    }
    load(side, tile.x + side == L ? 0 : tile.x + side);
  }
  void store_row(const SpinTile<Real>& tile, int row) {
    const std::size_t first =
        static_cast<std::size_t>(tile.y + row) * static_cast<std::size_t>(plan_.L) + static_cast<std::size_t>(tile.x);
    for (int column = 0; column < tile.side; ++column) {
      const Vector3<Real> spin = tile.at(tile.index((row + column) & 1, row, (column + 1) / 2));
      const std::size_t to = first + static_cast<std::size_t>(column);
      x_[to] = spin.x;
      y_[to] = spin.y;
      z_[to] = spin.z;
    }
  }

  std::uint64_t try_all(SpinTile<Real> tile, std::uint32_t visit) const {
    int accepted = 0;
    for (const int parity : {0, 1})
      for (int row = 0; row < tile.side; ++row)
        accepted += tile.side % 32 == 0 ? try_row<16>(tile, parity, row, visit) : try_row<8>(tile, parity, row, visit);
    return static_cast<std::uint64_t>(accepted);
  }

  /// LANES: sites that are tried together.
  template <int LANES>
  int try_row(SpinTile<Real> tile, int parity, int row, std::uint32_t visit) const {
    const Key keys = keys_;
    const SiteRule<Real> rule = rule_;
    const int L = plan_.L, sites = tile.side / 2;
    int accepted = 0;
#pragma omp simd simdlen(LANES) reduction(+ : accepted)
    for (int j = 0; j < sites; ++j)
      accepted += tile.template try_site<Math, CONE>(parity, row, j, L, visit, keys, rule) ? 1 : 0;
    return accepted;
  }

  HeisenbergPlan plan_;
  Key keys_;
  SiteRule<Real> rule_;
  std::vector<Real> x_, y_, z_, copy_;
  std::uint32_t visit_ = 0;  ///< of every site
  std::uint64_t accepted_ = 0;
};

}  // namespace psflip::laboratory
