#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/sweep/plane_blocks/shape.hpp"

/// In-kernel halo exchange between thread blocks that hold neighbouring planes of a lattice.
namespace psflip::cuda {

/// Three halo packets of the four replicas of one site. Their low halves have the words of three replicas. The high
/// halves of the first two have 16 bits of the fourth word and 16 bits of the sequence number each. These bits suffice,
/// since a store overwrites the packets of the half sweep before the last. Those have been read: a thread sends the
/// words of a site at a face after it has received those beyond the face, which were sent after the previous packets of
/// this site had been read.
template <class T>
struct FacePackets {
  static_assert(T::group == 4);
  static constexpr std::uint32_t distance = (T::plane + 15) / 16 * 16;  ///< complete cache lines of 128 bytes
  uint2 packet[3];

  __device__ __forceinline__ void request(const HaloPacket* from) {
#pragma unroll
    for (int k = 0; k < 3; ++k) packet[k] = load_packet(from + k * distance);
  }
  /// Polls until the packets have the sequence number `wanted`.
  __device__ __forceinline__ void wait(const HaloPacket* from, std::uint32_t wanted, std::uint32_t (&word)[4]) {
    while (true) {
      const std::uint32_t differ = (packet[0].y ^ wanted << 16) | (packet[1].y ^ wanted << 16);
      if (((differ & 0xFFFF0000u) | (packet[2].y ^ wanted)) == 0) break;
      __nanosleep(poll_backoff_ns);
      request(from);
    }
#pragma unroll
    for (int k = 0; k < 3; ++k) word[k] = packet[k].x;
    word[3] = __byte_perm(packet[0].y, packet[1].y, 0x5410);
  }
  static __device__ __forceinline__ void send(HaloPacket* to, const std::uint32_t (&word)[4], std::uint32_t sequence) {
    store_packet(to, word[0], __byte_perm(word[3], sequence, 0x5410));
    store_packet(to + distance, word[1], __byte_perm(word[3], sequence, 0x5432));
    store_packet(to + 2 * distance, word[2], sequence);
  }
};

/// The value, in a register if T keeps addresses there.
template <class T, class Value>
__device__ __forceinline__ Value kept(Value value) {
  if constexpr (T::keeps_addresses)
    return in_register(value);
  else
    return value;
}

/// Packets of a group of thread blocks: [parity][block][lowest, highest plane][packet of a site][index in plane].
template <class T>
struct PlaneHalo {
  static constexpr std::uint32_t of_face = 3 * FacePackets<T>::distance, of_parity = 2 * T::blocks * of_face,
                                 of_group = 2 * of_parity;
  HaloPacket *to_below, *to_above;
  const HaloPacket *from_below, *from_above;

  __device__ __forceinline__ PlaneHalo(HaloPacket* group, std::uint32_t block)
      : to_below(kept<T>(group + 2 * block * of_face)),
        to_above(to_below + of_face),
        from_below(kept<T>(group + (2 * ((block + T::blocks - 1) % T::blocks) + 1) * of_face)),
        from_above(kept<T>(group + 2 * ((block + 1) % T::blocks) * of_face)) {}
};

}  // namespace psflip::cuda
