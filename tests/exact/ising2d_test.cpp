#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulation.hpp"
#include "tests/exact/references/kaufman.hpp"

namespace psflip::exact {
namespace {

Estimate energy(const System& system, const Blocks& rows) {
  const double sites = double(system.sites());
  return jackknife(rows, [=](const auto& mean) { return -mean[bonds] / sites; });
}

Estimate specific_heat(const System& system, const Blocks& rows) {
  const double scale = system.betas[0] * system.betas[0] / double(system.sites());
  return jackknife(rows, [=](const auto& mean) { return scale * (mean[bonds_2] - mean[bonds] * mean[bonds]); });
}

/// The slow mode that the even observables see dies within L^2 sweeps at the critical point.
Protocol protocol_for(int L) {
  const std::uint64_t warm_up = std::max<std::uint64_t>(200, 3 * std::uint64_t(L) * std::uint64_t(L) / 2);
  return {warm_up, 200, std::max<std::uint64_t>(1, warm_up / 100)};
}

/// Compares one size with Kaufman's solution at five temperatures and adds up chi^2.
class KaufmanComparison {
 public:
  void add(System system, const Protocol& protocol) {
    for (const double beta : {0.3, 0.4, 0.43, beta_c_square, 0.5}) {
      system.betas = {beta};
      const Blocks rows = thermal_averages(system, protocol);
      const Thermal exact = kaufman(system.L, system.L, beta);
      compare("e", system, energy(system, rows), exact.energy, energy_chi_squared_);
      compare("C", system, specific_heat(system, rows), exact.specific_heat, heat_chi_squared_);
      degrees_ += 1;
    }
  }

  void expect_a_sane_chi_squared() const {
    for (const double chi_squared : {energy_chi_squared_, heat_chi_squared_}) {
      const double p = degrees_ % 2 == 0 ? chi_squared_tail(chi_squared, degrees_) : -1;
      EXPECT_GT(p, 0.001) << "chi^2 = " << chi_squared << " for " << degrees_ << " values";
      EXPECT_LT(p, 0.999) << "chi^2 = " << chi_squared << " for " << degrees_ << " values";
    }
  }

 private:
  void compare(const char* name, const System& system, const Estimate& estimate, double exact, double& chi_squared) {
    const double distance = pull(estimate, exact);
    EXPECT_LT(std::abs(distance), sigma_bound)
        << name << " at L = " << system.L << ", beta = " << system.betas[0] << ": " << estimate.value << " +- "
        << estimate.error << ", exact " << exact;
    chi_squared += distance * distance;
  }

