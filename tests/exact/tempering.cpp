#include "tempering.hpp"

#include "engine/cpu/cpu.hpp"

namespace psflip::exact {

TemperingSystem random_field_system(double J, double h, const std::vector<double>& betas, std::uint64_t samples) {
  TemperingSystem system;
  system.model = Model::rfim3d;
  system.L = 4;
  system.J = J;
  system.h = h;
  system.betas = betas;
  system.samples = samples;
  system.replicas = tempering_sets;
  system.seed = 104;
  system.exchange_interval = 5;
  return system;
}

TemperingMeans tempering_means(const TemperingSystem& system, std::uint64_t warm_up, std::uint64_t rounds) {
  const auto engine = cpu::make_tempering(system, 1, 0);
  engine->advance(warm_up);
  engine->clear_sums();
  engine->advance(rounds);
  const TemperingSums sums = engine->sums();
  const std::size_t slots = system.slots(), samples = system.samples, row = samples * tempering_sets;
  TemperingMeans means{std::vector<SlotMeans>(slots), {}, engine->fields()};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t sample = 0; sample < samples; ++sample) {
      std::vector<double> columns;
      for (std::size_t i = 0; i < set_sums; ++i) {
        const double* first = &sums.set[(i * slots + slot) * row + sample * tempering_sets];
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

}  // namespace psflip::exact
