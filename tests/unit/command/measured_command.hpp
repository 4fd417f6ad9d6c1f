#pragma once
#include "tests/unit/analysis/synthetic_files.hpp"
#include "tests/unit/command/analysis_command.hpp"

namespace psflip::test {

/// The executable psflip-analysis with small measurement files to work on.
class MeasuredCommand : public AnalysisCommand {
 protected:
  void measure_ea3d(const std::string& name, SyntheticJob job) {
    const auto spread = [](std::size_t m) { return 2 + 0.3 * static_cast<double>(m); };
    io::write(folder / name, synthetic_ea3d(job, gaussian_overlaps(job, spread)));
  }

  /// A magnetization whose U4 runs with (T - 2.27) L, so that all sizes cross at 2.27.
  void measure_ising2d(const std::string& name, std::int64_t L) {
    SyntheticJob job;
    job.model = "ising2d";
    job.L = L;
    job.replicas = 1;
    job.random = "independent";
    job.samples = 32;
    job.temperatures = {2.25, 2.26, 2.27, 2.28, 2.29};
    job.moments = {100, 200, 300, 400, 500, 600, 700, 800};
    const auto make = [job](std::size_t t, std::int64_t sample) {
      std::seed_seq seeds{job.L, static_cast<std::int64_t>(t), sample};
      std::mt19937_64 random(seeds);
      std::normal_distribution<double> normal;
      const double x = (job.temperatures[t] - 2.27) * static_cast<double>(job.L);
      const double n = job.measurements, sites = static_cast<double>(job.L * job.L);
      std::vector<Ising2dBin> bins;
      for (std::size_t b = 0; b < job.moments.size(); ++b) {
        const double m2 = 0.4, m4 = m2 * m2 * (1.17 + 0.2 * x + 0.002 * normal(random)),
                     B = sites * (1.4 + 0.01 * normal(random));
        bins.push_back({n * B, n * B * B, 0, n * 0.6 * sites, n * m2 * sites * sites, n * m4 * std::pow(sites, 4),
                        n * 1024 * 2 * sites * (m2 * sites / 9)});
      }
      return bins;
    };
    io::write(folder / name, synthetic_ising2d(job, make));
  }
};

}  // namespace psflip::test
