#include "engine/driver/slow_packs.hpp"

#include <algorithm>
#include <numeric>

namespace psflip {

namespace {

/// Contributions of all packs to r of one slot in a bin: (m^0 - m^1)^2 / 2 over the sum of thermal variances.
class Contributions {
 public:
  Contributions(const TemperingJob& job, const TemperingRecorder& recorder, std::size_t bin)
      : samples_(job.system.samples), bins_(job.bins), bin_(bin) {
    io::LabelledFile file;
    file.datasets = recorder.datasets();
    n_ = static_cast<double>(file.values<std::int64_t>("measurements")[bin]);
    m_ = file.values<double>("magnetization");
    m2_ = file.values<double>("magnetization_2");
    product_ = file.values<double>("magnetization_product");
  }

  void add_slot(std::size_t slot, std::vector<double>& of_packs) const {
    std::vector<double> gaps(of_packs.size(), 0.0);
    double variance = 0;
    for (std::size_t sample = 0; sample < samples_; ++sample) {
      const std::size_t i = (slot * bins_ + bin_) * samples_ + sample;
      const double gap = (m_[2 * i] - m_[2 * i + 1]) / n_;
      gaps[sample / 32] += gap * gap / 2;
      variance += (m2_[2 * i] + m2_[2 * i + 1]) / (2 * n_) - product_[i] / n_;
    }
    for (std::size_t pack = 0; variance > 0 && pack < gaps.size(); ++pack) of_packs[pack] += gaps[pack] / variance;
  }

 private:
  std::size_t samples_, bins_, bin_;
  double n_ = 0;
  std::vector<double> m_, m2_, product_;
};

}  // namespace

std::vector<std::uint64_t> slowest_packs(const TemperingJob& job, const TemperingRecorder& recorder) {
  const Contributions contributions(job, recorder, job.bins - 2);
  std::vector<double> of_packs(job.system.samples / 32, 0.0);
  for (std::size_t slot = 0; slot < job.system.slots(); ++slot) contributions.add_slot(slot, of_packs);
  std::vector<std::uint64_t> places(of_packs.size());
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return of_packs[a] > of_packs[b]; });
  places.resize(job.longer.packs);
  std::sort(places.begin(), places.end());
  return places;
}

TemperingSystem system_of_packs(const TemperingSystem& all, const std::vector<std::uint64_t>& places) {
  TemperingSystem some = all;
  const std::vector<std::uint64_t> numbers = all.pack_numbers();
  some.packs.clear();
  for (const std::uint64_t place : places) some.packs.push_back(numbers[place]);
  some.samples = 32 * places.size();
  return some;
}

TemperingState state_of_packs(const TemperingEngine& engine, const TemperingSystem& all,
                              const std::vector<std::uint64_t>& places, const Ranks& ranks) {
  constexpr std::size_t rows = 32 * tempering_sets;  // of a pack, in spins and flow labels
  TemperingState state{{}, std::vector<FlowLabel>(all.slots() * places.size() * rows), engine.rounds()};
  const std::vector<FlowLabel> flow_labels = engine.flow_labels();
  for (std::size_t slot = 0; slot < all.slots(); ++slot) {
    const PackedSigns from = engine.packed_spins(slot);
    PackedSigns& to = state.spins.emplace_back(places.size() * rows, all.sites());
    for (std::size_t i = 0; ranks.is_first() && i < places.size(); ++i) {
      const auto first = static_cast<std::ptrdiff_t>(slot * all.samples * tempering_sets + places[i] * rows);
      std::copy_n(from.row(places[i] * rows), rows * from.words_in_row(), to.row(i * rows));
      std::copy_n(flow_labels.begin() + first, rows,
                  state.flow_labels.begin() + static_cast<std::ptrdiff_t>((slot * places.size() + i) * rows));
    }
    ranks.broadcast(to.words.data(), to.words.size() * sizeof(std::uint32_t));
  }
  ranks.broadcast(state.flow_labels.data(), state.flow_labels.size() * sizeof(FlowLabel));
  return state;
}

}  // namespace psflip
