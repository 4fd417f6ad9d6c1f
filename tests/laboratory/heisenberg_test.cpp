#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/io/error.hpp"
#include "engine/laboratory/heisenberg/plain.hpp"
#include "engine/laboratory/heisenberg/run.hpp"
#include "engine/laboratory/heisenberg/shared_memory.hpp"

// The 2D Heisenberg model: its functions, the update of one spin, equal bits of all orders, exact energies.
namespace psflip::laboratory {
namespace {

constexpr std::uint32_t seed = 3;

template <class Real>
struct Accuracy {
  double circle, exp;  ///< largest deviation of a cosine or sine, largest relative deviation of an exponential
};

/// Of the functions, against the C library in long double.
template <class Real>
Accuracy<Real> accuracy() {
  Accuracy<Real> worst{0, 0};
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const std::uint32_t word = i * 2654435761u;
    Real c, s;
    Polynomial<Real>::circle(word, c, s);
    // The angle that the word means: the lower 30 bits from -pi/4 to pi/4, bit 31 mirrors, bit 30 exchanges.
    constexpr long double pi = 3.14159265358979323846L;
    long double angle = pi / 4 * static_cast<long double>(Polynomial<Real>::unit(word << 2));
    if ((word >> 31) != 0) angle = pi - angle;
    if ((word >> 30) % 2 != 0) angle = pi / 2 - angle;
    const auto deviation = [](Real found, long double exact) { return static_cast<double>(std::abs(found - exact)); };
    worst.circle = std::max({worst.circle, deviation(c, std::cos(angle)), deviation(s, std::sin(angle))});
    const Real y = static_cast<Real>(-20.0 * word / 4294967296.0);
    const double exact = std::exp(static_cast<double>(y));
    worst.exp = std::max(worst.exp, std::abs(static_cast<double>(Polynomial<Real>::exp(y)) - exact) / exact);
  }
  return worst;
}

TEST(HeisenbergFunctions, are_those_of_the_C_library_within_two_units_in_the_last_place) {
  EXPECT_LT(accuracy<double>().circle, 2 * 0x1p-53);
  EXPECT_LT(accuracy<double>().exp, 4 * 0x1p-53);
  EXPECT_LT(accuracy<float>().circle, 2 * 0x1p-24);
  EXPECT_LT(accuracy<float>().exp, 4 * 0x1p-24);
  EXPECT_EQ(Polynomial<double>::exp(0), 1);
  EXPECT_EQ(Polynomial<float>::exp(0), 1);
  EXPECT_LT(Polynomial<double>::exp(-1e300), 1e-300);
  EXPECT_LT(Polynomial<float>::exp(-1e30F), 1e-37F);
}

TEST(HeisenbergFunctions, units_are_symmetric_and_never_reach_their_limits) {
  for (const std::uint32_t word : {0u, 1u, 12345u, 0x7fffffffu}) {
    EXPECT_EQ(unit_of<double>(word), -unit_of<double>(~word));
    EXPECT_EQ(unit_of<float>(word), -unit_of<float>(~word));
  }
  EXPECT_EQ(unit_of<double>(0x7fffffffu), 1 - 0x1p-32);
  EXPECT_EQ(unit_of<float>(0x7fffffffu), 1 - 0x1p-24F);
}

struct Mean {
  double value, error;
};

/// <cos> of one spin in a field h along an axis without symmetry, from `chains` independent chains.
template <class Math, bool CONE>
Mean mean_cosine(double beta_h, double cap) {
  using Real = typename Math::Real;
  constexpr int chains = 256, discarded = 200, visits = 4000;
  const double direction[3] = {2 / 7.0, -3 / 7.0, 6 / 7.0}, h = 1.75;
  const Vector3<Real> field = {static_cast<Real>(h * direction[0]), static_cast<Real>(h * direction[1]),
                               static_cast<Real>(h * direction[2])};
  const SiteRule<Real> rule{static_cast<Real>(beta_h / h), static_cast<Real>(cap)};
  const Key key = heisenberg_key(seed, Stream::metropolis, 4, beta_h);
  double sum = 0, squares = 0;
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    Vector3<Real> spin = {1, 0, 0};
    double mean = 0;
    for (std::uint32_t visit = 0; visit < discarded + visits; ++visit) {
      try_spin<Math, CONE>(spin, field, numbers_of_visit(key, chain, visit), rule);
      if (visit >= discarded) mean += (spin.x * direction[0] + spin.y * direction[1] + spin.z * direction[2]) / visits;
    }
    sum += mean / chains;
    squares += mean * mean / chains;
  }
  return {sum, std::sqrt((squares - sum * sum) / (chains - 1))};
}

