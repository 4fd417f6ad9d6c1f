#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "engine/core/version.hpp"
#include "engine/io/labelled_file.hpp"

/// Measurement files with made-up content. What a sample holds depends on its id alone, so shards of any split agree.
namespace psflip::test {

struct SyntheticJob {
  std::string model = "ea3d";
  std::int64_t L = 8;
  std::int64_t replicas = 4;
  std::int64_t first_sample = 0;
  std::int64_t samples = 64;
  std::int64_t seed = 1;
  std::string random = "shared";
  std::vector<double> temperatures = {1.1};
  std::vector<std::int64_t> moments = {1, 2, 4};
  std::int64_t measurements = 20;  ///< ising2d: in each bin
  std::int64_t measure_interval = 5;
};

inline io::LabelledFile synthetic_header(const SyntheticJob& job) {
  io::LabelledFile file;
  file.attributes = {{"kind", std::string("measurement")},
                     {"stream_version", std::int64_t{stream_version}},
                     {"model", job.model},
                     {"L", job.L},
                     {"seed", job.seed},
                     {"random", job.random},
                     {"packing", std::string("samples")},
                     {"start", std::string("random")},
                     {"couplings", std::string(job.model == "ea3d" ? "bimodal" : "ferromagnet")},
                     {"replicas", job.replicas},
                     {"sweeps", job.moments.back()},
                     {"first_sample", job.first_sample},
                     {"samples", job.samples},
                     {"device", "machine " + std::to_string(job.first_sample)}};
  if (job.model == "ising2d") file.attributes["measure_interval"] = job.measure_interval;
  std::vector<std::int64_t> ids;
  for (std::int64_t s = 0; s < job.samples; ++s) ids.push_back(job.first_sample + s);
  std::vector<double> betas;
  for (const double T : job.temperatures) betas.push_back(1 / T);
  file.axes = {{"temperature", job.temperatures, "", ""},
               {job.model == "ea3d" ? "time" : "bin", job.moments, "", ""},
               {"sample", ids, "", ""}};
  file.datasets = {{"beta", {"temperature"}, betas, "", ""}};
  return file;
}

/// The integers of one sample at one temperature and moment.
struct Ea3dValues {
  std::vector<std::int32_t> bond_sum, magnetization, overlap;
  std::vector<std::int64_t> overlap_k2;
};
using Ea3dMaker = std::function<Ea3dValues(std::size_t temperature, std::size_t time, std::int64_t sample)>;

inline io::LabelledFile synthetic_ea3d(const SyntheticJob& job, const Ea3dMaker& make) {
  io::LabelledFile file = synthetic_header(job);
  std::vector<std::int64_t> replicas, pairs;
  for (std::int64_t r = 0; r < job.replicas; ++r) replicas.push_back(r);
  for (std::int64_t p = 0; p < job.replicas * (job.replicas - 1) / 2; ++p) pairs.push_back(p);
  file.axes.push_back({"replica", replicas, "", ""});
  file.axes.push_back({"pair", pairs, "", ""});
  Ea3dValues all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t t = 0; t < job.temperatures.size(); ++t)
    for (std::size_t m = 0; m < job.moments.size(); ++m)
      for (std::int64_t s = 0; s < job.samples; ++s) {
        const Ea3dValues one = make(t, m, job.first_sample + s);
        append(all.bond_sum, one.bond_sum);
        append(all.magnetization, one.magnetization);
        append(all.overlap, one.overlap);
        append(all.overlap_k2, one.overlap_k2);
      }
  file.datasets.push_back({"bond_sum", {"temperature", "time", "sample", "replica"}, all.bond_sum, "", ""});
  file.datasets.push_back({"magnetization", {"temperature", "time", "sample", "replica"}, all.magnetization, "", ""});
  file.datasets.push_back({"overlap", {"temperature", "time", "sample", "pair"}, all.overlap, "", ""});
  file.datasets.push_back({"overlap_k2", {"temperature", "time", "sample", "pair"}, all.overlap_k2, "", ""});
  return file;
}

