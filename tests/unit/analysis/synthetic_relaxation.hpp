#pragma once
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "engine/core/version.hpp"

/// Block sums of made-up relaxations that scale exactly, so that every fitted number has a known answer.
namespace psflip::test {

/// With x = (beta - beta_c) L^(1/nu) and s = log t - z log L - 0.8 x: R_xi = 0.65 / (1 + exp(1 - s / 2)),
/// log chi = (2 - eta) log L + 1.3 log R_xi + 0.1 x, U4 = 3 - 4 R_xi^2 + 0.9 R_xi x + b L^-omega,
/// U22 = 0.6 R_xi^2 - 0.3 R_xi x.
struct SyntheticRelaxation {
  double beta_c = 0.9, nu = 2.5, z = 6.8, eta = -0.4;
  double b = 0, omega = 1.1;
  double noise = 0;      ///< of one block, relative
  double memory = 0.97;  ///< correlation of the noise at neighbouring times
  double common = 0.3;   ///< part of its variance that all temperatures share, as couplings are
  std::int64_t blocks = 64;
  std::uint64_t seed = 1;

  double x(int L, double beta) const { return (beta - beta_c) * std::pow(L, 1 / nu); }
  double R_xi(int L, double beta, double t) const {
    return 0.65 / (1 + std::exp(1 - 0.5 * (std::log(t) - z * std::log(L) - 0.8 * x(L, beta))));
  }
  double log_time(int L, double beta, double R_xi) const {
    return z * std::log(L) + 0.8 * x(L, beta) + 2 * (1 - std::log(0.65 / R_xi - 1));
  }
  double log_chi(int L, double beta, double R_xi) const {
    return (2 - eta) * std::log(L) + 1.3 * std::log(R_xi) + 0.1 * x(L, beta);
  }
  double U4(int L, double beta, double R_xi) const {
    return 3 - 4 * R_xi * R_xi + 0.9 * R_xi * x(L, beta) + b * std::pow(L, -omega);
  }
  double U22(int L, double beta, double R_xi) const { return 0.6 * R_xi * R_xi - 0.3 * R_xi * x(L, beta); }
};

/// Means of the primary quantities e, m2, q2, chi_k, q4, q2_q2 at one time.
inline std::vector<double> primaries(const SyntheticRelaxation& law, int L, double beta, double t) {
  const double R = law.R_xi(L, beta, t), q2 = std::exp(law.log_chi(L, beta, R)) / std::pow(L, 3);
  const double chi_k = std::pow(L, 3) * q2 / (1 + std::pow(2 * std::sin(std::numbers::pi / L) * R * L, 2));
  return {-1.7, 1, q2, chi_k, law.U4(L, beta, R) * q2 * q2, (1 + law.U22(L, beta, R)) * q2 * q2};
}

/// Relative deviations [quantity][time] of one block: a stationary process in time for each quantity.
inline std::vector<std::vector<double>> deviations(const SyntheticRelaxation& law, std::seed_seq seeds,
                                                   std::size_t times) {
  std::mt19937_64 random(seeds);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> all(6, std::vector<double>(times));
  for (auto& series : all) {
    double state = normal(random);
    for (double& value : series) {
      value = law.noise * state;
      state = law.memory * state + std::sqrt(1 - law.memory * law.memory) * normal(random);
    }
  }
  return all;
}

/// A relaxation measured at floor(2^(k/4)) sweeps while R_xi at beta_c is between 0.03 and 0.6.
inline analysis::Ensemble synthetic_ensemble(const SyntheticRelaxation& law, int L, double beta) {
  analysis::Ensemble ensemble;
  ensemble.attributes = {{"model", std::string("ea3d")},
                         {"L", std::int64_t{L}},
                         {"replicas", std::int64_t{4}},
                         {"stream_version", std::int64_t{stream_version}},
                         {"seed", std::int64_t{1}},
                         {"random", std::string("shared")},
                         {"couplings", std::string("bimodal")},
                         {"start", std::string("random")},
                         {"packing", std::string("samples")},
                         {"sweeps", std::int64_t{1} << 40},
                         {"block_samples", std::int64_t{32}}};
  ensemble.path = "made up";
  ensemble.ranges = {{0, 32 * law.blocks}};
  ensemble.temperature = 1 / beta;
  ensemble.beta = beta;
  for (int k = 0; k < 4 * 40; ++k) {
    const auto t = static_cast<std::int64_t>(std::pow(2, k / 4.0));
    const double R = law.R_xi(L, law.beta_c, static_cast<double>(t));
    if (0.03 < R && R < 0.6 && (ensemble.moments.empty() || ensemble.moments.back() < t)) ensemble.moments.push_back(t);
  }
  analysis::Grouping& blocks = ensemble.blocks;
  const std::size_t times = ensemble.moments.size();
  blocks.names = {"e", "m2", "q2", "chi_k", "q4", "q2_q2"};
  blocks.samples = Eigen::VectorXd::Constant(law.blocks, 32);
  blocks.sums.assign(6, Eigen::MatrixXd(static_cast<Eigen::Index>(times), law.blocks));
  const auto bits = static_cast<std::int64_t>(std::llround(1e9 * beta)), seed = static_cast<std::int64_t>(law.seed);
  for (std::int64_t j = 0; j < law.blocks; ++j) {
    blocks.ids.push_back(j);
    const auto common = deviations(law, {seed, std::int64_t{L}, j}, times);
    const auto own = deviations(law, {seed, std::int64_t{L}, j, bits}, times);
    for (std::size_t m = 0; m < times; ++m) {
      const auto means = primaries(law, L, beta, static_cast<double>(ensemble.moments[m]));
      for (std::size_t q = 0; q < means.size(); ++q)
        blocks.sums[q](static_cast<Eigen::Index>(m), j) =
            32 * means[q] * (1 + std::sqrt(law.common) * common[q][m] + std::sqrt(1 - law.common) * own[q][m]);
    }
  }
  return ensemble;
}

}  // namespace psflip::test