double langevin(double y) { return 1 / std::tanh(y) - 1 / y; }

/// Twelve means with a fixed seed: the largest of twelve deviations exceeds 3.5 sigma with probability 0.006. The
/// errors are at most 0.002, so that a wrong measure of the directions is found.
TEST(HeisenbergSite, has_the_mean_cosine_of_a_spin_in_a_field) {
  const auto expect_exact = [](const Mean& mean, double beta_h, const char* what) {
    EXPECT_LT(std::abs(mean.value - langevin(beta_h)), 3.5 * mean.error) << what << ", beta h = " << beta_h;
    EXPECT_LT(mean.error, 0.002) << what;
  };
  for (const double beta_h : {0.5, 2.0, 5.0}) {
    expect_exact(mean_cosine<Polynomial<double>, false>(beta_h, 2), beta_h, "double");
    expect_exact(mean_cosine<Polynomial<float>, false>(beta_h, 2), beta_h, "float");
    expect_exact(mean_cosine<Polynomial<double>, true>(beta_h, 0.5), beta_h, "double, cone");
    expect_exact(mean_cosine<Polynomial<float>, true>(beta_h, 0.5), beta_h, "float, cone");
  }
}

TEST(HeisenbergSite, a_proposal_in_a_cone_is_a_unit_vector_in_the_cone) {
  constexpr double cap = 0.3;
  double mean = 0;
  constexpr std::uint32_t count = 20000;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Key key{seed, 0};
    const Vector3<double> spin = start_of_site<Polynomial<double>>(key, i);
    const Four<std::uint32_t> numbers = numbers_of_visit(key, i, 1);
    const auto next = direction_in_cone<Polynomial<double>>(spin, cap, numbers.x[0], numbers.x[1]);
    EXPECT_NEAR(dot(next, next), 1, 1e-15);
    ASSERT_GT(dot(next, spin), 1 - cap - 1e-12);
    mean += dot(next, spin) / count;
  }
  EXPECT_NEAR(mean, 1 - cap / 2, 4 * cap / std::sqrt(12.0 * count));
}

HeisenbergPlan plan_of(int L, int tile, int hits, double beta, double cap = 2) {
  return {.L = L, .tile = tile, .hits = hits, .beta = beta, .cap = cap, .seed = seed};
}

TEST(HeisenbergTiles, have_the_bits_of_the_plain_reference_in_the_same_order) {
  for (const double cap : {2.0, 0.4})
    for (const auto& [L, tile, hits] :
         {std::array{4, 2, 1}, {8, 2, 3}, {8, 4, 2}, {24, 6, 1}, {32, 16, 5}, {64, 32, 2}}) {
      const HeisenbergPlan plan = plan_of(L, tile, hits, 1.2, cap);
      const auto tiles = make_heisenberg("double", plan);
      PlainHeisenberg plain(plan);
      const std::vector<double> start = plain.spins();
      EXPECT_EQ(tiles->spins(), start);
      tiles->advance(3);
      plain.advance(3);
      EXPECT_NE(plain.spins(), start);
      EXPECT_EQ(tiles->spins(), plain.spins())
          << "L " << L << ", tile " << tile << ", hits " << hits << ", cap " << cap;
      EXPECT_NEAR(tiles->sums().energy, plain.energy(), 1e-11 * L * L);
    }
}

