#pragma once
#include <cstddef>
#include <cstdint>

/// Distribution of a lattice of any dimension over the thread blocks of a cluster and their threads.
namespace psflip::cuda {

inline constexpr std::uint32_t member_block_threads = 512;
inline constexpr std::uint32_t most_member_blocks = 8;  ///< of a portable cluster
/// Places of the queue of a block, for lanes that the bit planes leave undecided: on average at most one in 256.
inline constexpr std::uint32_t member_queue_places = 4096;

/// In this file a plane is a layer of sites perpendicular to the last axis: in two dimensions a row.
struct MemberShape {
  std::uint32_t blocks;    ///< of a cluster; 0: the lattice does not fit
  std::uint32_t planes;    ///< of a block; the last block may have fewer
  std::uint32_t segments;  ///< of each column along the last axis in a block, which a thread updates
  std::uint32_t length;    ///< planes of a segment
  std::uint32_t threads;   ///< of a block, complete warps
  std::uint32_t places = member_queue_places;
};

/// What a thread block can hold, and how many lattices the GPU updates at once.
struct MemberLimits {
  std::size_t shared_bytes;  ///< of a block, without its queues
  std::uint32_t blocks;      ///< of a cluster
  std::uint32_t threads;     ///< of a block
  std::uint32_t lattices;    ///< packs times groups of replicas
  std::uint32_t multiprocessors;
};

/// Blocks of clusters that run at the same time, two on a multiprocessor. A cluster is on multiprocessors of one group
/// (GPC), where some stay free: an H100 takes 30 clusters of eight blocks, 91 % of 264 blocks.
constexpr std::uint32_t blocks_at_once(std::uint32_t multiprocessors) { return 2 * multiprocessors * 7 / 8; }

/// Whether some but not all of the multiprocessors would run two blocks of these clusters, and the others one.
constexpr bool is_uneven(std::uint32_t blocks, std::uint32_t at_once) {
  return 2 * blocks > at_once && 8 * blocks < 7 * at_once;
}

/// The fewest segments of a column that let the threads of a block finish first.
constexpr std::uint32_t segments_of(std::uint32_t columns, std::uint32_t planes, std::uint32_t threads) {
  std::uint32_t best = 1, least = ~0u;
  for (std::uint32_t segments = 1; segments <= planes; ++segments) {
    const std::uint32_t length = (planes + segments - 1) / segments,
                        steps = (columns * segments + threads - 1) / threads * length;
    if (steps < least) {
      best = segments;
      least = steps;
    }
  }
  return best;
}

/// The smallest cluster that holds a lattice, or a larger one as long as a thread has at least two sites and either all
/// clusters run at the same time or those of half the size load the multiprocessors unevenly (then clusters take the
/// lattices in turn). `bytes_of_site`: of a site of one parity and of the other.
constexpr MemberShape member_shape(std::uint32_t dimension, std::uint32_t L, std::size_t bytes_of_site,
                                   const MemberLimits& limits) {
  const std::uint32_t columns = (dimension == 3 ? L : 1) * L / 2;
  MemberShape shape{};
  for (std::uint32_t blocks = 1; blocks <= limits.blocks; blocks *= 2) {
    const std::uint32_t planes = (L + blocks - 1) / blocks;
    if ((blocks - 1) * planes >= L) break;  // the last block would be empty
    if (bytes_of_site * planes * columns > limits.shared_bytes) continue;
    const std::uint32_t at_once_on_gpu = blocks_at_once(limits.multiprocessors);
    const bool all_run = limits.lattices * blocks <= at_once_on_gpu,
               balances_load = shape.blocks > 1 && is_uneven(limits.lattices * shape.blocks, at_once_on_gpu);
    if (shape.blocks != 0 && ((!all_run && !balances_load) || planes * columns < 2 * limits.threads)) break;
    const std::uint32_t segments = segments_of(columns, planes, limits.threads), all = columns * segments;
    shape = {blocks, planes, segments, (planes + segments - 1) / segments,
             all < limits.threads ? (all + 31) / 32 * 32 : limits.threads};
  }
  return shape;
}

/// Whether a half sweep of so many lattices in shared memory takes less time than a launch on all multiprocessors,
/// where a multiprocessor flips `rate` spins in a nanosecond and a launch takes 4000 ns. `flips`: of one lattice.
constexpr bool is_faster_in_shared_memory(const MemberShape& shape, double flips, double rate,
                                          const MemberLimits& limits) {
  const double of_one = flips / shape.blocks, in_all = flips * limits.lattices / limits.multiprocessors,
               in_blocks = in_all > of_one ? in_all : of_one;
  return in_blocks <= 4000 * rate + in_all;
}

}  // namespace psflip::cuda
