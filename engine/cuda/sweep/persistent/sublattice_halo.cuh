#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"
#include "engine/cuda/device/poll_backoff.hpp"

/// The shape of tiles (tile.cuh) and the mail between neighbouring ones.
namespace psflip::cuda {

/// Rows and planes of a tile of a lattice whose rows are one warp wide.
template <int L_, int ROWS, int PLANES>
struct SublatticeBlocks {
  static constexpr std::uint32_t L = L_, rows = ROWS, planes = PLANES;
  static constexpr std::uint32_t across = L / rows, deep = L / planes, blocks = across * deep;
  static constexpr std::uint32_t plane = 32 * rows, words = plane * planes;          ///< of one parity, in a tile
  static constexpr std::uint32_t lattice_plane = 32 * L, sites = lattice_plane * L;  ///< of one parity
  static constexpr std::size_t bytes(int G) { return std::size_t{4} * (2 * G + 6) * words; }
  /// The k-th plane of a half sweep: from the middle up, then from the lowest to the middle, so that the words at the
  /// faces are neither the first needed nor the last made.
  PSFLIP_HD static constexpr std::uint32_t plane_of(std::uint32_t k) { return (k + planes / 2) % planes; }
  static_assert(L == 64 && L % rows == 0 && L % planes == 0 && planes % 2 == 0);
};

/// A word at a face and the event (a number that grows from half sweep to half sweep) that wrote it, in one store, so
/// that a reader sees by itself whether the word has arrived. The word of the event before the last is overwritten, and
/// it has been read: a tile writes at a place only after it has received the words around it, which the neighbours sent
/// when they had read what this tile sent before.
using HaloPacket = std::uint64_t;

__device__ __forceinline__ void send(HaloPacket* to, std::uint32_t word, std::uint32_t sequence) {
  asm volatile("{ .reg .b64 l; mov.b64 l, {%1, %2}; st.relaxed.gpu.global.b64 [%0], l; }" ::"l"(to), "r"(word),
               "r"(sequence));
}

/// Letters for the G replicas of one site, asked for ahead of their use.
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
  /// Returns when the words are those of `wanted` for all threads of the warp; asks again until then.
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

/// The letters of all tiles of a group of blocks: [parity][tile][letter], of a tile [z face][replica][place in plane],
/// then [y face][plane][replica][x].
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
