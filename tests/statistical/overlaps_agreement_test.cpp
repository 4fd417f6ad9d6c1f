#include <gtest/gtest.h>

#include <map>

#include "analysis/models/overlaps/table.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/simulation.hpp"

// The distribution of the overlap, from the samples of a job of the engine, agrees with the observables of the same
// job.
namespace psflip::analysis {
namespace {

io::LabelledFile tempered() {
  Job job;
  job.method = Method::tempering;
  job.system.model = Model::ea3d;
  job.system.L = 4;
  job.system.replicas = 4;
  job.system.seed = 20;
  job.system.samples = 96;
  job.system.couplings = Couplings::bimodal;
  job.system.link_overlap_slots = {0, 2};
  job.T = {0.9, 1.2, 1.6};
  for (const double T : job.T) job.beta.push_back(1 / T);
  job.sweeps = 640;
  job.exchange_interval = 10;
  job.bins = 4;
  Simulation simulation(job, [](const System& system) { return cpu::make_engine(system, 1, 0); });
  simulation.run([] { return false; }, [] {});
  return simulation.measurement();
}

std::map<std::string, Row> observables_of(const Ensemble& ensemble) {
  std::map<std::string, Row> rows;
  for (const Row& row : table(ensemble)) rows.emplace(row.observable, row);
  return rows;
}

TEST(OverlapTable, HasTheDensityAndTheMeanLinkOverlapOfTheOtherTables) {
  const io::LabelledFile file = tempered();
  for (const std::int64_t block : {1, 96}) {
    std::vector<Ensemble> ensembles = reduce(file, block);
    OverlapHistograms histograms;
    histograms.add(file);
    for (std::size_t slot = 0; slot < ensembles.size(); ++slot) {
      std::map<std::string, Row> expected = observables_of(ensembles[slot]);
      drop_overlap_densities(ensembles[slot]);
      EXPECT_FALSE(ensembles[slot].blocks.has("P_q_0"));
      double mean_link = 0, all = 0;
      for (const OverlapRow& row : overlap_table(histograms, slot, ensembles[slot])) {
        const Row& one = expected.at("P_q_" + std::to_string(row.bin));
        EXPECT_NEAR(row.density.value, one.estimate.value, 1e-12);
        if (block == 1) {
          EXPECT_NEAR(row.density.error, one.estimate.error, 1e-12);
        }
        EXPECT_EQ(row.equilibrated, one.equilibrated);
        double share = 0;  // of all measurements, from the integers
        for (std::size_t sample = 0; sample < histograms.samples(); ++sample)
          share += histograms.counts(slot, sample)[row.bin];
        all += share;
        if (share > 0) mean_link += share * row.link.value;
      }
      EXPECT_EQ(histograms.has_link_sums(slot), slot != 1);
      // the link overlap of a bin is a ratio, which only a single block leaves without a correction of its bias
      if (block == 96 && slot != 1) {
        EXPECT_NEAR(mean_link / all, expected.at("q_link").estimate.value, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace psflip::analysis
