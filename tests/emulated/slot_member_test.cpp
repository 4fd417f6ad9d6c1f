#include <gtest/gtest.h>

#include "emulated_lattices.hpp"
#include "engine/cuda/tempering/member/slot_member_kernel.cuh"

// Thread blocks of exchange Monte Carlo on an H100 (engine/cuda/tempering/member/slot_member_kernel.cuh).
namespace psflip::cuda {
namespace {

constexpr SlotMemory hopper{227 * 1024, 113 * 1024};

using FieldSquare = Traits<2, ModelCouplings::ferromagnet, ModelField::random_sign>;
using GlassSquare = Traits<2, ModelCouplings::random_bonds, ModelField::none>;
using Cube = Traits<3, ModelCouplings::ferromagnet, ModelField::uniform>;

auto field_square(std::uint32_t L) { return SlotMember<FieldSquare, SiteFieldDecision<FieldSquare>>::on(L, hopper); }
auto glass_square(std::uint32_t L) { return SlotMember<GlassSquare, SharedDecision<4, 2>>::on(L, hopper); }
auto cube(std::uint32_t L) { return SlotMember<Cube, IndependentDecision<4, 3, 0, true>>::on(L, hopper); }

TEST(SlotMember, two_blocks_share_a_multiprocessor_where_they_fit) {
  EXPECT_EQ(field_square(64).shape.threads, 256u);
  EXPECT_LE(field_square(160).bytes, hopper.of_two);
  EXPECT_GT(field_square(176).bytes, hopper.of_two);
  EXPECT_EQ(field_square(176).shape.threads, 512u) << "as many as two blocks";
  EXPECT_LE(cube(18).bytes, hopper.of_two);
  EXPECT_EQ(cube(22).shape.threads, 512u);
}

TEST(SlotMember, couplings_are_in_shared_memory_if_two_blocks_fit_with_them) {
  EXPECT_TRUE(glass_square(64).couplings);
  EXPECT_FALSE(glass_square(84).couplings);
  EXPECT_LE(glass_square(84).bytes, hopper.of_two);
  EXPECT_FALSE(glass_square(100).couplings);
}

TEST(SlotMember, queues_have_places_for_twice_the_average_or_what_is_left) {
  EXPECT_EQ(field_square(64).shape.places, 512u);
  const auto large = field_square(240);
  EXPECT_LT(large.shape.places, 512u);
  EXPECT_EQ(large.bytes, hopper.of_one);
}

TEST(SlotMember, lattices_beyond_shared_memory_have_no_block) {
  EXPECT_EQ(field_square(242).bytes, 0u);
  EXPECT_EQ(glass_square(122).bytes, 0u);
  EXPECT_EQ(cube(24).bytes, 0u) << "the queues of the warps do not fit";
}

}  // namespace
}  // namespace psflip::cuda