/// Threads of a block share a tile between two barriers. Any order of threads gives the same bits.
template <class Real>
std::vector<double> spins_of_threads(const HeisenbergPlan& plan, int rounds, int threads) {
  using Math = Polynomial<Real>;
  std::vector<Real> components[3], memory(reals_of_tile(plan.tile));
  const Key start = heisenberg_key(seed, Stream::initial_spins, plan.L, plan.beta);
  const auto sites = static_cast<std::uint32_t>(plan.L * plan.L);
  for (std::uint32_t site = 0; site < sites; ++site) {
    const Vector3<Real> spin = start_of_site<Math>(start, site);
    components[0].push_back(spin.x);
    components[1].push_back(spin.y);
    components[2].push_back(spin.z);
  }
  const SpinArrays<Real> lattice{components[0].data(), components[1].data(), components[2].data(), plan.L};
  const HeisenbergStep<Real> step{lattice,
                                  plan.tile,
                                  plan.hits,
                                  heisenberg_key(seed, Stream::metropolis, plan.L, plan.beta),
                                  {static_cast<Real>(plan.beta), static_cast<Real>(plan.cap)}};
  const auto each = [&](auto f) {
    for (int thread = threads - 1; thread >= 0; --thread) f(thread);
  };
  const int tiles = plan.L / plan.tile;
  for (int round = 0; round < rounds; ++round)
    for (const int parity : {0, 1})
      for (int row = tiles - 1; row >= 0; --row)
        for (int pair = 0; pair < tiles / 2; ++pair) {
          SpinTile<Real> tile = step.tile(memory.data(), pair, row, parity);
          each([&](int thread) { tile.load(lattice, thread, threads); });
          for (int half = 0; half < 2 * plan.hits; ++half)
            each([&](int thread) {
              step.template try_half<Math, false>(tile, half, thread, threads, static_cast<std::uint32_t>(round));
            });
          each([&](int thread) { tile.store(lattice, thread, threads); });
        }
  std::vector<double> all;
  for (std::uint32_t site = 0; site < sites; ++site)
    for (const auto& component : components) all.push_back(component[site]);
  return all;
}

TEST(HeisenbergTiles, threads_of_a_block_have_the_bits_of_one_thread) {
  for (const int threads : {1, 5, 32, 128}) {
    const HeisenbergPlan plan = plan_of(32, 8, 3, 0.7);
    for (const std::string precision : {"double", "float"}) {
      const auto tiles = make_heisenberg(precision, plan);
      tiles->advance(2);
      const auto spins = precision == "double" ? spins_of_threads<double>(plan, 2, threads)
                                               : spins_of_threads<float>(plan, 2, threads);
      EXPECT_EQ(spins, tiles->spins()) << threads << " threads, " << precision;
    }
  }
}

TEST(HeisenbergTiles, a_tile_that_does_not_fit_the_shared_memory_is_refused_with_one_that_does) {
  constexpr std::size_t available = 48 * 1024;
  EXPECT_NO_THROW(require_shared_memory("float", 60, available));
  try {
    require_shared_memory("double", 64, available);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "--tile 64: in double needs 102.1 KiB of shared memory and a block has 48.0 KiB, give a "
                 "--tile of at most 42.");
  }
}

TEST(HeisenbergTiles, a_plan_without_a_double_checkerboard_is_refused) {
  for (const HeisenbergPlan& plan :
       {plan_of(7, 2, 1, 1), plan_of(8, 3, 1, 1), plan_of(8, 8, 1, 1), plan_of(12, 4, 1, 1), plan_of(8, 4, 0, 1),
        plan_of(8, 4, 1, -1), plan_of(8, 4, 1, 1, 0), plan_of(8, 4, 1, 1, 3)})
    EXPECT_THROW(make_heisenberg("double", plan), std::invalid_argument);
  EXPECT_THROW(make_heisenberg(gpu_precision, plan_of(8, 4, 1, 1)), std::invalid_argument);
}

