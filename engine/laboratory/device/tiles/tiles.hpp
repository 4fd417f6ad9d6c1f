#pragma once
#include <memory>

#include "engine/laboratory/multi_hit/multi_hit.hpp"

/// The double checkerboard on the GPU: the bits of TiledFerromagnet with the same generator and seed.
namespace psflip::laboratory::device {

/// Energy in units of J and magnetization of a lattice.
struct TileSums {
  std::int64_t energy = 0, magnetization = 0;
};

/// A lattice of tiles in the memory of the GPU.
class DeviceTiles {
 public:
  DeviceTiles() = default;
  DeviceTiles(const DeviceTiles&) = delete;
  DeviceTiles& operator=(const DeviceTiles&) = delete;
  virtual ~DeviceTiles() = default;

  /// Tries all sites of the tiles of one parity `hits` times. Measured energies are right after tracked updates only.
  virtual void update(int parity, int hits, bool tracked = true) = 0;
  /// Energy and magnetization become measurement `index`, without a wait for the GPU.
  virtual void measure(std::size_t index, bool with_magnetization) = 0;
  /// The first `count` measurements; none is left.
  virtual std::vector<TileSums> take(std::size_t count) = 0;
  virtual std::vector<std::int8_t> spins() const = 0;
};

/// Of a plan; `spins` by site x + L (y + L z), and room for `measurements`.
std::unique_ptr<DeviceTiles> make_tiles(const MultiHitPlan& plan, const std::vector<std::int8_t>& spins,
                                        std::size_t measurements);

/// Bytes of shared memory that the block of a tile needs, and most bytes that this GPU has for a block.
std::size_t tile_shared_bytes(const Preset& preset, int tile, const std::string& generator);
std::size_t most_tile_shared_bytes();
/// Bytes of GPU memory for a lattice with its generator and measurements, and those that are free.
double free_tile_bytes();
double tile_bytes(const Preset& preset, int L, int tile, const std::string& generator);

/// As run_tiles() and time_tracking() on the CPU. `seconds` of the series are those of as many rounds with the energy
/// of each flip and its sum, from time_tracking().
MultiHitSeries run_tiles(const MultiHitPlan& plan);
TrackingTimes time_tracking(const MultiHitPlan& plan, double seconds);

}  // namespace psflip::laboratory::device
