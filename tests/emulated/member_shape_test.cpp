#include <gtest/gtest.h>

#include "engine/cuda/sweep/persistent/member_shape.hpp"

// Distribution of lattices over thread blocks (engine/cuda/sweep/persistent/member_shape.hpp).
namespace psflip::cuda {
namespace {

constexpr std::size_t hopper = 200 * 1024;

MemberShape shape_of(std::uint32_t dimension, std::uint32_t L, std::uint32_t lattices, std::uint32_t blocks = 8) {
  return member_shape(dimension, L, 8, {hopper, blocks, 512, lattices, 132});
}

TEST(MemberShape, small_lattices_of_many_packs_have_a_block_each) {
  const MemberShape shape = shape_of(3, 8, 1000);
  EXPECT_EQ(shape.blocks, 1u);
  EXPECT_EQ(shape.planes, 8u);
  EXPECT_EQ(shape.segments, 8u);
  EXPECT_EQ(shape.length, 1u);
  EXPECT_EQ(shape.threads, 256u);
}

TEST(MemberShape, few_packs_are_distributed_over_the_multiprocessors) {
  EXPECT_EQ(shape_of(2, 128, 28).blocks, 8u);
  EXPECT_EQ(shape_of(2, 128, 57).blocks, 4u);
  EXPECT_EQ(shape_of(2, 128, 115).blocks, 2u);
  EXPECT_EQ(shape_of(2, 128, 133).blocks, 1u);
  EXPECT_EQ(shape_of(2, 128, 1, 1).blocks, 1u) << "a GPU without clusters";
}

TEST(MemberShape, packs_that_would_load_multiprocessors_unevenly_are_updated_in_turn) {
  EXPECT_EQ(shape_of(2, 128, 29).blocks, 8u);
  EXPECT_EQ(shape_of(2, 128, 50).blocks, 8u);
  EXPECT_EQ(shape_of(2, 128, 51).blocks, 4u);
  EXPECT_EQ(shape_of(2, 128, 58).blocks, 4u);
}

TEST(MemberShape, a_thread_keeps_two_sites) { EXPECT_EQ(shape_of(2, 64, 1).blocks, 2u); }

/// Lattices of 128^2 with `group` replicas in a thread block, or cluster if that is one.
bool stay_in_shared_memory(std::uint32_t lattices, std::uint32_t group, double rate) {
  const MemberLimits limits{hopper, group == 1 ? 8u : 1u, 512, lattices, 132};
  return is_faster_in_shared_memory(member_shape(2, 128, 8 * group, limits), 16. * group * 128 * 128, rate, limits);
}

TEST(MemberShape, few_lattices_without_clusters_take_a_launch_for_each_half_sweep) {
  EXPECT_TRUE(stay_in_shared_memory(1, 1, 27));
  EXPECT_TRUE(stay_in_shared_memory(32, 1, 27));
  EXPECT_FALSE(stay_in_shared_memory(1, 2, 27));
  EXPECT_FALSE(stay_in_shared_memory(32, 2, 27));
  EXPECT_TRUE(stay_in_shared_memory(132, 2, 27));
  EXPECT_TRUE(stay_in_shared_memory(1, 1, 110));
}

TEST(MemberShape, larger_lattices_need_a_cluster) {
  EXPECT_EQ(shape_of(3, 32, 1000).blocks, 1u);
  EXPECT_EQ(shape_of(3, 40, 1000).blocks, 2u);
  EXPECT_EQ(shape_of(3, 40, 1000, 1).blocks, 0u);
  EXPECT_EQ(shape_of(3, 64, 1000).blocks, 8u);
  EXPECT_EQ(shape_of(3, 80, 1000).blocks, 0u);
}

TEST(MemberShape, no_block_is_empty_and_threads_are_complete_warps) {
  for (std::uint32_t dimension : {2u, 3u})
    for (std::uint32_t L = 4; L <= 200; L += 2)
      for (const std::uint32_t lattices : {1u, 10u, 100u, 10000u}) {
        const MemberShape shape = shape_of(dimension, L, lattices);
        if (shape.blocks == 0) continue;
        EXPECT_LT((shape.blocks - 1) * shape.planes, L) << L;
        EXPECT_GE(shape.blocks * shape.planes, L) << L;
        EXPECT_EQ(shape.threads % 32, 0u) << L;
        EXPECT_LE(shape.threads, 512u) << L;
        EXPECT_GE(shape.segments * shape.length, shape.planes) << L;
      }
}

}  // namespace
}  // namespace psflip::cuda
