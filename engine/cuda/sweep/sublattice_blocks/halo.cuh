#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/sweep/sublattice_blocks/shape.hpp"

/// In-kernel halo exchange between neighbouring sublattice blocks.
namespace psflip::cuda {

/// Halo packets of the G replicas of one site, requested ahead of their use. A store overwrites the packet of the half
/// sweep before the last. That packet has been read: a warp overwrites a packet only after it has received the words
/// beyond this face, which were sent after the previous packets of this face had been read.
template <int G>
struct PacketReader {
  uint2 packet[G];

  __device__ __forceinline__ void request(const HaloPacket* from, std::uint32_t distance) {
#pragma unroll
    for (int r = 0; r < G; ++r) packet[r] = load_packet(from + r * distance);
  }
  /// Polls until all threads of the warp have packets with the sequence number `wanted`.
  __device__ __forceinline__ void wait(const HaloPacket* from, std::uint32_t distance, std::uint32_t wanted) {
    while (true) {
      std::uint32_t differ = 0;
#pragma unroll
      for (int r = 0; r < G; ++r) differ |= packet[r].y ^ wanted;
      if (!__any_sync(~0u, differ != 0)) return;
      __nanosleep(poll_backoff_ns);
      request(from, distance);
    }
  }
};

/// Order of the halo packets of a group of sublattice blocks: [parity][block][packet]. Order within a block: lowest and
/// highest plane [replica][index in plane], then first and last row [plane][replica][x].
template <class T, int G>
struct HaloOrder {
  static constexpr std::uint32_t z_face = G * T::plane, y_face = T::planes * G * T::width,
                                 of_block = 2 * (z_face + y_face);
  static constexpr std::uint32_t of_parity = T::blocks * of_block, of_group = 2 * of_parity;

  PSFLIP_HD static constexpr std::uint32_t plane(std::uint32_t block, bool high) {
    return block * of_block + (high ? z_face : 0);
  }
  PSFLIP_HD static constexpr std::uint32_t row(std::uint32_t block, bool high) {
    return block * of_block + 2 * z_face + (high ? y_face : 0);
  }
};

}  // namespace psflip::cuda
