#pragma once
#include <string>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/layout_kernels.hpp"
#include "engine/laboratory/layouts/glass.hpp"

namespace psflip::laboratory::device {

/// A Glass in the memory of the GPU.
template <class Layout>
class DeviceGlass {
 public:
  explicit DeviceGlass(Glass<Layout>& host);

  GlassView view() const { return view_; }
  void download(Glass<Layout>& host) const;

 private:
  cuda::DeviceArray<std::uint32_t> even_, odd_, couplings_;
  GlassView view_{};
};

/// Spins after `half_sweeps` half sweeps of glass_system() with addressed numbers, as Engine::spins().
template <class Layout>
std::vector<std::int8_t> spins_after(const System& system, std::uint32_t half_sweeps, const Shape& shape);

/// The same with cuRAND's MTGP32, by `blocks` blocks.
template <class Layout>
std::vector<std::int8_t> spins_after_mtgp32(const System& system, std::uint32_t half_sweeps, unsigned blocks,
                                            unsigned threads_per_block);

/// Time of a sweep with the best of several launch shapes.
struct BestTime {
  Shape shape;
  double seconds;
};

/// `generator`: a name of layout_generators() or mtgp32_name; "none": the memory access alone. sites_per_thread of
/// MTGP32 counts the rounds of a block.
template <class Layout>
BestTime time_sweep(const System& system, const std::string& generator, double seconds);

/// Bytes that a copy on the GPU reads and writes in a second.
double copy_bandwidth();

}  // namespace psflip::laboratory::device
