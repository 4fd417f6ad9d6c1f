#include <gtest/gtest.h>

#include "engine/cpu/cpu.hpp"

// Lattices that the CPU engine updates in tiles (engine/cpu/tiles.hpp), compared with 64-bit words: their lattices are
// smaller than the smallest that is updated in tiles, and test_equality compares them with the oracle.
namespace psflip::equality {
namespace {

System glass(int L, Random random, int replicas) {
  System system;
  system.model = Model::ea3d;
  system.L = L;
  system.betas = {0.9};
  system.first_sample = 0;
  system.samples = 512;
  system.replicas = replicas;
  system.seed = 11;
  system.random = random;
  system.round.half_sweeps = 7;  // two rounds: one pass of eight half sweeps and one of six
  return system;
}

void compare_with_narrow_words(const System& system) {
  const auto narrow = cpu::make_engine(system, 1, 64);
  narrow->advance(2);
  const PackedSigns expected = narrow->packed_spins(0);
  for (const int bits : cpu::supported_word_bits()) {
    if (bits == 64) continue;
    const auto wide = cpu::make_engine(system, 1, bits);
    const PackedSigns start = wide->packed_spins(0);
    EXPECT_NE(start.words, expected.words);
    wide->advance(2);
    EXPECT_EQ(wide->packed_spins(0).words, expected.words) << "words of " << bits << " bits";
  }
}

TEST(Tiles, of_shared_numbers_have_the_spins_of_lattices_without_tiles) {
  compare_with_narrow_words(glass(32, Random::shared, 4));
}

TEST(Tiles, of_independent_numbers_have_the_spins_of_lattices_without_tiles) {
  compare_with_narrow_words(glass(104, Random::independent, 1));
}

}  // namespace
}  // namespace psflip::equality
