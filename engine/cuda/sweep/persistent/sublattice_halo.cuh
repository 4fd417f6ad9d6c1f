#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"
#include "engine/cuda/device/poll_backoff.hpp"

/// Shape of sublattice blocks (sublattice_z_sweep.cuh) and the in-kernel halo exchange between neighbouring ones.
namespace psflip::cuda {

/// Rows and planes of a sublattice block, for a lattice whose rows are one warp wide.
template <int L_, int ROWS, int PLANES>
struct SublatticeBlocks {
  static constexpr std::uint32_t L = L_, rows = ROWS, planes = PLANES;
  static constexpr std::uint32_t across = L / rows, deep = L / planes, blocks = across * deep;
  static constexpr std::uint32_t plane = 32 * rows, words = plane * planes;  ///< of one parity, in a sublattice block
  static constexpr std::uint32_t lattice_plane = 32 * L, sites = lattice_plane * L;  ///< of one parity
  PSFLIP_HD static constexpr std::size_t bytes(int G) { return std::size_t{4} * (2 * G + 6) * words; }
  /// The k-th plane of a half sweep: from the middle up, then from the lowest to the middle. The words at the faces are
  /// thus neither needed first nor computed last.
  PSFLIP_HD static constexpr std::uint32_t plane_of(std::uint32_t k) { return (k + planes / 2) % planes; }
  static_assert(L == 64 && L % rows == 0 && L % planes == 0 && planes % 2 == 0);
};

/// Halo packet: a word at a face and the sequence number of the half sweep that wrote it, in one store. The reader
/// compares the sequence number and therefore needs no memory fence or flag. A store overwrites the packet of the half
/// sweep before the last. That packet has been read: a block overwrites a packet only after it has received the words
/// around it, which the neighbours sent after they had read the previous packets of this block.
using HaloPacket = std::uint64_t;

__device__ __forceinline__ void send(HaloPacket* to, std::uint32_t word, std::uint32_t sequence) {
  asm volatile("{ .reg .b64 l; mov.b64 l, {%1, %2}; st.relaxed.gpu.global.b64 [%0], l; }" ::"l"(to), "r"(word),
               "r"(sequence));
}

/// Halo packets of the G replicas of one site, requested ahead of their use.
template <int G, std::uint32_t DISTANCE>
struct PacketReader {
  std::uint32_t word[G], sequence[G];

  __device__ __forceinline__ void request(const HaloPacket* from) {
#pragma unroll
    for (int r = 0; r < G; ++r)
      asm volatile("{ .reg .b64 l; ld.relaxed.gpu.global.b64 l, [%2]; mov.b64 {%0, %1}, l; }"
                   : "=r"(word[r]), "=r"(sequence[r])
                   : "l"(from + r * DISTANCE));
  }
  /// Polls until all threads of the warp have packets with the sequence number `wanted`.
  __device__ __forceinline__ void wait(const HaloPacket* from, std::uint32_t wanted) {
    while (true) {
      std::uint32_t differ = 0;
#pragma unroll
      for (int r = 0; r < G; ++r) differ |= sequence[r] ^ wanted;
      if (!__any_sync(~0u, differ != 0)) return;
      __nanosleep(poll_backoff_ns);
      request(from);
    }
  }
};

/// Halo packets of a group of sublattice blocks: [parity][block][packet]. Order within a block: [z face][replica][index
/// in plane], then [y face][plane][replica][x].
template <class T, int G>
struct HaloBuffer {
  static constexpr std::uint32_t z_face = G * T::plane, y_face = T::planes * G * 32, of_block = 2 * (z_face + y_face),
                                 of_group = 2 * T::blocks * of_block;
  static constexpr std::uint32_t of_parity = T::blocks * of_block;
  HaloPacket* packets;  ///< of the group

  __device__ __forceinline__ HaloPacket* z_packets(std::uint32_t block, std::uint32_t high) const {
    return packets + block * of_block + high * z_face;
  }
  __device__ __forceinline__ HaloPacket* y_packets(std::uint32_t block, std::uint32_t high) const {
    return packets + block * of_block + 2 * z_face + high * y_face;
  }
};

}  // namespace psflip::cuda
