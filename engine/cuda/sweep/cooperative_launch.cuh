#pragma once
#include <utility>

#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/sweep/cubic_shape.hpp"

/// Launches of kernels whose thread blocks wait for each other.
namespace psflip::cuda {

/// Lattice sizes L for which a decision has specialized kernels.
template <class Decision>
struct KnownSizes {
  using persistent = std::integer_sequence<int>;  ///< in shared memory
  using temporal = std::integer_sequence<int>;    ///< larger sizes, by temporal blocking
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
