#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/laboratory/multi_hit/site.hpp"

/// The double checkerboard of Weigel, J. Comput. Phys. 231, 3064 (2012), section 3.2, on a CPU: the lattice is a
/// checkerboard of tiles, and each tile is a checkerboard of sites. A tile is copied with its boundary, its sites are
/// tried several times, and it is copied back (multi-hit).
namespace psflip::laboratory {

/// Which number an update takes: `thread` of a GPU as the paper counts them, each of which has two sites of every tile
/// of both parities that its block updates.
struct Visit {
  std::size_t block;   ///< index of the tile among those of its parity
  std::size_t thread;  ///< block T^D / 2 + number of the pair of sites within the tile
};

/// Periodic lattice of D dimensions, H = -sum s s. Every visit takes a number.
template <int D>
class TiledFerromagnet {
 public:
  /// `tile` is even and divides L an even number of times; spins are +1 and -1 by site x + L (y + L z).
  TiledFerromagnet(int L, int tile, std::vector<std::int8_t> spins, const FlipThresholds<D>& thresholds)
      : L_(L),
        tile_(tile),
        tiles_(L / tile),
        spins_(std::move(spins)),
        thresholds_(thresholds),
        local_(power(tile + 2)) {
    energy_ = counted_energy();
  }

  /// Tries all sites of the tiles of one parity `hits` times. energy() is right after TRACKED updates only.
  template <bool TRACKED = true, class Numbers>
  void update(int parity, int hits, Numbers& numbers) {
    const int depth = D == 3 ? tiles_ : 1;
    for (int z = 0; z < depth; ++z)
      for (int y = 0; y < tiles_; ++y)
        for (int x = (y + z + parity) % 2; x < tiles_; x += 2) update_tile<TRACKED>({x, y, z}, hits, numbers);
  }

  /// From each flip, in units of J.
  std::int64_t energy() const { return energy_; }
  std::int64_t counted_energy() const {
    std::int64_t sum = 0;
    const int depth = D == 3 ? L_ : 1;
    for (int z = 0; z < depth; ++z)
      for (int y = 0; y < L_; ++y)
        for (int x = 0; x < L_; ++x) {
          int forward = spins_[site(x + 1, y, z)] + spins_[site(x, y + 1, z)];
          if (D == 3) forward += spins_[site(x, y, z + 1)];
          sum -= spins_[site(x, y, z)] * forward;
        }
    return sum;
  }
  std::int64_t magnetization() const { return std::accumulate(spins_.begin(), spins_.end(), std::int64_t{0}); }
  const std::vector<std::int8_t>& spins() const { return spins_; }
  std::size_t threads() const { return blocks() * threads_of_block(); }
  std::size_t threads_of_block() const { return power(tile_) / 2; }
  std::size_t blocks() const { return power(tiles_) / 2; }

 private:
  using Place = std::array<int, 3>;

  static constexpr std::size_t power(int side) {
    std::size_t result = 1;
    for (int i = 0; i < D; ++i) result *= static_cast<std::size_t>(side);
    return result;
  }
  int wrapped(int x) const { return x < 0 ? x + L_ : x >= L_ ? x - L_ : x; }
  std::size_t site(int x, int y, int z) const {
    const auto L = static_cast<std::size_t>(L_);
    const std::size_t plane = D == 3 ? static_cast<std::size_t>(wrapped(z)) : 0;
    return static_cast<std::size_t>(wrapped(x)) + L * (static_cast<std::size_t>(wrapped(y)) + L * plane);
  }
  /// In the copy of a tile, where -1 and `tile` are boundary.
  std::size_t local(int x, int y, int z) const {
    const auto side = static_cast<std::ptrdiff_t>(tile_) + 2;
    const std::ptrdiff_t plane = D == 3 ? z + 1 : 0;
    return static_cast<std::size_t>(x + 1 + side * (y + 1 + side * plane));
  }

  /// Calls f(row of the lattice, row of the copy) for the rows of a tile, and of `boundary` rows around it; both
  /// begin at the first site of the tile.
  template <class F>
  void for_rows(const Place& tile, int boundary, F f) {
    const int low = D == 3 ? -boundary : 0, high = D == 3 ? tile_ + boundary : 1;
    for (int z = low; z < high; ++z)
      for (int y = -boundary; y < tile_ + boundary; ++y)
        f(spins_.begin() + static_cast<std::ptrdiff_t>(site(tile[0] * tile_, tile[1] * tile_ + y, tile[2] * tile_ + z)),
          local_.begin() + static_cast<std::ptrdiff_t>(local(0, y, z)));
  }

  void load(const Place& tile) {
    const int first = tile[0] * tile_;
    const std::ptrdiff_t before = wrapped(first - 1) - first, after = wrapped(first + tile_) - first;
    for_rows(tile, 1, [&](auto row, auto copy) {
      std::copy(row, row + tile_, copy);
      copy[-1] = row[before];
      copy[tile_] = row[after];
    });
  }
  void store(const Place& tile) {
    for_rows(tile, 0, [&](auto row, auto copy) { std::copy(copy, copy + tile_, row); });
  }

  template <bool TRACKED, class Numbers>
  void update_tile(const Place& tile, int hits, Numbers& numbers) {
    const int block_of_row = tile[0] + tiles_ * (tile[1] + tiles_ * tile[2]);
    const auto block = static_cast<std::size_t>(block_of_row / 2);
    load(tile);
    for (int hit = 0; hit < hits; ++hit)
      for (const int parity : {0, 1}) try_sites<TRACKED>(parity, block, numbers);
    store(tile);
  }

  template <bool TRACKED, class Numbers>
  void try_sites(int parity, std::size_t block, Numbers& numbers) {
    // Members are copied, because a store to a byte could change them for all that the compiler knows.
    const int tile = tile_, side = tile + 2, depth = D == 3 ? tile : 1;
    const FlipThresholds<D> thresholds = thresholds_;
    std::size_t thread = block * threads_of_block();
    int change = 0;
    for (int z = 0; z < depth; ++z)
      for (int y = 0; y < tile; ++y) {
        std::int8_t* const row = local_.data() + local(0, y, z);
        for (int x = (y + z + parity) % 2; x < tile; x += 2, ++thread)
          change += try_spin(row + x, side, numbers(Visit{block, thread}), thresholds);
      }
    if (TRACKED) energy_ += change;
  }

  int L_, tile_, tiles_;
  std::vector<std::int8_t> spins_;
  FlipThresholds<D> thresholds_;
  std::vector<std::int8_t> local_;  ///< tile with its boundary
  std::int64_t energy_ = 0;
};

}  // namespace psflip::laboratory
