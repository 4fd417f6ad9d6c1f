#include "engine/driver/packed_signs.hpp"

#include <gtest/gtest.h>

#include <random>

#include "engine/core/interleave.hpp"

namespace psflip {
namespace {

std::vector<std::int8_t> random_signs(std::size_t count) {
  std::mt19937 random(static_cast<std::uint32_t>(count));
  std::vector<std::int8_t> signs(count);
  for (std::int8_t& sign : signs) sign = random() & 1u ? std::int8_t{-1} : std::int8_t{1};
  return signs;
}

TEST(PackedSigns, SetABitForEveryMinusAndBeginEveryRowWithAWord) {
  std::vector<std::int8_t> signs(2 * 33, 1);
  signs[1] = signs[32] = signs[33] = -1;
  const PackedSigns packed = pack_signs(signs, 33);
  EXPECT_EQ(packed.words, (std::vector<std::uint32_t>{2, 1, 1, 0}));
}

TEST(PackedSigns, ComeBackFromBytesAndFromRowsWithoutGaps) {
  for (const std::size_t length : {1, 31, 32, 36, 64, 216}) {
    const std::vector<std::int8_t> signs = random_signs(5 * length);
    const PackedSigns packed = pack_signs(signs, length);
    EXPECT_EQ(unpack_signs(packed), signs) << length;
    const std::vector<std::uint32_t> words = without_gaps(packed);
    EXPECT_EQ(words, pack_signs(signs, signs.size()).words) << length;
    EXPECT_EQ(rows_of(words.data(), 5, length).words, packed.words) << length;
  }
}

TEST(PackedSigns, AreCopiedBitByBitToAnyPlaceAndNothingElseChanges) {
  const std::vector<std::int8_t> from = random_signs(200), to = random_signs(201);
  for (const std::size_t begin : {0, 1, 31, 32, 40})
    for (const std::size_t place : {0, 5, 32, 63})
      for (const std::size_t count : {0, 1, 27, 32, 64, 100}) {
        std::vector<std::int8_t> expected = to;
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(begin), count,
                    expected.begin() + static_cast<std::ptrdiff_t>(place));
        PackedSigns found = pack_signs(to, to.size());
        copy_bits(pack_signs(from, from.size()).row(0), begin, count, found.row(0), place);
        EXPECT_EQ(unpack_signs(found), expected) << begin << " " << place << " " << count;
      }
}

TEST(Interleaving, TakesBitsOfTwoWordsInTurn) {
  EXPECT_EQ(interleave_bits(0xffffffff, 0), 0x5555555555555555U);
  EXPECT_EQ(interleave_bits(1U << 31, 1), (std::uint64_t{1} << 62) | 2);
  const std::uint64_t pair = interleave_bits(0x12345678, 0x9abcdef0);
  EXPECT_EQ(even_bits(pair), 0x12345678U);
  EXPECT_EQ(even_bits(pair >> 1), 0x9abcdef0U);
}

}  // namespace
}  // namespace psflip
