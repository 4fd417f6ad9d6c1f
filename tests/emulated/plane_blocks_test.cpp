#include <gtest/gtest.h>

#include "blocks_of_pack.hpp"
#include "engine/cuda/sweep/plane_blocks/kernel.cuh"

// plane_block_kernel, run by the emulator, compared with plain loops over the same words.
namespace psflip::cuda {
namespace {

template <class T>
void compare_at_two_temperatures() {
  const BlocksOfPack blocks{T::L, T::blocks, T::threads, T::bytes / 4, PlaneHalo<T>::of_group};
  compare_with_loops<HaloPacket>(blocks, SharedDecision<4>{warm_thresholds()}, 6, 21,
                                 [](auto... arguments) { plane_block_kernel<T>(arguments...); });
  compare_with_loops<HaloPacket>(blocks, SharedDecision<4>{cold_thresholds()}.cold(), 7, 18,
                                 [](auto... arguments) { plane_block_kernel<T>(arguments...); });
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
TEST(PlaneBlocks, with_single_sites_agree_with_loops) {
  constexpr auto late = SpinLoads::late;
  constexpr auto kept = PacketAddresses::kept;
  compare_at_two_temperatures<PlaneBlocks<10, 3, 1, 32, 0, late, kept, Remainder::sites>>();
  compare_at_two_temperatures<PlaneBlocks<10, 3, 1, 32, 3, late, kept, Remainder::sites_few_registers>>();
  compare_at_two_temperatures<PlaneBlocks<12, 4, 1, 32, 1, SpinLoads::early, kept, Remainder::sites>>();
  compare_at_two_temperatures<PlaneBlocks<12, 6, 1, 64, 2, late, kept, Remainder::sites_few_registers>>();
}
TEST(PlaneBlocks, of_two_blocks_agree_with_loops) {
  compare_at_two_temperatures<PlaneBlocks<8, 2, 1, 32, 2, SpinLoads::early>>();
}

}  // namespace
}  // namespace psflip::cuda
