#include "tempering.hpp"

#include "simulation.hpp"

namespace psflip::exact {

System random_field_system(double J, double h, const std::vector<double>& betas, std::uint64_t samples) {
  System system = member_system(preset_of(Model::rfim3d), 4, 1, samples, tempered_replicas);
  system.J = J;
  system.h = h;
  system.betas = betas;
  system.seed = 104;
  system.round = {10, 1};
  return system;
}

namespace {

/// Of the next rounds.
TemperingMeans next_means(const System& system, std::uint64_t rounds, const std::vector<Disorder>& disorder,
                          Engine& engine) {
  engine.clear_sums();
  engine.advance(rounds);
  const Sums sums = engine.sums();
  const std::size_t slots = system.slots(), samples = system.samples, row = samples * tempered_replicas;
  TemperingMeans means{std::vector<SlotMeans>(slots), {}, disorder};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t sample = 0; sample < samples; ++sample) {
      std::vector<double> columns;
      for (std::size_t i = 0; i < set_sums; ++i) {
        const double* first = &sums.set[(i * slots + slot) * row + sample * tempered_replicas];
        columns.push_back((first[0] + first[1]) / (2 * double(rounds)));
      }
      for (std::size_t i = 0; i < pair_sums; ++i)
        columns.push_back(sums.pair[(i * slots + slot) * samples + sample] / double(rounds));
      means.slots[slot].rows.push_back(columns);
    }
  }
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