  double energy_chi_squared_ = 0, heat_chi_squared_ = 0;
  int degrees_ = 0;
};

TEST(Ising2d, energy_and_specific_heat_are_those_of_kaufman_at_four_sizes_and_five_temperatures) {
  KaufmanComparison comparison;
  for (const int L : {8, 16, 32, 64}) {
    const std::uint64_t samples = 32768 / static_cast<std::uint64_t>(L);
    comparison.add(square_lattice(L, 0, samples, Start::ordered), protocol_for(L));
  }
  comparison.expect_a_sane_chi_squared();
}

TEST(Ising2d, energy_and_specific_heat_are_those_of_kaufman_when_sites_share_a_word) {
  KaufmanComparison comparison;
  System one = square_lattice(64, 0, 32, Start::ordered), other = one;
  one.packing = other.packing = Packing::sites;
  other.first_sample = 1000;
  const Protocol protocol = {2000, 100, 15};
  comparison.add(one, protocol);
  comparison.add(other, protocol);
  comparison.expect_a_sane_chi_squared();
}

/// Exact moments of m by transfer matrix and the second-moment correlation length over L.
struct Moments {
  int L;
  double beta, abs_m, m_2, m_4, xi_over_L;
};

const Moments moments_table[] = {{6, 0.4, 0.677413763770, 0.528620751136, 0.373884366816, 0.6217934316},
                                 {6, beta_c_square, 0.804976558444, 0.693316591135, 0.556122863533, 0.9332746889},
                                 {8, 0.4, 0.603128979407, 0.432099078576, 0.266552513260, 0.5464020526},
                                 {8, beta_c_square, 0.777331092787, 0.646911574994, 0.485815234126, 0.9236862071},
                                 {8, 0.5, 0.911452266143, 0.841671184622, 0.734015204920, 1.8754765264},
                                 {10, beta_c_square, 0.756274372926, 0.612567682749, 0.436395044088, 0.9183957709}};

double xi_over_L(int L, const std::vector<double>& mean) {
  const double chi_k = mean[k2] / 2;  // two axes
  return std::sqrt(mean[m_2] / chi_k - 1) / (2 * std::sin(std::numbers::pi / L)) / L;
}

TEST(Ising2d, moments_of_the_magnetization_and_the_correlation_length_are_exact_at_small_sizes) {
  for (const Moments& exact : moments_table) {
    const System system = square_lattice(exact.L, exact.beta, 8192, Start::ordered);
    const Blocks rows = thermal_averages(system, {300, 200, 5});
    const double N = double(system.sites());
    const std::string where = " at L = " + std::to_string(exact.L) + ", beta = " + std::to_string(exact.beta);
    EXPECT_LT(std::abs(pull(mean_of(rows, abs_m), exact.abs_m * N)), sigma_bound) << "abs(m)" << where;
    EXPECT_LT(std::abs(pull(mean_of(rows, m_2), exact.m_2 * N * N)), sigma_bound) << "m^2" << where;
    EXPECT_LT(std::abs(pull(mean_of(rows, m_4), exact.m_4 * N * N * N * N)), sigma_bound) << "m^4" << where;
    const Estimate xi = jackknife(rows, [&](const auto& mean) { return xi_over_L(exact.L, mean); });
    EXPECT_LT(std::abs(pull(xi, exact.xi_over_L)), sigma_bound) << "xi/L" << where;
  }
}

/// Exact evolution of all 2^16 states from random spins. Metropolis on 4 x 4 sites is not ergodic: 36 states in which
/// every local field vanishes flip as a whole forever, so the limit is not the Boltzmann average.
struct Relaxation {
  double beta;
  std::uint64_t half_sweeps;
  double energy, abs_m, m_2, m_4;
};

const Relaxation relaxation_table[] = {{beta_c_square, 1, -0.6568542495, 0.3525035969, 0.1850559223, 0.0795869235},
                                       {beta_c_square, 2, -0.9082326045, 0.5167535786, 0.3598410951, 0.2316841238},
                                       {beta_c_square, 4, -1.3399797886, 0.7339939295, 0.6252824701, 0.5147900200},
                                       {beta_c_square, 8, -1.5298293167, 0.8255014126, 0.7396349348, 0.6424882394},
                                       {beta_c_square, 32, -1.5647680700, 0.8433992766, 0.7609420186, 0.6653260867},
                                       {0.4, 2, -0.8611212515, 0.5009727134, 0.3404368455, 0.2121751264}};

void expect_relaxed(const Relaxation& exact, const Blocks& rows) {
  const std::string where =
      " after " + std::to_string(exact.half_sweeps) + " half sweeps at beta = " + std::to_string(exact.beta);
  EXPECT_LT(std::abs(pull(mean_of(rows, bonds), -exact.energy * 16)), sigma_bound) << "e" << where;
  EXPECT_LT(std::abs(pull(mean_of(rows, abs_m), exact.abs_m * 16)), sigma_bound) << "abs(m)" << where;
  EXPECT_LT(std::abs(pull(mean_of(rows, m_2), exact.m_2 * 256)), sigma_bound) << "m^2" << where;
  EXPECT_LT(std::abs(pull(mean_of(rows, m_4), exact.m_4 * 65536)), sigma_bound) << "m^4" << where;
}

TEST(Ising2d, four_by_four_sites_relax_as_the_exact_evolution_of_all_states) {
  for (const Relaxation& exact : relaxation_table) {
    const System system = square_lattice(4, exact.beta, 1 << 18, Start::random);
    const auto engine = engine_for(system);
    engine->advance(exact.half_sweeps);
    expect_relaxed(exact, instant_averages(system, engine->observe()));
  }
}

TEST(Ising2d, four_by_four_sites_end_in_the_metropolis_limit_that_is_not_boltzmann) {
  const System system = square_lattice(4, beta_c_square, 1 << 19, Start::random);
  const Blocks rows = thermal_averages(system, {60, 200, 3});
  expect_relaxed({beta_c_square, 1320, -1.5647739900, 0.8434024097, 0.7609456541, 0.6653298858}, rows);
  EXPECT_GT(std::abs(pull(mean_of(rows, bonds), 1.5656237876 * 16)), 2 * sigma_bound) << "this is Boltzmann's energy";
}

}  // namespace
}  // namespace psflip::exact
