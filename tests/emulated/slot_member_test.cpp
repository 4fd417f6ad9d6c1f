#include <gtest/gtest.h>

#include "emulated_lattices.hpp"
#include "engine/cuda/tempering/member/slot_member_kernel.cuh"

// Thread blocks of exchange Monte Carlo on an H100 (engine/cuda/tempering/member/slot_member_kernel.cuh).
namespace psflip::cuda {
namespace {

constexpr SlotMemory hopper{{227 * 1024, 113 * 1024, 75 * 1024, 56 * 1024}};

using FieldSquare = Traits<2, ModelCouplings::ferromagnet, ModelField::random_sign>;
using GlassSquare = Traits<2, ModelCouplings::random_bonds, ModelField::none>;
using Cube = Traits<3, ModelCouplings::ferromagnet, ModelField::uniform>;

auto field_square(std::uint32_t L) { return SlotMember<FieldSquare, SiteFieldDecision<FieldSquare>>::on(L, hopper); }
auto glass_square(std::uint32_t L) { return SlotMember<GlassSquare, SharedDecision<4, 2>>::on(L, hopper); }
auto square(std::uint32_t L) { return SlotMember<GlassSquare, IndependentDecision<4, 2, 0, true>>::on(L, hopper); }
auto cube(std::uint32_t L) { return SlotMember<Cube, IndependentDecision<4, 3, 0, true>>::on(L, hopper); }

TEST(SlotMember, several_blocks_share_a_multiprocessor_where_they_fit) {
  for (const auto& [L, blocks] : {std::pair{64u, 3u}, {130u, 3u}, {132u, 2u}, {160u, 2u}, {162u, 1u}}) {
    SCOPED_TRACE(L);
    EXPECT_LE(field_square(L).bytes, hopper.of[blocks - 1]);
    EXPECT_GT(field_square(L).shape.threads, 240 * 3 / blocks);
    EXPECT_LE(field_square(L).shape.threads, 256 * 3 / blocks);
  }
  EXPECT_LE(cube(18).bytes, hopper.of[1]);
  EXPECT_EQ(cube(22).shape.threads, 512u);
  EXPECT_LE(glass_square(40).bytes, hopper.of[3]);
}

TEST(SlotMember, couplings_are_in_shared_memory_if_two_blocks_fit_with_them) {
  EXPECT_TRUE(glass_square(64).couplings);
  EXPECT_FALSE(glass_square(84).couplings);
  EXPECT_LE(glass_square(84).bytes, hopper.of[1]);
  EXPECT_FALSE(glass_square(100).couplings);
}

TEST(SlotMember, queues_have_few_places_in_the_largest_lattices) {
  EXPECT_EQ(field_square(64).shape.places, 512u);
  EXPECT_EQ(field_square(226).shape.places, 226u * 113 / 4);
  EXPECT_EQ(field_square(228).shape.places, 256u);
  EXPECT_EQ(field_square(240).shape.places, 256u);
}

TEST(SlotMember, lattices_beyond_shared_memory_have_no_block) {
  EXPECT_EQ(field_square(242).bytes, 0u);
  EXPECT_EQ(glass_square(122).bytes, 0u);
  EXPECT_EQ(cube(24).bytes, 0u) << "the queues of eight warps do not fit";
  EXPECT_EQ(square(116).bytes, 0u);
}

TEST(SlotMember, fewer_warps_update_lattices_that_leave_no_room_for_the_queues_of_more) {
  for (const auto& [L, most] : {std::pair{102u, 768u}, {110u, 384u}, {114u, 256u}}) {
    SCOPED_TRACE(L);
    EXPECT_GT(square(L).bytes, 0u);
    EXPECT_GT(square(L).shape.threads, most - 128);
    EXPECT_LE(square(L).shape.threads, most);
  }
}

}  // namespace
}  // namespace psflip::cuda
