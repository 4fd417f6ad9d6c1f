#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "cuda_on_cpu.hpp"
// after the definitions that it uses
#include "engine/cuda/multi_gpu/halo_kernels.cuh"
#include "engine/cuda/sweep/half_sweep/slab_sweeps.hpp"
#include "engine/driver/part_engine.hpp"

/// Lattices whose kernels the emulator runs: the work of engine/cuda/lattice without a GPU.
namespace psflip::cuda {

using Words32 = std::vector<std::uint32_t>;

/// Every launch has another seed and with it another order of threads.
inline std::uint32_t next_seed() {
  static std::uint32_t seed = 1;
  return seed += 1000;
}

inline std::uint32_t blocks_for(std::size_t items, std::uint32_t threads) {
  return static_cast<std::uint32_t>((items + threads - 1) / threads);
}

template <class Body>
void launch(emulated::Index grid, std::uint32_t threads, const Body& body, std::uint32_t rows = 1,
            std::size_t shared_words = 1) {
  grid.y = std::max(grid.y, 1u);
  grid.z = std::max(grid.z, 1u);
  emulated::run_grid(grid, threads, rows, next_seed(), body, shared_words);
}

/// All planes of the lattices of a System, or some: half sweeps, the messages of some planes, and the integers.
class EmulatedLattices {
 public:
  virtual ~EmulatedLattices() = default;
  /// A half sweep of full lattices.
  virtual void update_all(std::uint32_t half_sweep) = 0;
  /// `count` half sweeps of full lattices by the kernel that keeps them in shared memory, if the lattices have one.
  virtual void update_all_in_shared_memory(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t h = first; h != first + count; ++h) update_all(h);
  }
  /// Half sweeps of some planes between two exchanges. `boundary_first`: order of two steps that a GPU does at the same
  /// time.
  virtual void update_slab(std::uint32_t first, std::uint32_t count, bool boundary_first) = 0;
  /// Launches of slab_sweeps_kernel, one for each group of replicas, which a test runs together with those of the
  /// other slabs.
  virtual std::vector<std::function<void()>> slab_launches(std::uint32_t /*first*/, std::uint32_t /*count*/,
                                                           const SlabNeighbours&) {
    return {};
  }
  virtual PlaneMemory memory() = 0;
  virtual Observation observe() = 0;
  /// +1 or -1
  virtual int spin(std::uint64_t sample, std::uint32_t replica, std::uint32_t x, std::uint32_t y,
                   std::uint32_t own_plane) const = 0;

  Words32 messages(std::uint32_t parity) {
    Words32 both(2 * memory().in_message());
    launch({blocks_for(both.size(), 256)}, 256, [&] { gather_planes_kernel(memory(), parity, both.data()); });
    return both;
  }
  void accept(std::uint32_t parity, const Words32& both) {
    launch({blocks_for(both.size(), 256)}, 256, [&] { scatter_planes_kernel(memory(), parity, both.data()); });
  }
};

/// At half sweep 0. Samples of any member of the family, or sites.
std::unique_ptr<EmulatedLattices> emulated_samples(const System& system, const Planes& planes);
/// `ghosts`: rows on either side.
std::unique_ptr<EmulatedLattices> emulated_sites(const System& system, const Planes& rows, std::uint32_t ghosts);

}  // namespace psflip::cuda
