#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Division of a cubic lattice among thread blocks, each of which holds some planes (kernel.cuh).
namespace psflip::cuda {

/// When the words of a site are read from shared memory: with its couplings, while the site before is decided, or just
/// before they are used. The first takes more registers.
enum class SpinLoads { early, late };

/// Whether the addresses of packets are kept in registers (in_register()) or the compiler may compute them again at
/// each use. The first takes fewer instructions; which is faster depends on the size.
enum class PacketAddresses { kept, computed };

/// How columns are updated that are left over when every thread has equally many: some threads have one column more, or
/// all threads share the single sites of these columns, before their columns. With few registers a thread requests halo
/// packets for all these sites, not only for those at a face.
enum class Remainder { columns, sites, sites_few_registers };

/// BLOCKS thread blocks hold one pack, each some planes. A single block may divide its columns into SEGMENTS of equally
/// many planes. A thread updates the segments threadIdx.x, threadIdx.x + THREADS, ... The spins and the couplings of
/// the first DIRECTIONS directions are in shared memory; the other couplings are read from global memory.
template <int L_, int BLOCKS, int SEGMENTS, int THREADS, int DIRECTIONS, SpinLoads LOADS = SpinLoads::late,
          PacketAddresses ADDRESSES = PacketAddresses::computed, Remainder REMAINDER = Remainder::columns>
struct PlaneBlocks {
  static constexpr std::uint32_t L = L_, blocks = BLOCKS, segments = SEGMENTS, threads = THREADS;
  static constexpr int group = 4, directions = DIRECTIONS;  ///< group: replicas
  static constexpr bool early = LOADS == SpinLoads::early, keeps_addresses = ADDRESSES == PacketAddresses::kept;
  static constexpr std::uint32_t planes = (L + blocks - 1) / blocks;         ///< of a block; some have one less
  static constexpr std::uint32_t plane = L * L / 2, words = plane * planes;  ///< of one parity: of a plane, a block
  static constexpr std::uint32_t sites = plane * L;                          ///< of one parity
  static constexpr std::uint32_t length = planes / segments;                 ///< planes of a segment
  static constexpr std::uint32_t units = plane * segments;                   ///< segments of a block
  static constexpr bool few_registers = REMAINDER == Remainder::sites_few_registers;
  /// Columns whose sites are updated one by one.
  static constexpr std::uint32_t left_over = REMAINDER == Remainder::columns ? 0 : units % threads;
  static constexpr std::uint32_t rounds = (units - left_over + threads - 1) / threads;  ///< segments of a thread
  static constexpr std::size_t bytes = std::size_t{8} * (group + directions) * words;   ///< of shared memory

  PSFLIP_HD static constexpr std::uint32_t first_plane(std::uint32_t block) { return L * block / blocks; }
  static_assert(L % 2 == 0 && threads % 32 == 0 && directions <= 3);
  static_assert(left_over == 0 || blocks > 1);
  static_assert(blocks == 1 ? planes % segments == 0 : segments == 1 && L / blocks >= 2);
};

}  // namespace psflip::cuda