/// Replicas whose overlaps are Gaussian with <q^2> = spread^2 / N and whose chi_k is 1 on average: xi follows from the
/// spread.
inline Ea3dMaker gaussian_overlaps(const SyntheticJob& job, std::function<double(std::size_t time)> spread) {
  return [job, spread](std::size_t t, std::size_t m, std::int64_t sample) {
    std::seed_seq seeds{std::int64_t{77}, static_cast<std::int64_t>(t), static_cast<std::int64_t>(m), sample};
    std::mt19937_64 random(seeds);
    std::normal_distribution<double> normal;
    std::exponential_distribution<double> exponential;
    const double sites = std::pow(job.L, 3);
    const auto integer = [](double x) { return static_cast<std::int32_t>(std::lround(x)); };
    Ea3dValues values;
    for (std::int64_t r = 0; r < job.replicas; ++r) {
      values.bond_sum.push_back(integer(1.6 * sites + std::sqrt(sites) * normal(random)));
      values.magnetization.push_back(integer(std::sqrt(sites) * normal(random)));
    }
    for (std::int64_t p = 0; p < job.replicas * (job.replicas - 1) / 2; ++p) {
      values.overlap.push_back(integer(spread(m) * std::sqrt(sites) * normal(random)));
      double k2 = 0;
      for (int axis = 0; axis < 3; ++axis) k2 += exponential(random);
      values.overlap_k2.push_back(static_cast<std::int64_t>(1024 * sites * k2));
    }
    return values;
  };
}

/// Sums of one bin of one sample: B, B^2, M, |M|, M^2, M^4, K.
using Ising2dBin = std::array<double, 7>;
using Ising2dMaker = std::function<std::vector<Ising2dBin>(std::size_t temperature, std::int64_t sample)>;

inline io::LabelledFile synthetic_ising2d(const SyntheticJob& job, const Ising2dMaker& make) {
  io::LabelledFile file = synthetic_header(job);
  const std::size_t bins = job.moments.size(), samples = static_cast<std::size_t>(job.samples);
  std::array<std::vector<double>, 7> columns;
  for (auto& column : columns) column.resize(job.temperatures.size() * bins * samples);
  for (std::size_t t = 0; t < job.temperatures.size(); ++t)
    for (std::size_t s = 0; s < samples; ++s) {
      const std::vector<Ising2dBin> series = make(t, job.first_sample + static_cast<std::int64_t>(s));
      for (std::size_t b = 0; b < bins; ++b)
        for (std::size_t q = 0; q < 7; ++q) columns[q][(t * bins + b) * samples + s] = series[b][q];
    }
  file.datasets.push_back({"measurements", {"bin"}, std::vector<std::int64_t>(bins, job.measurements), "", ""});
  const char* names[] = {"bond_sum",        "bond_sum_2",      "magnetization",   "abs_magnetization",
                         "magnetization_2", "magnetization_4", "magnetization_k2"};
  for (std::size_t q = 0; q < 7; ++q)
    file.datasets.push_back({names[q], {"temperature", "bin", "sample"}, columns[q], "", ""});
  return file;
}

/// Energy and magnetization per site as independent AR(1) series x' = a x + noise around means: e = -1.4 + 0.1 x, m =
/// 0.7 + 0.05 y with x, y of variance 1; chi_k = 2. With `drift`, e and m start off and relax over that many
/// measurements.
inline Ising2dMaker autoregressive_lattice(const SyntheticJob& job, double a, double drift = 0) {
  return [=](std::size_t t, std::int64_t sample) {
    std::seed_seq seeds{std::int64_t{99}, static_cast<std::int64_t>(t), sample};
    std::mt19937_64 random(seeds);
    std::normal_distribution<double> normal;
    const double sites = static_cast<double>(job.L * job.L), noise = std::sqrt(1 - a * a);
    double x = normal(random), y = normal(random), step = 0;
    std::vector<Ising2dBin> bins(job.moments.size());
    for (Ising2dBin& bin : bins) {
      bin.fill(0);
      for (std::int64_t i = 0; i < job.measurements; ++i, ++step) {
        const double off = drift > 0 ? std::exp(-step / drift) : 0;
        const double B = sites * (1.4 - 0.1 * x - 0.4 * off), M = sites * (0.7 + 0.05 * y - 0.3 * off);
        const Ising2dBin one = {B, B * B, M, std::abs(M), M * M, M * M * M * M, 1024 * 2 * sites * 2};
        for (std::size_t q = 0; q < 7; ++q) bin[q] += one[q];
        x = a * x + noise * normal(random);
        y = a * y + noise * normal(random);
      }
    }
    return bins;
  };
}

}  // namespace psflip::test