/// ln z per site: closed graphs of u_l = i_l / i_0, the modified spherical Bessel functions of K (Joyce, Phys. Rev.
/// 155, 478, 1967), complete through K^8: 3 u^4 for a square, 6 u^6 for the two rectangles, 21 u^8 for the seven
/// polygons of length 8, 12 u^6 u_2 for rectangles with their middle bond, 5 u_2^4 for a square, and -45/2 u^8 from the
/// logarithm, since a square excludes itself and its four neighbours.
double log_z(double K) {
  const double u = langevin(K), u2 = 1 - 3 * u / K;
  return 2 * std::log(std::sinh(K) / K) + 3 * std::pow(u, 4) + 6 * std::pow(u, 6) - 1.5 * std::pow(u, 8) +
         12 * std::pow(u, 6) * u2 + 5 * std::pow(u2, 4);
}

/// e = -2/3 K - 14/135 K^3 + 16/2835 K^5 + 5093/1417500 K^7 + ... from the finite-lattice method (de Neef and Enting,
/// J. Phys. A 10, 801, 1977), which tests/workflow/laboratory/test_heisenberg_series.py does.
double series_of_energy(double K) {
  const double square = K * K;
  double sum = 0;
  for (const double coefficient : {0.001154506723807081, 0.0035942256188637, 16 / 2835.0, -14 / 135.0, -2 / 3.0})
    sum = sum * square + coefficient;
  return K * sum;
}

TEST(HeisenbergEnergy, the_series_is_that_of_closed_graphs) {
  for (const double K : {0.2, 0.3, 0.4}) {
    constexpr double step = 1e-3;
    const double derivative =
        (8 * (log_z(K + step) - log_z(K - step)) - (log_z(K + 2 * step) - log_z(K - 2 * step))) / (12 * step);
    EXPECT_LT(std::abs(-derivative - series_of_energy(K)), 0.01 * std::pow(K, 9) + 1e-11) << K;
  }
}

/// Energy of the state with the spins of one parity replaced by their mean in the field of the others, which is exact:
/// the same expectation with a smaller error.
double conditional_energy(const std::vector<double>& spins, int L, double beta) {
  double sum = 0;
  for (int y = 0; y < L; ++y)
    for (int x = 0; x < L; ++x) {
      const auto spin = [&](int column, int row) {
        return &spins[3 * static_cast<std::size_t>((column + L) % L + L * ((row + L) % L))];
      };
      const double *west = spin(x - 1, y), *east = spin(x + 1, y), *north = spin(x, y - 1), *south = spin(x, y + 1);
      double square = 0;
      for (int i = 0; i < 3; ++i) square += std::pow(west[i] + east[i] + north[i] + south[i], 2);
      const double h = std::sqrt(square), small = std::exp(-2 * beta * h);
      // h (coth(beta h) - 1 / (beta h)); both parities, so that every bond is counted twice
      sum -= (h * (1 + small) / (1 - small) - 1 / beta) / 2;
    }
  return sum / (L * L);
}

/// Compares `rounds` rounds in double with the series; `relative` bounds the error and the deviation.
void expect_series(int rounds, double relative) {
  constexpr double beta = 0.5;
  constexpr int L = 256, blocks = 32;
  const auto lattice = make_heisenberg("double", plan_of(L, 32, 1, beta));
  lattice->advance(40);
  std::vector<double> direct, conditional;
  for (int round = 0; round < rounds; ++round) {
    lattice->advance(1);
    direct.push_back(lattice->sums().energy / (L * L));
    conditional.push_back(conditional_energy(lattice->spins(), L, beta));
  }
  const double exact = series_of_energy(beta);
  const SeriesStatistics measured = statistics_of(direct, blocks), found = statistics_of(conditional, blocks);
  EXPECT_LT(std::abs(measured.mean - exact), 3 * measured.mean_error);
  EXPECT_LT(std::abs(found.mean - exact), 3 * found.mean_error);
  EXPECT_LT(std::abs(found.mean / exact - 1), relative);
  EXPECT_LT(found.mean_error / std::abs(exact), relative);
}

TEST(HeisenbergEnergy, at_high_temperature_is_that_of_the_series) { expect_series(320, 5e-4); }

TEST(HeisenbergEnergy, at_high_temperature_is_that_of_the_series_to_a_relative_error_of_1e_4) {
  expect_series(4800, 1e-4);
}

