#include <gtest/gtest.h>

#include "engine/laboratory/glass2d/square_glass.hpp"
#include "tests/emulated/cuda_on_cpu.hpp"
// After the features of CUDA that it uses.
#include "engine/laboratory/device/square_glass_sweeps.cuh"
#include "tests/oracle/oracle.hpp"

// The threads and thread blocks of the 2D spin glass, emulated on a CPU in random order, have the spins of the oracle.
namespace psflip::laboratory {
namespace {

constexpr std::uint32_t half_sweeps = 6;

/// [group][place] of the host to [place][group], or back with `rows` places.
template <class E>
std::vector<E> transposed(const std::vector<E>& elements, std::size_t rows) {
  std::vector<E> all(elements.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i % (all.size() / rows) * rows + i / (all.size() / rows)] = elements[i];
  return all;
}

template <class E>
std::vector<std::int8_t> emulated_spins(const System& system, std::uint32_t seed) {
  const bool is_byte = sizeof(E) == 1;
  SquareGlass<E> host(system);
  std::vector<E> spins = host.elements(), couplings = host.couplings();
  if (is_byte) {
    spins = transposed(spins, host.groups());
    couplings = transposed(couplings, host.groups());
  }
  const auto groups = static_cast<std::uint32_t>(host.groups()), L = static_cast<std::uint32_t>(system.L);
  const device::GlassArrays<E> glass{spins.data(), couplings.data(), L, groups};
  const Thresholds thresholds = square_glass_thresholds(system.betas[0], AddressedPhilox::most);
  const Key key = glass_numbers(system, 0, 0).key;
  const std::uint32_t threads = 64, blocks = is_byte ? (groups + threads - 1) / threads : groups;
  const std::uint32_t rows = is_byte ? 1 : threads / (L / 2);  // L / 2 threads in each row
  const std::size_t shared_words = std::size_t{3} * L * L * sizeof(E) / 4;
  const auto body = [&] {
    device::sweep_groups(glass, thresholds, half_sweeps, emulated::shared(), [&](std::uint32_t h, std::uint32_t group) {
      return AddressedGlassNumbers{key, h, GlassStorage<E>::pack_of(group)};
    });
  };
  emulated::run({blocks, threads, shared_words, {0}, rows}, seed, body);
  host.elements() = is_byte ? transposed(spins, host.sites()) : spins;
  return host.spins();
}

class EmulatedGlass2d : public testing::TestWithParam<int> {};

TEST_P(EmulatedGlass2d, has_the_spins_of_the_oracle_in_any_order_of_threads) {
  const System system = square_glass_system(GetParam(), 0.7, 192, 1, 20240607);
  oracle::Oracle oracle(system);
  oracle.advance(half_sweeps / 2);
  const std::vector<std::int8_t> expected = oracle.spins();
  for_each_glass_storage([&]<class E>() {
    for (const std::uint32_t seed : {1u, 2u})
      EXPECT_TRUE(emulated_spins<E>(system, seed) == expected) << GlassStorage<E>::name;
  });
}
INSTANTIATE_TEST_SUITE_P(L, EmulatedGlass2d, testing::Values(4, 8, 16), testing::PrintToStringParamName());

}  // namespace
}  // namespace psflip::laboratory
