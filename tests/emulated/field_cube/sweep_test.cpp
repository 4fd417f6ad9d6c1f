#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "emulated_lattices.hpp"
#include "engine/cuda/tempering/field_cube/sweep_kernel.cuh"
#include "engine/models/tables.hpp"
#include "engine/random/address.hpp"

// Half sweeps of two sets of a random field on a cubic lattice: kernels for one size and for all, with configurations
// in shared or in global memory, against loops over x, y and z.
namespace psflip::cuda {
namespace {

constexpr std::uint32_t slots = 2, packs = 2, first_half_sweep = 5;

struct Configurations {
  FieldCubeShape shape;
  std::vector<std::uint64_t> pack_numbers = {3, 4};
  Words32 spins, fields;

  explicit Configurations(std::uint32_t L)
      : shape{{L, L * L * L / 2, 2, 0, slots, packs, L * L * L / 2, L * L * L, nullptr}} {
    shape.pack_numbers = pack_numbers.data();
    spins.resize(shape.unit_spins(packs, 0));
    fields.resize(shape.fields(packs));
    std::mt19937 random(L);
    for (std::uint32_t& word : spins) word = static_cast<std::uint32_t>(random());
    for (std::uint32_t& word : fields) word = static_cast<std::uint32_t>(random());
  }
};

std::uint32_t site_at(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t L) {
  return ((z % L) * L + y % L) * (L / 2) + x % L / 2;
}

/// The lanes of a site that flip.
std::uint32_t flips(const HalfSweepNumbers& numbers, std::uint32_t site, std::uint32_t set, std::uint32_t spin,
                    const std::uint32_t (&neighbour)[6], std::uint32_t field, const FieldThresholds& t) {
  Four<std::uint32_t> planes[2];
  numbers.draw<2>(site, {set, set}, {0, 1}, planes);
  std::uint32_t flip = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto bit = [&](std::uint32_t word) { return word >> lane & 1u; };
    std::uint32_t n = 0, first_bits = 0;
    for (const std::uint32_t word : neighbour) n += bit(word ^ spin);
    for (int j = 0; j < plane_count; ++j) first_bits = 2 * first_bits + bit(planes[j / 4].x[j % 4]);
    const std::uint32_t f = bit(spin ^ field), below = t.below[f][n], first = below >> (32 - plane_count);
    bool is_flipped = t.always[f][n] || first_bits < first;
    if (!is_flipped && first_bits == first)
      is_flipped = numbers.draw(site, 0, residual_draw + lane).x[set] < below << plane_count;
    flip |= (is_flipped ? 1u : 0u) << lane;
  }
  return flip;
}

/// A half sweep of one configuration by loops.
void sweep_by_loops(std::uint32_t* spins, const std::uint32_t* fields, std::uint32_t L, std::uint32_t h,
                    std::uint32_t set, const HalfSweepNumbers& numbers, const FieldThresholds& t) {
  const std::uint32_t sites = L * L * L / 2, parity = h & 1u;
  const std::uint32_t* other = spins + (1 - parity) * sites;
  for (std::uint32_t z = 0; z < L; ++z)
    for (std::uint32_t y = 0; y < L; ++y)
      for (std::uint32_t x = (y + z + parity) & 1u; x < L; x += 2) {
        const std::uint32_t site = site_at(x, y, z, L);
        const std::uint32_t neighbour[6] = {other[site_at(x + 1, y, z, L)], other[site_at(x + L - 1, y, z, L)],
                                            other[site_at(x, y + 1, z, L)], other[site_at(x, y + L - 1, z, L)],
                                            other[site_at(x, y, z + 1, L)], other[site_at(x, y, z + L - 1, L)]};
        std::uint32_t& spin = spins[parity * sites + site];
        spin ^= flips(numbers, site, set, spin, neighbour, fields[parity * sites + site], t);
      }
}

Words32 swept_by_loops(const Configurations& c, const KeySchedule& keys, const std::vector<FieldThresholds>& thresholds,
                       std::uint32_t half_sweeps) {
  Words32 spins = c.spins;
  for (std::uint32_t pack = 0; pack < packs; ++pack)
    for (std::uint32_t unit = 0; unit < 2 * slots; ++unit)
      for (std::uint32_t h = first_half_sweep; h < first_half_sweep + half_sweeps; ++h)
        sweep_by_loops(spins.data() + c.shape.unit_spins(pack, unit), c.fields.data() + c.shape.fields(pack), c.shape.L,
                       h, unit % 2, HalfSweepNumbers(keys, c.pack_numbers[pack], h, unit / 2), thresholds[unit / 2]);
  return spins;
}

template <class Known, class Scheme>
Words32 swept_by_kernel(Configurations c, const KeySchedule& keys, const std::vector<FieldThresholds>& thresholds,
                        std::uint32_t half_sweeps) {
  const std::uint32_t L = c.shape.L;
  ThresholdList<Scheme> list{};
  for (std::size_t slot = 0; slot < slots; ++slot) list.slot[slot] = slot_thresholds<Scheme>(thresholds[slot]);
  const ZSweepShape shape = Known::persistent ? persistent_shape(L) : global_memory_shape(L);
  const Traversals<3> traversals(L);
  std::vector<int> counts(32 * c.shape.count_rows() * packs);
  FieldCubeSweep job{c.spins.data(),   c.fields.data(), c.shape,       0,   slots,
                     first_half_sweep, half_sweeps,     counts.data(), true};
  const std::size_t words = LaneQueue<Scheme>::words * (shape.threads / 32) + (Known::persistent ? L * L * L : 0);
  for (std::uint32_t k = 0; k < (Known::persistent ? 1 : half_sweeps); ++k, ++job.first_half_sweep)
    launch(
        {blocks_of(shape, L), 2 * slots, packs}, shape.threads,
        [&] { sweep_kernel<Known, Scheme>(job, shape, traversals, keys, list); }, 1, words);
  return c.spins;
}

template <int KNOWN_L, bool PERSISTENT>
void compare(std::uint32_t L, double h, std::uint32_t half_sweeps) {
  SCOPED_TRACE(testing::Message() << "L = " << L << ", h = " << h);
  System system;
  system.model = Model::rfim3d;
  system.h = h;
  const std::vector<FieldThresholds> thresholds = {make_field_thresholds(system, 0.25),
                                                   make_field_thresholds(system, 0.22)};
  const KeySchedule keys(Key{1, 2});
  const Configurations c(L);
  const Words32 expected = swept_by_loops(c, keys, thresholds, half_sweeps);
  ASSERT_NE(expected, c.spins);
  with_field_scheme(thresholds, [&]<class Scheme>() {
    const auto found = swept_by_kernel<KnownZSweep<KNOWN_L, PERSISTENT>, Scheme>(c, keys, thresholds, half_sweeps);
    EXPECT_TRUE(found == expected);
  });
}

TEST(FieldSweep, of_any_size_in_shared_memory_is_that_of_loops) {
  for (const std::uint32_t L : {4, 6, 10, 14, 18})  // segments of 1, 2 and 4 m sites, and of 4 m + 2
    for (const double h : {0.0, 0.5, 1.0, 2.0}) compare<0, true>(L, h, 3);
  compare<0, true>(26, 1, 2);
}

TEST(FieldSweep, of_any_size_in_global_memory_is_that_of_loops) {
  for (const std::uint32_t L : {4, 6, 10, 22})
    for (const double h : {0.0, 0.5, 1.0, 2.0}) compare<0, false>(L, h, 3);
  for (const std::uint32_t L : {28, 34}) compare<0, false>(L, 0.5, 2);  // warps without sites, threads with fewer
}

TEST(FieldSweep, of_a_size_with_a_kernel_of_its_own_is_that_of_loops) {
  for (const double h : {0.0, 0.5, 1.0, 2.0}) {
    compare<8, true>(8, h, 3);
    compare<12, true>(12, h, 3);
    compare<32, false>(32, h, 1);
  }
  compare<48, false>(48, 0, 1);
}

TEST(FieldSweep, blocks_of_a_plane_have_few_idle_warps) {
  for (std::uint32_t L = 4; L <= 128; L += 2) {
    const ZSweepShape shape = global_memory_shape(L);
    const std::uint32_t plane = L * L / 2, needed = (plane + 31) / 32,
                        blocks = (plane + shape.columns - 1) / shape.columns;
    EXPECT_LE(20 * (blocks * shape.threads / 32), 21 * needed + 20) << L;
    EXPECT_EQ(shape.segment % sites_at_once, 0U) << L;
    EXPECT_LE(shape.threads, 256U) << L;
    EXPECT_LE(shape.segment, most_sites_of_thread) << L;
  }
}

}  // namespace
}  // namespace psflip::cuda
