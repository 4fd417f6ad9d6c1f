#include "engine/laboratory/bands/quench.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cpu/cpu.hpp"
#include "engine/laboratory/bands/zero_temperature.hpp"
#include "engine/models/system.hpp"

namespace psflip::laboratory {

namespace {

constexpr std::uint64_t batch = 512;  ///< lattices whose spins are on the host at once
constexpr std::uint64_t words_at_once = ZeroTemperature::most_words;

std::vector<std::uint64_t> times_of(const Quench& quench) {
  const std::uint64_t sweeps = quench.sweeps;
  std::vector<std::uint64_t> times;
  for (int k = 0;; ++k) {
    const auto time = static_cast<std::uint64_t>(std::llround(std::exp2(k / 2.0)));
    if (time >= sweeps) break;
    if (times.empty() || times.back() < time) times.push_back(time);
  }
  for (const std::uint64_t time : {static_cast<std::uint64_t>(quench.L), sweeps})
    if (time <= sweeps) times.push_back(time);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// The lattices of some words at T = 0. A lattice that no longer moves keeps its state.
void quench_words(const Quench& quench, std::uint64_t first_word, int words, QuenchResult& result) {
  ZeroTemperature lattices(quench.L, first_word, words, quench.seed);
  const std::uint64_t first = first_word * ZeroTemperature::lattices_of_word;
  const int count = words * ZeroTemperature::lattices_of_word;
  const std::uint64_t interval = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(quench.L) / 4);
  std::uint64_t now = 0;
  for (std::size_t i = 0; i < result.times.size(); ++i) {
    while (now < result.times[i]) {
      const std::uint64_t next = std::min(result.times[i], (now / interval + 1) * interval);
      lattices.advance(next - now);
      now = next;
      const ZeroTemperature::Bits moving = lattices.moving();
      for (int b = 0; b < count; ++b) {
        std::uint64_t& frozen = result.frozen[first + static_cast<std::uint64_t>(b)];
        if (frozen == 0 && !moving.has(b)) frozen = now;
      }
    }
    for (int b = 0; b < count; ++b) {
      const std::uint64_t lattice = first + static_cast<std::uint64_t>(b), frozen = result.frozen[lattice];
      const bool is_known = i > 0 && frozen != 0 && frozen <= result.times[i - 1];
      result.states[i][lattice] = is_known ? result.states[i - 1][lattice] : band_state(lattices.spins(b), quench.L);
    }
  }
}

/// `count` lattices from number `first` on, by psflip.
void quench_batch(const Quench& quench, std::uint64_t first, std::uint64_t count, QuenchResult& result) {
  System system;
  system.model = Model::ising2d;
  system.L = quench.L;
  system.betas = {1 / quench.T};
  system.first_sample = first;
  system.samples = count;
  system.seed = quench.seed;
  const auto engine = cpu::make_engine(system, quench.threads, 0);
  for (std::size_t i = 0; i < result.times.size(); ++i) {
    engine->advance(result.times[i] - engine->rounds());
    const std::vector<std::int8_t> spins = engine->spins();
    const auto sites = static_cast<std::ptrdiff_t>(system.sites());
#pragma omp parallel for num_threads(quench.threads)
    for (std::uint64_t lattice = 0; lattice < count; ++lattice) {
      const auto begin = spins.begin() + static_cast<std::ptrdiff_t>(lattice) * sites;
      result.states[i][first + lattice] = band_state({begin, begin + sites}, quench.L);
    }
  }
}

}  // namespace

std::uint64_t QuenchResult::settled(std::size_t lattice) const {
  std::size_t i = times.size() - 1;
  while (i > 0 && states[i - 1][lattice] == states.back()[lattice]) --i;
  return times[i];
}

QuenchResult quench(const Quench& quench) {
  QuenchResult result;
  result.times = times_of(quench);
  result.states.assign(result.times.size(), std::vector<BandState>(quench.lattices));
  if (quench.T == 0) {
    result.frozen.resize(quench.lattices);
    const std::uint64_t words = quench.lattices / ZeroTemperature::lattices_of_word;
#pragma omp parallel for num_threads(quench.threads) schedule(dynamic)
    for (std::uint64_t first = 0; first < words; first += words_at_once)
      quench_words(quench, first, static_cast<int>(std::min(words_at_once, words - first)), result);
  } else {
    for (std::uint64_t first = 0; first < quench.lattices; first += batch)
      quench_batch(quench, first, std::min(batch, quench.lattices - first), result);
  }
  return result;
}

double bytes_of(const Quench& quench) {
  const double sites = std::pow(quench.L, 2), times = 2 * std::log2(static_cast<double>(quench.sweeps)) + 3;
  const double of_states = static_cast<double>(quench.lattices) * (times + 8);
  constexpr double of_clusters = 21;  // a site of band_state(): number, position, pending sites, spins
  const double at_once = quench.T == 0 ? quench.threads * (sizeof(ZeroTemperature::Bits) + of_clusters)
                                       : static_cast<double>(batch) * 1.25 + quench.threads * of_clusters;
  return of_states + sites * at_once;
}

}  // namespace psflip::laboratory