TEST(HeisenbergEnergy, magnetization_and_specific_heat_of_all_precisions_and_proposals_agree) {
  constexpr double beta = 1;
  std::vector<HeisenbergEstimates> all;
  for (const std::string& precision : precision_names())
    for (const double cap : {2.0, 0.6}) {
      if (precision == gpu_precision) continue;
      HeisenbergPlan plan = plan_of(32, 16, 2, beta, cap);
      plan.seed = seed + static_cast<std::uint32_t>(all.size());
      const auto lattice = make_heisenberg(precision, plan);
      all.push_back(estimates_of(run_heisenberg(*lattice, plan, 6400, 640), plan, 32));
    }
  // 21 differences with a fixed seed: the largest exceeds 4 sigma with probability 0.002.
  for (const HeisenbergEstimates& found : all) {
    const auto expect_equal = [](double a, double a_error, double b, double b_error) {
      EXPECT_LT(std::abs(a - b), 4 * std::hypot(a_error, b_error));
    };
    const HeisenbergEstimates& first = all.front();
    expect_equal(found.e.mean, found.e.mean_error, first.e.mean, first.e.mean_error);
    expect_equal(found.C, found.C_error, first.C, first.C_error);
    expect_equal(found.m.mean, found.m.mean_error, first.m.mean, first.m.mean_error);
    EXPECT_LT(found.e.mean_error, 3e-3);
  }
}

TEST(SeriesStatistics, of_a_series_with_a_known_autocorrelation_time) {
  // x_n = rho x_{n-1} + noise has tau_int = (1 + rho) / (1 - rho) / 2.
  constexpr double rho = 0.8, tau = (1 + rho) / (1 - rho) / 2;
  std::mt19937 generator(3);
  std::normal_distribution<double> noise(0, std::sqrt(1 - rho * rho));
  std::vector<double> series;
  double x = 0;
  for (int i = 0; i < 64000; ++i) series.push_back(-1 + 0.01 * (x = rho * x + noise(generator)));
  const SeriesStatistics found = statistics_of(series, 64);
  EXPECT_LT(std::abs(found.tau - tau), 3 * found.tau_error);
  EXPECT_NEAR(found.mean_error, 0.01 * std::sqrt(2 * tau / 64000), 0.3 * found.mean_error);
  EXPECT_NEAR(found.variance, 1e-4, 3 * found.variance_error);
  EXPECT_EQ(statistics_of(std::vector<double>(8, 2.5), 4).tau, 0);
  EXPECT_THROW(statistics_of(series, 64000), std::invalid_argument);
  EXPECT_THROW(statistics_of(series, 0), std::invalid_argument);
}

TEST(HeisenbergLengths, do_not_drift) {
  for (const double cap : {2.0, 0.4})
    for (const std::string precision : {"double", "float"}) {
      const HeisenbergPlan plan = plan_of(16, 8, 1, 2, cap);
      const auto lattice = make_heisenberg(precision, plan);
      const HeisenbergRun run = run_heisenberg(*lattice, plan, 2000, 0);
      EXPECT_EQ(run.lengths.front().sweeps, 0U);
      EXPECT_EQ(run.lengths.back().sweeps, 2000U);
      EXPECT_EQ(run.energy.size(), 2000U);
      const double unit = precision == "double" ? 0x1p-53 : 0x1p-24;
      for (const LengthOfSpins& length : run.lengths) {
        EXPECT_LT(length.deviation, unit) << precision << ", cap " << cap << ", sweeps " << length.sweeps;
        EXPECT_GT(length.deviation, 0.01 * unit);
      }
    }
}

TEST(HeisenbergCone, is_tuned_to_an_acceptance_of_one_half) {
  EXPECT_EQ(tuned_cap(0.5), 2);
  for (const double beta : {2.0, 10.0}) {
    HeisenbergPlan plan = plan_of(32, 16, 1, beta, tuned_cap(beta));
    plan.seed = seed + 1;
    const auto lattice = make_heisenberg("double", plan);
    lattice->advance(400);
    EXPECT_NEAR(lattice->acceptance(), 0.5, 0.06) << beta;
  }
}

}  // namespace
}  // namespace psflip::laboratory
