#include <gtest/gtest.h>

#include "cubic_loops.hpp"
#include "engine/cuda/sweep/temporal/temporal_kernel.cuh"

// temporal_kernel, run by the emulator, compared with plain loops over the same words.
namespace psflip::cuda {
namespace {

/// Passes of all packs from half sweep 6 on, of two packs at a time: with an odd number of packs some launches execute
/// tasks of two passes. After an even number of passes the spins are in `even`.
template <class Known, int CHUNK, int G>
void run_passes(std::uint32_t passes, const Layout& layout, Words32& even, Words32& odd, const Words32& couplings,
                std::uint32_t packs, std::uint32_t first_replica, std::uint32_t seed) {
  const std::uint32_t L = layout.L, at_once = std::min(2u, packs), tasks = passes * packs;
  const RowBlockShape shape = choose_row_blocks(L, 227 * 1024, 132);
  const KeySchedule keys(Key{1, 2});
  std::vector<uint4> packets(std::size_t{at_once} * shape.blocks * 2 * RowBlockHalo<G>::of_side, uint4{0, 0, 0, 0});
  std::uint32_t sequence = 1;
  for (std::uint32_t first = 0; first < tasks; first += at_once, sequence += L + 2 * planes_beyond) {
    const std::uint32_t blocks = std::min(at_once, tasks - first) * shape.blocks;
    emulated::run({blocks, shape.threads(L), ring_bytes(L, shape.rows, G) / 4}, seed++, [&] {
      temporal_kernel<Known, CHUNK, SharedDecision<G>>(even.data(), odd.data(), couplings.data(), layout, keys,
                                                       TemporalTasks{packs, first, 6}, first_replica, shape,
                                                       HaloPackets{packets.data(), sequence}, {warm_thresholds()});
    });
  }
}

/// Passes of G replicas from first_replica on out of `replicas`, both ways.
template <class Known, int CHUNK, int G>
void compare(std::uint32_t L, std::uint32_t packs, std::uint32_t replicas, std::uint32_t first_replica,
             std::uint32_t passes = 2) {
  for (const std::uint32_t seed : {1u, 100u}) {
    const Layout layout{L, L * L * L / 2, replicas, 5};
    Words32 spins = random_words(std::size_t{2} * packs * replicas * layout.sites, 7), scratch = spins;
    const Words32 couplings = random_words(std::size_t{6} * packs * layout.sites, 8);
    Words32 expected = spins;
    const KeySchedule keys(Key{1, 2});
    for (std::uint32_t pack = 0; pack < packs; ++pack)
      for (std::uint32_t h = 6; h < 6 + 4 * passes; ++h)
        half_sweep<G>(layout.view<3>(expected.data(), couplings.data(), pack, first_replica), L, h & 1u,
                      HalfSweep(keys, layout.first_pack + pack, h, first_replica), warm_thresholds());
    run_passes<Known, CHUNK, G>(passes, layout, spins, scratch, couplings, packs, first_replica, seed);
    EXPECT_TRUE((passes % 2 ? scratch : spins) == expected) << "seed " << seed;
  }
}

TEST(TemporalBlocking, of_an_odd_number_of_words_agree_with_loops) { compare<KnownRowBlocks<0, 4>, 2, 4>(42, 1, 4, 0); }
TEST(TemporalBlocking, of_one_replica_behind_four_agree_with_loops) {
  compare<KnownRowBlocks<0, 1>, 2, 1>(46, 3, 5, 4, 3);
}
TEST(TemporalBlocking, of_three_replicas_agree_with_loops) { compare<KnownRowBlocks<0, 3>, 4, 3>(48, 1, 3, 0); }
TEST(TemporalBlocking, of_a_known_size_agree_with_loops) { compare<KnownRowBlocks<48, 4>, 4, 4>(48, 1, 4, 0); }
TEST(TemporalBlocking, of_a_known_odd_number_of_words_agree_with_loops) {
  compare<KnownRowBlocks<66, 4>, 2, 4>(66, 1, 4, 0);
}
TEST(TemporalBlocking, of_known_row_blocks_of_two_heights_agree_with_loops) {
  compare<KnownRowBlocks<50, 4>, 2, 4>(50, 1, 4, 0);
  compare<KnownRowBlocks<62, 4>, 2, 4>(62, 1, 4, 0);
}

}  // namespace
}  // namespace psflip::cuda
