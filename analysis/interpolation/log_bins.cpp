#include "analysis/interpolation/log_bins.hpp"

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/interpolation/tempered_slots.hpp"
#include "analysis/models/quantities/tables.hpp"

namespace psflip::analysis {
namespace {

/// Sweeps in a bin. From its measurements, because files that keep the last bins do not say where the first of them
/// starts.
std::int64_t sweeps_in(const Ensemble& slot, std::size_t bin) {
  const bool of_its_own = slot.attributes.contains("measure_interval");
  return slot.measurements[bin] * slot.integer(of_its_own ? "measure_interval" : "exchange_interval");
}

}  // namespace

std::vector<LogBinRow> log_bins(const std::vector<Ensemble>& ensembles) {
  require_one_grid(ensembles, 1);
  std::vector<LogBinRow> rows;
  for (const Ensemble& slot : ensembles)
    for (const primary::Id id : {primary::e, square_of_order_parameter(slot.preset())}) {
      const std::string name(primary_names[id]);
      if (!slot.blocks.has(name)) continue;
      const auto bins = static_cast<Eigen::Index>(slot.moments.size());
      const statistics::Blocks blocks{slot.blocks[name].transpose(), slot.blocks.samples};
      const statistics::Jackknife jackknife(blocks, [bins](const Eigen::VectorXd& means) {
        Eigen::VectorXd numbers(2 * bins);
        numbers << means, means.array() - means[bins - 1];
        return numbers;
      });
      for (Eigen::Index bin = 0; bin < bins; ++bin) {
        const auto number = static_cast<std::size_t>(bin);
        const std::int64_t end = slot.moments[number];
        rows.push_back({slot.temperature, name, end - sweeps_in(slot, number), end, jackknife.estimate(bin),
                        jackknife.estimate(bins + bin), jackknife.blocks()});
      }
    }
  return rows;
}

}  // namespace psflip::analysis
