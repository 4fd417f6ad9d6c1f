#include <fmt/format.h>

#include <random>

#include "on_gpu.hpp"
#include "system_shapes.hpp"
#include "tests/oracle/oracle.hpp"

namespace psflip::equality {
namespace {

/// Lattices on both sides of every border of the counting kernels: columns that fill a warp and that do not, lines that
/// share one, tails of eight steps, counts that fill a byte, traversals in several segments; several packs with ends
/// inside.
class CudaMeasurements : public SystemOnGpu {};

/// Replicas that are random, all -1, striped along each axis and almost ordered, one after the other.
PackedSigns patterns(const System& s) {
  std::mt19937 random(static_cast<std::uint32_t>(s.L));
  const auto L = static_cast<std::uint64_t>(s.L);
  std::vector<std::int8_t> spins;
  spins.reserve(s.samples * static_cast<std::uint64_t>(s.replicas) * s.sites());
  for (std::uint64_t k = 0; k < s.samples * static_cast<std::uint64_t>(s.replicas); ++k) {
    for (std::uint64_t site = 0; site < s.sites(); ++site) {
      const std::uint64_t coordinates[] = {site % L, site / L % L, site / (L * L)};
      const bool minus[] = {(random() & 1u) != 0,   true,
                            2 * coordinates[0] < L, 2 * coordinates[1] < L,
                            2 * coordinates[2] < L, random() % 64 == 0};
      spins.push_back(minus[k % 6] ? std::int8_t{-1} : std::int8_t{1});
    }
  }
  return pack_signs(spins, s.sites());
}

TEST_P(CudaMeasurements, are_those_of_the_oracle) {
  oracle::Oracle oracle(system());
  const auto engine = cuda::make_engine(system());
  const PackedSigns spins = patterns(system());
  for (Engine* each : {static_cast<Engine*>(&oracle), engine.get()}) {
    each->restore_spins(0, spins);
    each->restore(4);
  }
  expect_equal_state(*engine, oracle, system());
  expect_equal_state(*engine, oracle, system());  // a measurement leaves nothing behind for the next
}

std::vector<NamedSystem> measured_systems() {
  std::vector<NamedSystem> systems;
  for (const Shape& shape : {Shape{4, 70, 1},
                             {4, 70, 3},
                             {4, 70, 8},
                             {4, 48000, 8},  // more packs than are counted at once
                             {6, 70, 3},
                             {6, 35, 8},
                             {10, 35, 1},
                             {10, 66, 3},
                             {10, 35, 8},
                             {16, 35, 4},
                             {30, 7, 3},
                             {32, 7, 5},
                             {34, 7, 3},
                             {62, 6, 2},
                             {64, 3, 3},
                             {66, 3, 3},
                             {128, 2, 3},
                             {130, 2, 2}})
    systems.push_back(spin_glass(shape, Random::shared));
  for (const int L : {4, 6, 10, 62, 64, 66, 130, 248, 250, 496, 510})
    systems.push_back(square_ferromagnet({L, 35}, Packing::samples));
  for (NamedSystem& named : systems) named.system.start = Start::ordered;
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaMeasurements, testing::ValuesIn(measured_systems()), name_of_system);

}  // namespace
}  // namespace psflip::equality
