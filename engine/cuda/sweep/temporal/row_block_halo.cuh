#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/sweep/temporal/row_block_shape.hpp"

/// In-kernel halo exchange between the row blocks of a lattice: the updated words of their first and last rows.
namespace psflip::cuda {

inline constexpr std::uint32_t packets_of_row =
                                   temporal_threads / 2,  ///< packets of a row: a row block has two rows or more
    halo_planes = 4,                                      ///< planes whose packets are kept for slow readers
    halo_stages = 3;                                      ///< half sweeps of a pass after which packets are sent

/// Halo exchange of a thread in the first or last row of a row block with the row block next to it. `halo_planes`
/// suffice: a block sends plane p + 2, which overwrites plane p - 2, only after it has received plane p. The neighbour
/// that sent plane p had read the packets up to plane p - 2.
template <int G>
struct RowBlockHalo {
  static constexpr std::uint32_t packets = (G + 1) / 2, of_plane = packets * packets_of_row,
                                 of_stage = halo_planes * of_plane, of_side = halo_stages * of_stage;
  bool here, in_warp;  ///< this thread exchanges packets; a thread of its warp does
  int beyond;          ///< step to the row of the other row block
  uint4* to;
  const uint4* from;
  std::uint32_t first_sequence;  ///< of the first plane of the pass
  uint4 halo[packets];           ///< two words, each with its sequence number, which grows from plane to plane

  /// `all` are the packets of the pack: [row block][side][stage][plane mod halo_planes][two replicas][x].
  __device__ __forceinline__ RowBlockHalo(uint4* all, std::uint32_t first, std::uint32_t block, std::uint32_t blocks,
                                          std::uint32_t x, std::uint32_t half, bool low, bool high)
      : here(low || high),
        in_warp(__any_sync(~0u, here)),
        beyond(low ? -static_cast<int>(half) : static_cast<int>(half)),
        to(in_register(all + (2 * block + !low) * of_side + x)),
        from(in_register(all + (2 * ((block + (low ? blocks - 1 : 1)) % blocks) + low) * of_side + x)),
        first_sequence(first) {}

  __device__ __forceinline__ std::uint32_t index(std::uint32_t stage, std::uint32_t plane) const {
    return stage * of_stage + (first_sequence + plane) % halo_planes * of_plane;
  }
  __device__ __forceinline__ void request(std::uint32_t stage, std::uint32_t plane) {
    if (!in_warp) return;
#pragma unroll
    for (int k = 0; k < static_cast<int>(packets); ++k)
      halo[k] = load_packet(from + index(stage, plane) + k * packets_of_row);
  }
  /// Polls until the requested packets have arrived. Stores their words in the row beyond this column, which is `mine`
  /// in a slot.
  __device__ __forceinline__ void receive(std::uint32_t stage, std::uint32_t plane, std::uint32_t* mine,
                                          std::uint32_t words) {
    if (!in_warp) return;
    while (true) {
      std::uint32_t differ = 0;
#pragma unroll
      for (int k = 0; k < static_cast<int>(packets); ++k)
        differ |= (halo[k].y ^ (first_sequence + plane)) | (halo[k].w ^ (first_sequence + plane));
      if (!__any_sync(~0u, here && differ != 0)) break;
      __nanosleep(poll_backoff_ns);
      request(stage, plane);
    }
#pragma unroll
    for (int r = 0; r < G; ++r)
      if (here) mine[static_cast<int>(r * words) + beyond] = r % 2 == 0 ? halo[r / 2].x : halo[r / 2].z;
  }
  __device__ __forceinline__ void send(std::uint32_t stage, std::uint32_t plane, const std::uint32_t (&spin)[G]) const {
    if (!here) return;
#pragma unroll
    for (int k = 0; k < static_cast<int>(packets); ++k)
      store_packet(to + index(stage, plane) + k * packets_of_row, spin[2 * k], spin[2 * k + 1 < G ? 2 * k + 1 : 2 * k],
                   first_sequence + plane);
  }
};

/// The halo packets of a launch.
struct HaloPackets {
  uint4* packets;          ///< [pack of the launch][row block][RowBlockHalo]
  std::uint32_t sequence;  ///< of the first plane; a launch uses L + 8 sequence numbers
};

}  // namespace psflip::cuda
