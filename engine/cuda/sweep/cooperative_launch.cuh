#pragma once
#include <tuple>
#include <utility>

#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/device/shared_memory.hpp"
#include "engine/cuda/sweep/cubic_shape.hpp"

/// Launches of kernels whose thread blocks wait for each other.
namespace psflip::cuda {

/// Sizes of a decision without specialized kernels.
struct NoKnownSizes {
  using persistent = std::integer_sequence<int>;  ///< in shared memory
  using plane_blocks = std::tuple<>;              ///< PlaneBlocks: in the shared memory of several thread blocks
  using sublattice_blocks = std::tuple<>;         ///< SublatticeBlocks: the same, divided along y too
  using temporal = std::integer_sequence<int>;    ///< larger sizes, by temporal blocking
  using cold = std::integer_sequence<int>;        ///< those of persistent and temporal with one for low temperatures
};
/// Lattice sizes L for which a decision has specialized kernels. Specializations derive from NoKnownSizes.
template <class Decision>
struct KnownSizes : NoKnownSizes {};

template <int L, int... SIZES>
constexpr bool is_among(std::integer_sequence<int, SIZES...>) {
  return ((L == SIZES) || ...);
}

/// Calls f(decision) for the kernel of size L: the decision for low temperatures where the kernel and the thresholds
/// allow it.
template <int L, class Decision, class F>
void with_known_decision(const Decision& decide, F f) {
  if constexpr (is_among<L>(typename KnownSizes<Decision>::cold{}))
    if (is_cold(decide.thresholds)) return f(decide.cold());
  f(decide);
}

static __global__ void empty_kernel() {}

/// Limits of the GPU and of the code that it runs. Code for older architectures than the GPU, which the driver has
/// translated, lacks kernels with clusters and with more shared memory.
struct DeviceLimits {
  std::size_t shared_bytes;  ///< of a thread block
  bool clusters;

  DeviceLimits() : shared_bytes(most_shared_bytes()), clusters(attribute(cudaDevAttrComputeCapabilityMajor) >= 9) {
    cudaFuncAttributes code{};
    check(cudaFuncGetAttributes(&code, reinterpret_cast<const void*>(empty_kernel)), "architecture of the code");
    if (code.ptxVersion == 0 || code.ptxVersion >= 90) return;
    clusters = false;
    if (shared_bytes > shared_bytes_before_hopper) shared_bytes = shared_bytes_before_hopper;
  }
};

/// Launch configuration with a grid whose thread blocks are all co-resident on the GPU.
struct Launcher {
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t config{};

  Launcher(const CubicShape& shape, std::size_t bytes) {
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {shape.blocks, 1, 1};
    config.blockDim = shape.threads;
    config.dynamicSmemBytes = bytes;
    config.attrs = attributes;
    config.numAttrs = shape.blocks > 1 ? 2 : 1;
    config.gridDim = shape.blocks;
  }

  /// Number of clusters (or single thread blocks) of this kernel that are co-resident.
  template <class Kernel>
  std::uint32_t most_clusters(Kernel kernel, const CubicShape& shape) {
    int count = 0;
    with_shared_memory(kernel, config.dynamicSmemBytes);
    if (shape.blocks > 1) {
      check(cudaOccupancyMaxActiveClusters(&count, kernel, &config), "occupancy");
      return static_cast<std::uint32_t>(count);
    }
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, static_cast<int>(shape.threads),
                                                        config.dynamicSmemBytes),
          "occupancy");
    return static_cast<std::uint32_t>(count * attribute(cudaDevAttrMultiProcessorCount));
  }
};

}  // namespace psflip::cuda
