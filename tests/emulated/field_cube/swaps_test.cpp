#include <gtest/gtest.h>

#include <random>

#include "emulated_lattices.hpp"
#include "engine/cuda/tempering/field_cube/counts.cuh"

// Exchanges of slots with and without a measurement.
namespace psflip::cuda {
namespace {

struct Swapped {
  Words32 spins;
  std::vector<int> counts;
};

/// Spins and counts after a round that tries pairs whose colder slots have the parity `odd`.
template <bool MEASURED>
Swapped swapped(Words32 spins, const FieldCubeShape& shape, std::uint32_t odd, const Words32& masks) {
  std::vector<int> counts(32 * shape.count_rows() * shape.packs);
  const std::uint32_t groups = SlotGroup::number_of(shape.slots - 1, odd) + 1;
  launch({blocks_for(2 * shape.sites, 8 * swap_steps * swap_threads), groups, shape.packs}, swap_threads, [&] {
    swap_kernel<MEASURED>(reinterpret_cast<uint4*>(spins.data()), shape, 0, odd, masks.data(), counts.data());
  });
  return {spins, counts};
}

/// Sites where the sets of a slot differ in a sample.
int differing(const Words32& spins, const FieldCubeShape& shape, std::uint32_t pack, std::uint32_t slot, int sample) {
  int count = 0;
  for (std::uint32_t site = 0; site < 2 * shape.sites; ++site)
    count += static_cast<int>(
        (spins[shape.unit_spins(pack, 2 * slot) + site] ^ spins[shape.unit_spins(pack, 2 * slot + 1) + site]) >>
            sample &
        1u);
  return count;
}

TEST(EmulatedSwaps, move_the_same_spins_with_and_without_a_measurement_and_only_the_former_counts) {
  const std::uint32_t L = 18, sites = L * L * L / 2;  // two blocks of a configuration
  const FieldCubeShape shape{{L, sites, 2, 0, 5, 2, 2 * sites, sites, nullptr}};
  std::mt19937 random(7);
  Words32 spins(shape.spins(shape.packs, 0)), masks(std::size_t{2} * shape.packs * shape.slots);
  for (std::uint32_t& word : spins) word = static_cast<std::uint32_t>(random());
  for (std::uint32_t& mask : masks) mask = static_cast<std::uint32_t>(random());
  masks[shape.unit(0, 0, 1)] = 0;  // of one set nothing is exchanged
  for (const std::uint32_t set : {0u, 1u}) masks[shape.unit(1, 1, set)] = masks[shape.unit(1, 2, set)] = 0;  // of none
  for (const std::uint32_t odd : {0u, 1u}) {
    Words32 expected = spins;
    for (std::uint32_t pack = 0; pack < shape.packs; ++pack)
      for (std::uint32_t k = odd; k + 1 < shape.slots; k += 2)
        for (std::size_t i = 0; i < 4 * shape.sites; ++i) {
          std::uint32_t &cold = expected[shape.unit_spins(pack, 2 * k) + i],
                        &hot = expected[shape.unit_spins(pack, 2 * k + 2) + i];
          const std::uint32_t d = (cold ^ hot) & masks[shape.unit(pack, k, i < 2 * shape.sites ? 0 : 1)];
          cold ^= d;
          hot ^= d;
        }
    const Swapped thin = swapped<false>(spins, shape, odd, masks), full = swapped<true>(spins, shape, odd, masks);
    EXPECT_TRUE(thin.spins == expected && full.spins == expected);
    EXPECT_TRUE(thin.counts == std::vector<int>(thin.counts.size(), 0));
    for (std::uint32_t pack = 0; pack < shape.packs; ++pack)
      for (std::uint32_t slot = 0; slot < shape.slots; ++slot)
        for (int sample = 0; sample < 32; ++sample)
          ASSERT_EQ(full.counts[shape.differing(pack, slot) + static_cast<std::size_t>(sample)],
                    differing(expected, shape, pack, slot, sample));
  }
}

}  // namespace
}  // namespace psflip::cuda
