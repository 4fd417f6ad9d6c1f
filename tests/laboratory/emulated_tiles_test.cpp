#include <gtest/gtest.h>

#include <random>

#include "tests/emulated/cuda_on_cpu.hpp"
// after the definitions that it uses
#include "engine/laboratory/device/tiles/tile_kernel.cuh"
#include "engine/laboratory/multi_hit/rounds.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"

// The kernels of the double checkerboard, run by the emulator of CUDA with its threads in random order: the bits of the
// tiles of the CPU for every generator.
namespace psflip::laboratory {
namespace {

constexpr std::uint32_t seed = 5;
constexpr double beta = 0.3;

/// A block at a time; every launch has another order of threads.
template <class Body>
void launch(std::uint32_t blocks, std::uint32_t threads, std::size_t shared_words, const Body& body) {
  static std::uint32_t order = 1;
  for (std::uint32_t block = 0; block < blocks; ++block)
    emulated::run({1, threads, shared_words, {block}}, order += 1000, body);
}

/// The source of the kernel for a generator of the host, after each thread has taken some numbers.
template <class Host>
auto lcg_source(const Host& host) {
  auto states = host.states();
  return [states, &host](std::uint32_t /*taken*/, std::uint32_t /*pairs*/) mutable {
    using Word = typename decltype(states)::value_type;
    return device::LcgOfThreads<Word>{states.data(), host.a(), host.c()};
  };
}
template <class Word>
auto source_of(const SkippingLcg<Word>& host) {
  return lcg_source(host);
}
template <class Word>
auto source_of(const SeededLcg<Word>& host) {
  return lcg_source(host);
}
auto source_of(const PhiloxOfThread& host) {
  return [keys = KeySchedule(host.key())](std::uint32_t taken, std::uint32_t /*pairs*/) {
    return device::PhiloxOfThreads{keys, taken};
  };
}
template <class Recurrence>
auto source_of(const NumbersOfBlock<Recurrence>& host) {
  return [states = host.states()](std::uint32_t taken, std::uint32_t pairs) mutable {
    return device::SequenceOfBlocks<Recurrence>{states.data(), taken * pairs % Recurrence::words};
  };
}

std::vector<std::int8_t> random_spins(std::size_t sites) {
  std::mt19937 random(1);
  std::vector<std::int8_t> spins(sites);
  for (std::int8_t& spin : spins) spin = random() % 2 == 0 ? 1 : -1;
  return spins;
}

/// What the kernels made of a lattice.
struct Emulated {
  std::vector<std::int8_t> spins;
  std::vector<std::int64_t> changes;
};

template <bool ONE, bool TRACKED, int D, class Source>
void launch_tiles(const device::TiledView<D>& view, const Source& source, std::uint32_t parity, std::uint32_t hits,
                  Emulated& all, std::uint32_t threads) {
  launch(view.blocks(), threads, device::tile_shared_words<Source>(view.sites_of_copy()),
         [&] { device::tiles_kernel<D, Source, ONE, TRACKED>(view, source, parity, hits, all.changes.data()); });
}

/// `most_threads`: of a block, so that threads have several pairs of sites.
template <int D>
void expect_equal(const std::string& generator, int L, int tile, int hits, std::uint32_t most_threads = 1024) {
  const std::size_t sites = device::TiledView<D>::power(static_cast<std::uint32_t>(L));
  TiledFerromagnet<D> lattice(L, tile, random_spins(sites), flip_thresholds<D>(beta));
  const std::int64_t start = lattice.energy();
  Emulated found{lattice.spins(), std::vector<std::int64_t>(lattice.blocks())};
  const device::TiledView<D> view{found.spins.data(), static_cast<std::uint32_t>(L), static_cast<std::uint32_t>(tile),
                                  flip_thresholds<D>(beta)};
  ASSERT_EQ(view.blocks(), lattice.blocks());
  ASSERT_EQ(view.pairs(), lattice.threads_of_block());
  with_thread_generator(generator, lattice.threads(), lattice.blocks(), seed, [&](auto& numbers) {
    auto source = source_of(numbers);
    std::uint32_t taken = 0;
    for (int round = 0; round < 3; ++round)
      for (const int parity : {0, 1}) {
        const auto now = source(taken, view.pairs());
        using Source = std::decay_t<decltype(now)>;
        const std::uint32_t threads = std::min(device::tile_threads<Source>(view.pairs()), most_threads);
        const auto p = static_cast<std::uint32_t>(parity), k = static_cast<std::uint32_t>(hits);
        if (view.pairs() <= threads)
          launch_tiles<true, true>(view, now, p, k, found, threads);
        else
          launch_tiles<false, true>(view, now, p, k, found, threads);
        taken += 2 * k;
        lattice.update(parity, hits, numbers);
        ASSERT_EQ(found.spins, lattice.spins()) << generator << ", L " << L << ", tile " << tile << ", hits " << hits;
        std::int64_t energy = start;
        for (const std::int64_t change : found.changes) energy += change;
        ASSERT_EQ(energy, lattice.counted_energy());
      }
  });
  EXPECT_NE(lattice.spins(), random_spins(sites));
}

class EmulatedTiles : public testing::TestWithParam<std::string> {};

TEST_P(EmulatedTiles, have_the_spins_and_the_energy_of_the_CPU_in_two_dimensions) {
  expect_equal<2>(GetParam(), 8, 2, 3);
  expect_equal<2>(GetParam(), 16, 4, 1);
  expect_equal<2>(GetParam(), 24, 6, 3);
  expect_equal<2>(GetParam(), 32, 16, 5);
}

TEST_P(EmulatedTiles, have_the_spins_and_the_energy_of_the_CPU_in_three_dimensions) {
  expect_equal<3>(GetParam(), 8, 2, 2);
  expect_equal<3>(GetParam(), 8, 4, 3);
  expect_equal<3>(GetParam(), 16, 8, 1);
}

TEST_P(EmulatedTiles, may_have_more_sites_than_threads) {
  expect_equal<2>(GetParam(), 32, 16, 3, 32);
  expect_equal<2>(GetParam(), 24, 12, 2, 64);
  expect_equal<2>(GetParam(), 64, 32, 1);
  expect_equal<3>(GetParam(), 16, 8, 2, 96);
}

INSTANTIATE_TEST_SUITE_P(Generator, EmulatedTiles, testing::ValuesIn(thread_generators()),
                         [](const auto& generator) { return generator.param; });

TEST(EmulatedTilesWithoutEnergy, have_the_spins_of_tiles_with_it) {
  constexpr std::uint32_t L = 32, tile = 8;
  Emulated tracked{random_spins(L * L), std::vector<std::int64_t>(8)}, untracked = tracked;
  for (Emulated* all : {&tracked, &untracked}) {
    const device::TiledView<2> view{all->spins.data(), L, tile, flip_thresholds<2>(beta)};
    const device::PhiloxOfThreads source{KeySchedule({seed, 0}), 0};
    if (all == &tracked)
      launch_tiles<true, true>(view, source, 0, 3, *all, 32);
    else
      launch_tiles<true, false>(view, source, 0, 3, *all, 32);
  }
  EXPECT_EQ(untracked.spins, tracked.spins);
  EXPECT_NE(tracked.changes, untracked.changes);
  EXPECT_EQ(untracked.changes, std::vector<std::int64_t>(8));
}

TEST(EmulatedMeasurement, adds_the_changes_of_all_blocks_and_all_spins) {
  const std::vector<std::int8_t> spins = random_spins(1000);
  std::vector<std::int64_t> changes(300);
  for (std::size_t i = 0; i < changes.size(); ++i) changes[i] = 100 - static_cast<std::int64_t>(i * i);
  std::int64_t energy = 7, magnetization = -3, untouched = 5;
  const auto measure = [&](std::int64_t* e, std::int64_t* m) {
    launch(3, 64, 4, [&] { device::measure_kernel(changes.data(), 300, spins.data(), 1000, 3 * 64, e, m); });
  };
  measure(&energy, &magnetization);
  EXPECT_EQ(energy, std::accumulate(changes.begin(), changes.end(), std::int64_t{7}));
  EXPECT_EQ(magnetization, std::accumulate(spins.begin(), spins.end(), std::int64_t{-3}));
  measure(&untouched, nullptr);
  EXPECT_EQ(untouched, energy - 2);
}

}  // namespace
}  // namespace psflip::laboratory
