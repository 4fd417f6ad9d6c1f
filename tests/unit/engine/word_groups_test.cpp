#include <gtest/gtest.h>

#include "engine/cpu/samples/word_group.hpp"
#include "engine/cpu/words/word64.hpp"

namespace psflip::cpu {
namespace {

/// Lane words of as many packs as a CPU may have.
struct Wide {
  static constexpr std::size_t packs = 16;
  std::uint32_t words[packs];
};

template <class W>
void expect_same_number(std::uint64_t first, std::uint64_t samples) {
  System system;
  system.first_sample = first;
  system.samples = samples;
  EXPECT_EQ(word_groups_of<W>(system), divide_samples<W>(system).size()) << first << ":" << samples;
}

TEST(WordGroups, are_as_many_as_samples_are_divided_into) {
  const std::uint64_t upper = std::uint64_t{1} << 37;  // here the upper bits of the numbers of packs change
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{29}, std::uint64_t{64}, upper - 700, upper - 3, upper})
    for (const std::uint64_t samples : {1, 3, 32, 33, 64, 512, 513, 1000, 2048}) {
      expect_same_number<Word64>(first, samples);
      expect_same_number<Wide>(first, samples);
    }
}

TEST(WordGroups, of_no_samples_are_none) {
  EXPECT_EQ(word_groups_of<Word64>(System()), 0U);
  EXPECT_EQ(divide_samples<Word64>(System()).size(), 0U);
}

}  // namespace
}  // namespace psflip::cpu
