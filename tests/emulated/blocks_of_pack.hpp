#pragma once
#include <gtest/gtest.h>

#include "cubic_loops.hpp"
#include "engine/cuda/sweep/persistent/group_schedule.cuh"

// Emulated kernels whose thread blocks hold one pack together and exchange packets.
namespace psflip::cuda {

/// Thresholds of a low temperature, at which some numbers are below the second one.
inline Thresholds cold_thresholds() {
  Thresholds t{};
  t.by_unsatisfied[0] = 0x00080000;
  t.by_unsatisfied[1] = 0x00700000;
  t.by_unsatisfied[2] = 0x09000000;
  return t;
}

/// Division of a lattice among thread blocks.
struct BlocksOfPack {
  std::uint32_t L, blocks, threads;
  std::size_t shared_words;  ///< of a block
  std::size_t packets;       ///< of all blocks
};

/// Half sweeps `begin` ... `begin` + `count` - 1 of three packs in two groups of thread blocks, of replicas 4 to 7.
/// kernel(spins, couplings, layout, keys, schedule, packets, first replica, decision): a thread of the kernel.
template <class Packet, class Decision, class Kernel>
void compare_with_loops(const BlocksOfPack& shape, const Decision& decide, std::uint32_t begin, std::uint32_t count,
                        const Kernel& kernel) {
  const std::uint32_t packs = 3, groups = 2, replicas = 8, first_replica = 4;
  for (const std::uint32_t seed : {1u, 100u}) {
    const Layout layout{shape.L, shape.L * shape.L * shape.L / 2, replicas, 5};
    Words32 spins = random_words(std::size_t{2} * packs * replicas * layout.sites, 7), expected = spins;
    const Words32 couplings = random_words(std::size_t{6} * packs * layout.sites, 8);
    const KeySchedule keys(Key{1, 2});
    for (std::uint32_t pack = 0; pack < packs; ++pack)
      for (std::uint32_t h = begin; h < begin + count; ++h)
        half_sweep<4>(layout.view<3>(expected.data(), couplings.data(), pack, first_replica), shape.L, h & 1u,
                      HalfSweep(keys, layout.first_pack + pack, h, first_replica), decide.thresholds);
    Words32 stored(packs), arrived(groups);
    std::vector<Packet> packets(groups * shape.packets, Packet{});
    const GroupSchedule schedule{{packs, groups, begin, count}, stored.data(), arrived.data()};
    emulated::run({groups * shape.blocks, shape.threads, shape.shared_words}, seed, [&] {
      kernel(spins.data(), couplings.data(), layout, keys, schedule, packets.data(), first_replica, decide);
    });
    EXPECT_TRUE(spins == expected) << "seed " << seed;
  }
}

}  // namespace psflip::cuda
