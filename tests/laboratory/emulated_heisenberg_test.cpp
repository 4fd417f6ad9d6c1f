#include <gtest/gtest.h>

#include "tests/emulated/cuda_on_cpu.hpp"
// after the definitions that it uses
#include "engine/laboratory/device/tiles/heisenberg_kernel.cuh"

// The kernels of the 2D Heisenberg model, run by the emulator of CUDA with its threads in random order: the spins of
// the CPU bit for bit, and its sums.
namespace psflip::laboratory {
namespace {

constexpr std::uint32_t seed = 3;

/// A lattice in arrays that the kernels update.
template <class Real>
struct EmulatedHeisenberg {
  std::vector<Real> x, y, z;
  HeisenbergStep<Real> step;

  explicit EmulatedHeisenberg(const HeisenbergPlan& plan)
      : step{{},
             plan.tile,
             plan.hits,
             heisenberg_key(plan.seed, Stream::metropolis, plan.L, plan.beta),
             {static_cast<Real>(plan.beta), static_cast<Real>(plan.cap)}} {
    const Key key = heisenberg_key(plan.seed, Stream::initial_spins, plan.L, plan.beta);
    for (std::uint32_t site = 0; site < static_cast<std::uint32_t>(plan.L * plan.L); ++site) {
      const Vector3<Real> spin = start_of_site<Polynomial<Real>>(key, site);
      x.push_back(spin.x);
      y.push_back(spin.y);
      z.push_back(spin.z);
    }
    step.lattice = {x.data(), y.data(), z.data(), plan.L};
  }

  template <bool CONE>
  void round(std::uint32_t number, std::uint32_t threads) {
    static std::uint32_t order = 1;
    const auto tiles = static_cast<std::uint32_t>(step.lattice.L / step.side);
    for (const int parity : {0, 1})
      emulated::run_grid(
          {tiles / 2, tiles, 1}, threads, 1, order += 1000,
          [&] {
            device::update_tile_of_block<Polynomial<Real>, CONE>(step, reinterpret_cast<Real*>(emulated::shared()),
                                                                 parity, number);
          },
          reals_of_tile(step.side) * sizeof(Real) / 4);
  }
  SpinSums sums() {
    constexpr int blocks = 3;
    std::vector<SpinSums> of_blocks(blocks), of_threads(device::threads_of_sums);
    emulated::run_grid({blocks, 1, 1}, device::threads_of_sums, 1, 7,
                       [&] { device::sum_rows_of_block(step.lattice, of_threads.data(), blocks, of_blocks.data()); });
    SpinSums all;
    for (const SpinSums& one : of_blocks) all.add(one);
    return all;
  }
  std::vector<double> spins() const {
    std::vector<double> all;
    for (std::size_t site = 0; site < x.size(); ++site) all.insert(all.end(), {x[site], y[site], z[site]});
    return all;
  }
};

template <class Real, bool CONE>
void expect_spins_of_cpu(int L, int tile, int hits, std::uint32_t threads) {
  const HeisenbergPlan plan{.L = L, .tile = tile, .hits = hits, .beta = 1.2, .cap = CONE ? 0.4 : 2, .seed = seed};
  const auto on_cpu = make_heisenberg(sizeof(Real) == 8 ? "double" : "float", plan);
  EmulatedHeisenberg<Real> emulated(plan);
  EXPECT_EQ(emulated.spins(), on_cpu->spins());
  on_cpu->advance(2);
  for (std::uint32_t number = 0; number < 2; ++number) emulated.template round<CONE>(number, threads);
  EXPECT_EQ(emulated.spins(), on_cpu->spins()) << "L " << L << ", tile " << tile << ", hits " << hits;
  const SpinSums a = on_cpu->sums(), b = emulated.sums();
  const double tolerance = 1e-12 * L * L;
  EXPECT_NEAR(a.energy, b.energy, tolerance);
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
  EXPECT_NEAR(a.deviation, b.deviation, 1e-16 * L * L);
}

TEST(EmulatedHeisenberg, has_the_spins_of_the_CPU_in_any_order_of_threads) {
  expect_spins_of_cpu<double, false>(16, 8, 3, 32);
  expect_spins_of_cpu<double, true>(32, 8, 2, 32);
  expect_spins_of_cpu<float, false>(32, 16, 2, 128);
  expect_spins_of_cpu<float, true>(16, 8, 1, 32);
}

TEST(EmulatedHeisenberg, has_them_with_fewer_threads_than_pairs_of_sites_too) {
  expect_spins_of_cpu<double, false>(32, 16, 2, 32);
  expect_spins_of_cpu<float, true>(24, 12, 2, 32);
}

}  // namespace
}  // namespace psflip::laboratory
