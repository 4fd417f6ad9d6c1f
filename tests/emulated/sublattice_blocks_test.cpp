#include <gtest/gtest.h>

#include "blocks_of_pack.hpp"
#include "engine/cuda/sweep/sublattice_blocks/kernel.cuh"

// sublattice_kernel, run by the emulator, compared with plain loops over the same words.
namespace psflip::cuda {
namespace {

template <class T>
void compare_at_two_temperatures() {
  const BlocksOfPack blocks{T::L, T::blocks, T::threads, T::bytes(4) / 4, HaloOrder<T, 4>::of_group};
  compare_with_loops<HaloPacket>(blocks, SharedDecision<4>{warm_thresholds()}, 6, 21,
                                 [](auto... arguments) { sublattice_kernel<T>(arguments...); });
  compare_with_loops<HaloPacket>(blocks, SharedDecision<4>{cold_thresholds()}.cold(), 7, 18,
                                 [](auto... arguments) { sublattice_kernel<T>(arguments...); });
}

TEST(SublatticeBlocks, of_equal_size_agree_with_loops) { compare_at_two_temperatures<SublatticeBlocks<8, 2, 2>>(); }
TEST(SublatticeBlocks, whose_rows_are_all_at_edges_agree_with_loops) {
  compare_at_two_temperatures<SublatticeBlocks<8, 4, 4>>();
}
TEST(SublatticeBlocks, with_different_numbers_of_rows_agree_with_loops) {
  compare_at_two_temperatures<SublatticeBlocks<10, 4, 2>>();
}
TEST(SublatticeBlocks, with_different_numbers_of_planes_agree_with_loops) {
  compare_at_two_temperatures<SublatticeBlocks<10, 2, 3>>();
}
TEST(SublatticeBlocks, with_an_odd_number_of_planes_agree_with_loops) {
  compare_at_two_temperatures<SublatticeBlocks<12, 3, 4>>();
}

}  // namespace
}  // namespace psflip::cuda
