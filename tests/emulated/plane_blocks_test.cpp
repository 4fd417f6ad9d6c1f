#include <gtest/gtest.h>

#include "cubic_loops.hpp"
#include "engine/cuda/sweep/plane_blocks/kernel.cuh"

// plane_block_kernel, run by the emulator, compared with plain loops over the same words.
namespace psflip::cuda {
namespace {

/// Thresholds of a low temperature, at which some numbers are below the second one.
Thresholds cold_thresholds() {
  Thresholds t{};
  t.by_unsatisfied[0] = 0x00080000;
  t.by_unsatisfied[1] = 0x00700000;
  t.by_unsatisfied[2] = 0x09000000;
  return t;
}

/// Half sweeps `begin` ... `begin` + `count` - 1 of three packs in two groups of thread blocks, of replicas 4 to 7.
template <class T, class Decision>
void compare(const Decision& decide, std::uint32_t begin, std::uint32_t count) {
  const std::uint32_t packs = 3, groups = 2, replicas = 8, first_replica = 4;
  for (const std::uint32_t seed : {1u, 100u}) {
    const Layout layout{T::L, T::sites, replicas, 5};
    Words32 spins = random_words(std::size_t{2} * packs * replicas * layout.sites, 7), expected = spins;
    const Words32 couplings = random_words(std::size_t{6} * packs * layout.sites, 8);
    const KeySchedule keys(Key{1, 2});
    for (std::uint32_t pack = 0; pack < packs; ++pack)
      for (std::uint32_t h = begin; h < begin + count; ++h)
        half_sweep<4>(layout.view<3>(expected.data(), couplings.data(), pack, first_replica), T::L, h & 1u,
                      HalfSweep(keys, layout.first_pack + pack, h, first_replica), decide.thresholds);
    Words32 stored(packs), arrived(groups);
    std::vector<uint4> packets(std::size_t{groups} * PlaneHalo<T>::of_group, uint4{0, 0, 0, 0});
    const GroupSchedule schedule{{packs, groups, begin, count}, stored.data(), arrived.data()};
    emulated::run({groups * T::blocks, T::threads, T::bytes / 4}, seed, [&] {
      plane_block_kernel<T>(spins.data(), couplings.data(), layout, keys, schedule, packets.data(), first_replica,
                            decide);
    });
    EXPECT_TRUE(spins == expected) << "seed " << seed;
  }
}
template <class T>
void compare_at_two_temperatures() {
  compare<T>(SharedDecision<4>{warm_thresholds()}, 6, 21);
  compare<T>(SharedDecision<4>{cold_thresholds()}.cold(), 7, 18);
}

TEST(PlaneBlocks, of_one_block_with_segments_agree_with_loops) {
  compare_at_two_temperatures<PlaneBlocks<8, 1, 2, 32, 0>>();
  compare_at_two_temperatures<PlaneBlocks<8, 1, 4, 96, 3, SpinLoads::early>>();
}
TEST(PlaneBlocks, with_two_planes_agree_with_loops) { compare_at_two_temperatures<PlaneBlocks<8, 4, 1, 32, 3>>(); }
TEST(PlaneBlocks, with_different_numbers_of_planes_agree_with_loops) {
  compare_at_two_temperatures<PlaneBlocks<10, 3, 1, 32, 0>>();
  compare_at_two_temperatures<PlaneBlocks<10, 3, 1, 64, 2, SpinLoads::early>>();
}
TEST(PlaneBlocks, with_an_odd_number_of_planes_agree_with_loops) {
  compare_at_two_temperatures<PlaneBlocks<12, 4, 1, 64, 1>>();
  compare_at_two_temperatures<PlaneBlocks<12, 4, 1, 64, 3, SpinLoads::early>>();
}
TEST(PlaneBlocks, of_two_blocks_agree_with_loops) {
  compare_at_two_temperatures<PlaneBlocks<8, 2, 1, 32, 2, SpinLoads::early>>();
}

}  // namespace
}  // namespace psflip::cuda
