#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/poll_backoff.hpp"
#include "engine/cuda/sweep/plane_blocks/shape.hpp"

/// In-kernel halo exchange between thread blocks that hold neighbouring planes of a lattice.
namespace psflip::cuda {

/// Halo packets of the replicas of one site: two words in each, both with the sequence number of the half sweep that
/// wrote them. The reader compares it and therefore needs no memory fence or flag. A store overwrites the packet of the
/// half sweep before the last. That packet has been read: a thread sends the words of a column at a face after it has
/// received those beyond the face, which were sent after the previous packets of this column had been read.
template <class T>
struct FacePackets {
  static constexpr int count = T::group / 2;
  static constexpr std::uint32_t distance = (T::plane + 7) / 8 * 8;  ///< complete cache lines of 128 bytes
  uint4 packet[count];

  __device__ __forceinline__ void request(const uint4* from) {
#pragma unroll
    for (int k = 0; k < count; ++k) packet[k] = load_packet(from + k * distance);
  }
  /// Polls until the packets have the sequence number `wanted`.
  __device__ __forceinline__ void wait(const uint4* from, std::uint32_t wanted, std::uint32_t (&word)[T::group]) {
    while (true) {
      std::uint32_t differ = 0;
#pragma unroll
      for (int k = 0; k < count; ++k) differ |= (packet[k].y ^ wanted) | (packet[k].w ^ wanted);
      if (differ == 0) break;
      __nanosleep(poll_backoff_ns);
      request(from);
    }
#pragma unroll
    for (int k = 0; k < count; ++k) {
      word[2 * k] = packet[k].x;
      word[2 * k + 1] = packet[k].z;
    }
  }
  static __device__ __forceinline__ void send(uint4* to, const std::uint32_t (&word)[T::group],
                                              std::uint32_t sequence) {
#pragma unroll
    for (int k = 0; k < count; ++k) store_packet(to + k * distance, word[2 * k], word[2 * k + 1], sequence);
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

/// Packets of a group of thread blocks: [parity][block][lowest, highest plane][two replicas][index in plane].
template <class T>
struct PlaneHalo {
  static constexpr std::uint32_t of_face = FacePackets<T>::count * FacePackets<T>::distance,
                                 of_parity = 2 * T::blocks * of_face, of_group = 2 * of_parity;
  uint4 *to_below, *to_above;
  const uint4 *from_below, *from_above;

  __device__ __forceinline__ PlaneHalo(uint4* group, std::uint32_t block)
      : to_below(kept<T>(group + 2 * block * of_face)),
        to_above(to_below + of_face),
        from_below(kept<T>(group + (2 * ((block + T::blocks - 1) % T::blocks) + 1) * of_face)),
        from_above(kept<T>(group + 2 * ((block + 1) % T::blocks) * of_face)) {}
};

}  // namespace psflip::cuda
