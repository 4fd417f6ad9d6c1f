#include "tempering.hpp"

#include <limits>
#include <numeric>

#include "simulation.hpp"

namespace psflip::exact {

System random_field_system(double J, double h, const std::vector<double>& betas, std::uint64_t samples) {
  System system = member_system(preset_of(Model::rfim3d), 4, 1, samples, 2);
  system.J = J;
  system.h = h;
  system.betas = betas;
  system.seed = 104;
  system.round = {10, 1};
  return system;
}

namespace {

/// The mean of `width` sums over `rounds` rounds.
double mean_of_sums(const double* sums, std::size_t width, std::uint64_t rounds) {
  return std::accumulate(sums, sums + width, 0.0) / (double(width) * double(rounds));
}

std::vector<double> columns_of(const System& system, const Sums& sums, std::size_t slot, std::size_t sample,
                               std::uint64_t rounds) {
  const SumLists lists = sum_lists_of(system);
  const std::size_t slots = system.slots(), samples = system.samples;
  const auto R = static_cast<std::size_t>(system.replicas);
  std::vector<double> columns(set_sums + pair_sums, std::numeric_limits<double>::quiet_NaN());
  const auto row = [&](std::size_t place) { return (place * slots + slot) * samples + sample; };
  for (std::size_t i = 0; i < lists.set.size(); ++i)
    columns[lists.set[i]] = mean_of_sums(&sums.set[row(i) * R], R, rounds);
  for (std::size_t i = 0; i < lists.pair.size(); ++i)
    columns[pair_column(lists.pair[i])] = mean_of_sums(&sums.pair[row(i) * lists.pairs], lists.pairs, rounds);
  if (system.preset().has_field() && !lists.has(sum_F)) {
    columns[sum_F] = columns[sum_M];
    columns[sum_F2] = columns[sum_M2];
  }
  return columns;
}

std::vector<double> shares_of_overlaps(const System& system, const Sums& sums, std::size_t slot, std::size_t sample,
                                       std::uint64_t rounds) {
  const SumLists lists = sum_lists_of(system);
  std::vector<double> shares;
  for (std::size_t bin = 0; bin < lists.overlap_bins; ++bin)
    shares.push_back(sums.overlap_counts[(slot * system.samples + sample) * lists.overlap_bins + bin] /
                     (double(lists.pairs) * double(rounds)));
  return shares;
}

/// One row for each sample.
Blocks links_of_overlaps(const System& system, const Sums& sums, std::size_t place, std::uint64_t rounds) {
  const SumLists lists = sum_lists_of(system);
  Blocks rows(system.samples);
  for (std::size_t i = 0; i < system.samples * lists.overlap_bins; ++i)
    rows[i / lists.overlap_bins].push_back(
        double(sums.overlap_link_sums[place * system.samples * lists.overlap_bins + i]) /
        (double(lists.pairs) * double(rounds)));
  return rows;
}

/// Of the next rounds.
TemperingMeans next_means(const System& system, std::uint64_t rounds, const std::vector<Disorder>& disorder,
                          Engine& engine) {
  engine.clear_sums();
  engine.advance(rounds);
  const Sums sums = engine.sums();
  const std::size_t slots = system.slots(), row = system.samples * static_cast<std::size_t>(system.replicas);
  TemperingMeans means{std::vector<SlotMeans>(slots), {}, std::vector<Blocks>(slots), {}, disorder};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t sample = 0; sample < system.samples; ++sample) {
      means.slots[slot].rows.push_back(columns_of(system, sums, slot, sample, rounds));
      means.overlaps[slot].push_back(shares_of_overlaps(system, sums, slot, sample, rounds));
    }
  }
  for (std::size_t place = 0; place < system.link_overlap_slots.size(); ++place)
    means.links.push_back(links_of_overlaps(system, sums, place, rounds));
  for (std::size_t pair = 0; pair + 1 < slots; ++pair) {
    double accepted = 0;
    for (std::size_t i = 0; i < row; ++i) accepted += sums.accepted[pair * row + i];
    means.rates.push_back(accepted / (double(row) * double(rounds) / 2));
  }
  return means;
}

}  // namespace

TemperingMeans tempering_means(const System& system, std::uint64_t warm_up, std::uint64_t rounds) {
  return tempering_means_of_bins(system, warm_up, rounds, 1)[0];
}

TemperingMeans tempering_means(const System& system, std::uint64_t warm_up, std::uint64_t rounds, Engine& engine) {
  engine.advance(warm_up);
  return next_means(system, rounds, disorder_of(system, engine), engine);
}

std::vector<TemperingMeans> tempering_means_of_bins(const System& system, std::uint64_t warm_up, std::uint64_t rounds,
                                                    std::uint64_t bins) {
  const auto engine = engine_for(system);
  const std::vector<Disorder> disorder = disorder_of(system, *engine);
  engine->advance(warm_up);
  std::vector<TemperingMeans> all;
  for (std::uint64_t bin = 0; bin < bins; ++bin) all.push_back(next_means(system, rounds, disorder, *engine));
  return all;
}

}  // namespace psflip::exact
